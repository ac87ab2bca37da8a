/**
 * Asks a model through the chat completions API: OpenAI's, and that of the many servers that speak it, each a little differently. It is a
 * `Wire` of ../http, and what follows here is only what is said on it.
 *
 * `request.ts` makes the body, `chat-messages.ts` the messages in it, and `reply.ts` reads the answer, streamed or whole. What a server
 * does not take is learned from its refusals (`traits.ts`), told where a person should know it, and left out from then on: no list of
 * servers says which of them can do what.
 *
 * The same request gives the same bytes until something is learned, so that prefixes stay in caches. It asks for one choice only, and sends
 * no sampling parameters.
 */

import type { AskModel, ModelFacts, ModelRequest } from '../../agent/ports/model.ts';
import type { Warn } from '../../domain/language.ts';
import { askOverHttp, type HttpOptions } from '../http/ask-over-http.ts';
import { cacheKey, openAiEffort } from '../openai/shared-fields.ts';
import { outputTokens } from '../rough-tokens.ts';
import { chatMessages } from './chat-messages.ts';
import { collectChatReply } from './reply.ts';
import { createTraits, type RequestTraits } from './traits.ts';

export type OpenAiChatOptions = HttpOptions & {
  readonly facts: (model: string) => ModelFacts;
  /** Tells the person, once, what a model cannot do. */
  readonly warn: Warn;
};

/** One function for each endpoint: it learns what the server there takes. */
export function createOpenAiChat(options: OpenAiChatOptions): AskModel {
  const traits = createTraits({ endpoint: options.endpoint, warn: options.warn });
  return askOverHttp(
    {
      path: '/chat/completions',
      list: 'messages',
      body: (request) => chatRequestBody(request, { facts: options.facts(request.model), traits: traits.of(request) }),
      collect: (request, listener) => collectChatReply(request, listener, traits.of(request).origin),
      adapt: traits.learn,
    },
    options,
  );
}

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
