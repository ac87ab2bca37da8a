import type { ModelFacts, ModelRequest } from '../../agent/ports/model.ts';
import { cacheKey } from '../openai/cache-key.ts';
import { roughRequestTokens } from '../rough-tokens.ts';
import { type ChatMessage, chatMessages } from './chat-messages.ts';
import type { RequestTraits } from './traits.ts';

/** The body of a request, with the API's field names. */
export type ChatRequestBody = {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly Readonly<Record<string, unknown>>[];
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly stream: boolean;
  readonly stream_options?: { readonly include_usage: true };
  readonly prompt_cache_key?: string;
};

/** A reply always gets at least this much room, however full the window looks: the count is rough. */
const MIN_OUTPUT_TOKENS = 1_024;

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
    [traits.limitField]: outputTokens(request, facts, traits.maxOutputTokens),
    stream: traits.streams,
    ...(traits.streams && traits.streamUsage ? { stream_options: { include_usage: true } } : {}),
    ...(traits.cacheKey ? cacheKey(request) : {}),
  };
}

/** Never above what the model can write, nor above what the window leaves free, nor next to nothing. */
function outputTokens(request: ModelRequest, facts: ModelFacts, cap: number | undefined): number {
  const room = Math.max(MIN_OUTPUT_TOKENS, facts.windowTokens - roughRequestTokens(request));
  return Math.min(request.maxOutputTokens, facts.maxOutputTokens, room, cap ?? Number.POSITIVE_INFINITY);
}
