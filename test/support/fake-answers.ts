import type { ServerResponse } from 'node:http';
import type { ModelRequest } from '../../src/agent/ports/model.ts';
import type { Usage } from '../../src/domain/session/message.ts';
import type { Envelope } from './fake-diagnostics.ts';
import { encode, errorEvent, messageStart, replyEvents, type SseEvent, wireUsage } from './fake-sse.ts';
import type { FakeAnswer, Mischief } from './scenario.ts';

export type Answering = {
  readonly request: ModelRequest;
  readonly usage: Usage;
  readonly stalled: () => void;
  readonly streamed: boolean;
  readonly chunkBytes: number | undefined;
  readonly envelope?: Envelope;
};

/** Answers one request over HTTP, well or badly. */
export async function answer(given: FakeAnswer, response: ServerResponse, how: Answering): Promise<void> {
  switch (given.kind) {
    case 'reply': {
      const usage = given.usage === null ? undefined : (given.usage ?? how.usage);
      const reply = { model: how.request.model, content: given.content, stopReason: given.stopReason, usage, envelope: how.envelope };
      if (how.streamed) return streamWhole(response, replyEvents(reply), how);
      const whole = {
        id: 'msg_fake',
        type: 'message',
        role: 'assistant',
        model: reply.model,
        content: reply.content,
        stop_reason: reply.stopReason,
        ...how.envelope,
      };
      return sendJson(response, 200, { ...whole, usage: usage === undefined ? {} : wireUsage(usage) });
    }
    case 'overflow':
      return refuse(
        response,
        400,
        'invalid_request_error',
        `prompt is too long: ${given.sentTokens} tokens > ${given.limitTokens} maximum`,
      );
    case 'stale_thinking':
      return refuse(response, 400, 'invalid_request_error', STALE_THINKING);
    case 'fails':
      return given.code === 'model_key'
        ? refuse(response, 401, 'authentication_error', given.message)
        : refuse(response, 400, 'invalid_request_error', given.message);
    case 'hangs':
      return how.stalled();
    case 'mischief':
      return misbehave(given.mischief, response, how);
  }
}

const STALE_THINKING = 'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.';

async function misbehave(mischief: Mischief, response: ServerResponse, how: Answering): Promise<void> {
  const begun = [messageStart({ model: how.request.model, usage: how.usage, envelope: how.envelope }), ...half];
  switch (mischief.how) {
    case 'status': {
      const { body = '', headers = {} } = mischief;
      const type = typeof body === 'string' ? 'text/html' : 'application/json';
      response.writeHead(mischief.status, { 'content-type': type, ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
      return;
    }
    case 'hang':
      return how.stalled();
    case 'stall':
      await stream(response, begun, how);
      return how.stalled();
    case 'reset':
      await stream(response, begun, how);
      response.socket?.resetAndDestroy();
      return;
    case 'premature_end':
      return streamWhole(response, begun, how);
    case 'error_event':
      return streamWhole(response, [...begun, errorEvent(mischief.type, mischief.message)], how);
    case 'bad_json':
      await stream(response, begun, how);
      response.end('event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"del\n\n');
      return;
    case 'cut_tool_json':
      return streamWhole(response, cutCall(begun.slice(0, 1), mischief), how);
  }
}

/** The beginning of a text block that says "half a re". */
const half: readonly SseEvent[] = [
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'half a re' } },
];

const cutCall = (
  start: readonly SseEvent[],
  { name, json, stopReason }: Extract<Mischief, { how: 'cut_tool_json' }>,
): readonly SseEvent[] => [
  ...start,
  { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'call_cut', name, input: {} } },
  { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: json } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
];

const streamWhole = async (response: ServerResponse, events: readonly SseEvent[], how: Answering): Promise<void> => {
  await stream(response, events, how);
  response.end();
};

/** Resolves once the bytes have left, piece by piece. */
async function stream(response: ServerResponse, events: readonly SseEvent[], { chunkBytes }: Answering): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'request-id': 'req_fake' });
  const bytes = Buffer.from(events.map(encode).join(''), 'utf8');
  const size = chunkBytes ?? bytes.length;
  for (let start = 0; start < bytes.length; start += size) {
    await new Promise<void>((resolve) => response.write(bytes.subarray(start, start + size), () => resolve()));
  }
}

export const refuse = (response: ServerResponse, status: number, type: string, message: string): void =>
  sendJson(response, status, { type: 'error', error: { type, message }, request_id: 'req_fake' });

const sendJson = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_fake' });
  response.end(JSON.stringify(body));
};
