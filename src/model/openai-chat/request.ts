import type { ModelFacts, ModelRequest } from '../../agent/ports/model.ts';
import { cacheKey, openAiEffort } from '../openai/shared-fields.ts';
import { outputTokens } from '../rough-tokens.ts';
import { chatMessages } from './chat-messages.ts';
import type { RequestTraits } from './traits.ts';

/** Builds the request as the server takes it, as far as it has said so. */
export function chatRequestBody(request: ModelRequest, { facts, traits }: { readonly facts: ModelFacts; readonly traits: RequestTraits }) {
  const tools = traits.tools ? request.tools : [];
  return {
    model: request.model,
    messages: chatMessages(request, traits),
    ...(tools.length > 0 && { tools: tools.map(toolOf) }),
    [traits.limitField]: Math.min(outputTokens(request, facts, { thinks: false }), traits.maxOutputTokens ?? Number.POSITIVE_INFINITY),
    ...(request.effort !== undefined &&
      traits.effort !== 'none' && { reasoning_effort: openAiEffort(request.effort, traits.effort === 'all') }),
    stream: traits.streams,
    ...(traits.streams && traits.streamUsage && { stream_options: { include_usage: true } }),
    ...(traits.cacheKey && cacheKey(request)),
  };
}

const toolOf = ({ name, description, inputSchema }: ModelRequest['tools'][number]) => ({
  type: 'function',
  function: { name, description, parameters: inputSchema },
});
