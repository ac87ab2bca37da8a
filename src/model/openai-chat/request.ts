import type { ModelFacts, ModelRequest } from '../../agent/ports/model.ts';
import { cacheKey } from '../openai/shared-fields.ts';
import { outputTokens } from '../rough-tokens.ts';
import { type ChatMessage, chatMessages } from './chat-messages.ts';
import type { RequestTraits } from './traits.ts';

/** The body of a request, with the API's field names. */
type ChatRequestBody = {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly Readonly<Record<string, unknown>>[];
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly stream: boolean;
  readonly stream_options?: { readonly include_usage: true };
  readonly prompt_cache_key?: string;
};

/** Builds the request as the server takes it, as far as it has said so. */
export function chatRequestBody(
  request: ModelRequest,
  { facts, traits }: { readonly facts: ModelFacts; readonly traits: RequestTraits },
): ChatRequestBody {
  const tools = traits.tools ? request.tools : [];
  return {
    model: request.model,
    messages: chatMessages(request, traits),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, inputSchema }) => ({
            type: 'function',
            function: { name, description, parameters: inputSchema },
          })),
        }),
    [traits.limitField]: Math.min(outputTokens(request, facts, { thinks: false }), traits.maxOutputTokens ?? Number.POSITIVE_INFINITY),
    stream: traits.streams,
    ...(traits.streams && traits.streamUsage ? { stream_options: { include_usage: true } } : {}),
    ...(traits.cacheKey ? cacheKey(request) : {}),
  };
}
