import type { AskModel, ModelRequest } from '../../src/agent/ports/model.ts';
import { collectReply } from '../../src/model/anthropic/reply.ts';
import { askWithRetries } from '../../src/model/http/attempt.ts';
import { describeError } from '../../src/model/http/describe-error.ts';
import { guardAnswer } from '../../src/model/http/guard-answer.ts';
import { type AnswerCollector, readAnswer } from '../../src/model/http/read-answer.ts';
import { BrokenStream } from '../../src/model/http/reply-bounds.ts';
import { collectChatReply } from '../../src/model/openai-chat/reply.ts';
import { collectResponse } from '../../src/model/openai-responses/reply.ts';
import type { Answer } from '../../src/net/send.ts';
import { fakeSleep, IDLE_MS } from './model-rig.ts';

export const wireNames = ['messages', 'chat', 'responses'] as const;
export type WireName = (typeof wireNames)[number];

type Listener = Parameters<typeof collectReply>[1];

export const collectorOf = (wire: WireName, request: ModelRequest, listener: Listener): AnswerCollector =>
  wire === 'messages'
    ? collectReply(request, listener)
    : wire === 'chat'
      ? collectChatReply(request, listener)
      : collectResponse(request.model, listener);

/** An answer as it comes from the network, in pieces. */
export function answerOf(pieces: readonly Uint8Array[], type = 'text/event-stream', status = 200): Answer {
  async function* body(): AsyncGenerator<Uint8Array, void, undefined> {
    yield* pieces;
  }
  const headers = new Map([['content-type', type]]);
  return {
    ...{ status, ok: status < 300, body: body(), text: async () => Buffer.concat(pieces).toString() },
    headers: { get: (name) => headers.get(name) ?? null, entries: () => headers.entries() },
  };
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A wire with all that reads an answer and tries again, and no network below it. */
export const wireInProcess =
  (wire: WireName, next: () => Answer): AskModel =>
  (request, stream) =>
    askWithRetries(request, stream, {
      ...{ retryCount: 2, capRetryAfterMs: 60_000, maxTotalRetryMs: 300_000, sleep: fakeSleep(IDLE_MS).sleep, random: () => 1 },
      idleTimeoutMs: 0,
      receive: async ({ listener, watch }) => {
        const collector = collectorOf(wire, request, listener);
        await readAnswer(guardAnswer(next(), watch), collector);
        const answer = collector.finish();
        if (answer === undefined) throw new BrokenStream('the stream ended before the reply did');
        return answer;
      },
      describe: describeError,
      context: {
        endpoint: {
          baseUrl: 'https://one.example/v1',
          host: 'one.example',
          key: { kind: 'none' },
          api: wire,
          addressSettings: 'model.baseUrl',
        },
        ...{ model: request.model, modelSource: '--model', judge: () => undefined },
      },
    });
