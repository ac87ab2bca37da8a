import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { RawAnswer } from '../support/raw-server.ts';
import type { WireName } from '../support/wire-in-process.ts';

export type Event = Readonly<Record<string, unknown>> | string;
export type Events = readonly Event[];

export const COMMAND = 'echo ran >> ran.txt';
export const input = JSON.stringify({ command: COMMAND });
export const WORDS = '好的，我来看 — naïve 😀.';

/** A reply that says something and calls once. */
export const calling: Readonly<Record<WireName, Events>> = {
  chat: [
    chat({ role: 'assistant', content: WORDS }),
    chat({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'run_command', arguments: input } }] }),
    chat({}, 'tool_calls'),
    '[DONE]',
  ],
  messages: [
    {
      type: 'message_start',
      message: { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage: { input_tokens: 900 } },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: WORDS } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'c1', name: 'run_command', input: {} } },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: input } },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ],
  responses: [
    { type: 'response.created', response: { id: 'r', status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: { id: 'm', type: 'message', role: 'assistant', content: [] } },
    { type: 'response.output_text.delta', output_index: 0, item_id: 'm', delta: WORDS },
    { type: 'response.output_item.done', output_index: 0, item: message(WORDS) },
    { type: 'response.output_item.added', output_index: 1, item: { ...functionCall(), arguments: '' } },
    { type: 'response.output_item.done', output_index: 1, item: functionCall() },
    { type: 'response.completed', response: { id: 'r', status: 'completed', output: [message(WORDS), functionCall()] } },
  ],
};
export function functionCall() {
  return { id: 'f', type: 'function_call', call_id: 'c1', name: 'run_command', arguments: input, status: 'completed' };
}
export function message(text: string) {
  return { id: 'm', type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] };
}

/** The same as one body. */
const whole: Readonly<Record<WireName, object>> = {
  chat: {
    id: 'x',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: WORDS,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'run_command', arguments: input } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
  },
  messages: {
    ...{ id: 'm', type: 'message', role: 'assistant', model: 'm', stop_reason: 'tool_use' },
    content: [
      { type: 'text', text: WORDS },
      { type: 'tool_use', id: 'c1', name: 'run_command', input: { command: COMMAND } },
    ],
    usage: { input_tokens: 900, output_tokens: 9 },
  },
  responses: { id: 'r', object: 'response', status: 'completed', output: [message(WORDS), functionCall()] },
};

export function chat(delta: object, finish: string | null = null, more: object = {}) {
  return { id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish, ...more }] };
}

const json = (event: Event): string => (typeof event === 'string' ? event : JSON.stringify(event));
const nameOf = (event: Event): string => (typeof event === 'string' ? '' : `event: ${event.type ?? 'chunk'}\n`);
export const text = (events: Events): string => events.map((event) => `${nameOf(event)}data: ${json(event)}\n\n`).join('');

const head = (headers: readonly string[], version = '1.1'): string =>
  `HTTP/${version} 200 OK\r\n${headers.map((each) => `${each}\r\n`).join('')}\r\n`;
export const EVENTS = 'Content-Type: text/event-stream';

/** A body that ends with the connection. */
export const closing = (body: string | Uint8Array, headers: readonly string[] = [EVENTS], version?: string): RawAnswer => ({
  chunks: [head([...headers, 'Connection: close'], version), body],
});
const chunked = (parts: readonly (string | Uint8Array)[], { headers = [EVENTS], extension = '', trailer = '' } = {}): RawAnswer => ({
  chunks: [
    head([...headers, 'Transfer-Encoding: chunked', 'Connection: close']),
    ...parts.flatMap((part) => [`${Buffer.byteLength(part).toString(16)}${extension}\r\n`, part, '\r\n']),
    `0\r\n${trailer}\r\n`,
  ],
});
const pieces = (all: string, size: number): readonly Uint8Array[] => {
  const bytes = Buffer.from(all);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, at * size + size));
};
export const length = (body: string, more = 0): string => `Content-Length: ${Buffer.byteLength(body) + more}`;

/** How proxies and servers pass on a reply that is whole: it means the same. */
export const sameHabits: Readonly<Record<string, (wire: WireName) => RawAnswer>> = {
  'comments between the lines of an event': (wire) => closing(text(calling[wire]).replaceAll('data: ', ': keep-alive\ndata: ')),
  'lines that end in CR alone': (wire) => closing(text(calling[wire]).replaceAll('\n', '\r')),
  'CRLF, each byte in a chunk of its own': (wire) => chunked(pieces(text(calling[wire]).replaceAll('\n', '\r\n'), 1)),
  'chunks cut inside of characters': (wire) => chunked(pieces(text(calling[wire]), 7)),
  'a mark of the byte order, then a comment': (wire) => closing(`\uFEFF: hello\n\n${text(calling[wire])}`),
  'no names of events, no blank behind data': (wire) => closing(calling[wire].map((event) => `data:${json(event)}\n\n`).join('')),
  'a name of no event on each': (wire) => closing(calling[wire].map((event) => `event: message\ndata: ${json(event)}\n\n`).join('')),
  'gzip, in pieces': (wire) => chunked(slices(gzipSync(text(calling[wire])), 11), { headers: [EVENTS, 'Content-Encoding: gzip'] }),
  'x-gzip without a length': (wire) => closing(gzipSync(text(calling[wire])), [EVENTS, 'Content-Encoding: x-gzip']),
  deflate: (wire) => closing(deflateSync(text(calling[wire])), [EVENTS, 'Content-Encoding: deflate']),
  br: (wire) => closing(brotliCompressSync(text(calling[wire])), [EVENTS, 'Content-Encoding: br']),
  'encoded as identity': (wire) => closing(text(calling[wire]), [EVENTS, 'Content-Encoding: identity']),
  'HTTP/1.0 without a length': (wire) => closing(text(calling[wire]), [EVENTS], '1.0'),
  'HTTP/1.0 and JSON': (wire) => closing(JSON.stringify(whole[wire]), ['Content-Type: application/json'], '1.0'),
  'JSON where a stream was asked for': (wire) => closing(JSON.stringify(whole[wire]), [EVENTS]),
  'JSON over many lines with a mark, called text': (wire) =>
    closing(`\uFEFF\r\n${JSON.stringify(whole[wire], null, 2)}`, ['Content-Type: text/plain']),
  'blanks that keep JSON waiting': (wire) =>
    chunked([' ', '\n', '  \n', JSON.stringify(whole[wire])], { headers: ['Content-Type: application/json'] }),
  'one event in a stream, and it is whole': (wire) => closing(`data: ${JSON.stringify(whole[wire])}\n\n`),
  'no content type': (wire) => closing(text(calling[wire]), []),
  'extensions of chunks, and a trailer': (wire) => chunked([text(calling[wire])], { extension: ';name=value', trailer: 'X-Cost: 1\r\n' }),
  'early hints before it': (wire) => ({
    chunks: ['HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', ...closing(text(calling[wire])).chunks],
  }),
  'the last events twice': (wire) => closing(text([...calling[wire], ...calling[wire].slice(-2)])),
  'the whole stream twice': (wire) => closing(text([...calling[wire], ...calling[wire]])),
  'a page behind its end': (wire) => closing(`${text(calling[wire])}<html>504 Gateway Time-out</html>`),
  'text behind its end, as an event': (wire) => closing(`${text(calling[wire])}data: upstream closed\n\n`),
  'an empty object behind its end': (wire) => closing(`${text(calling[wire])}data: {}\n\n`),
  'an error behind its end': (wire) => closing(`${text(calling[wire])}data: {"error":{"message":"connection closed","code":499}}\n\n`),
  'a mark of the end, whatever the wire': (wire) => closing(`${text(calling[wire])}data: [DONE]\n\ndata: [DONE]`),
  'a connection that stays open behind its end': (wire) => ({ ...closing(text(calling[wire])), staysOpen: true }),
  'a reset behind its end': (wire) => ({ ...chunked([text(calling[wire])]), reset: true }),
  'a reset before the last chunk': (wire) => ({ chunks: chunked([text(calling[wire])]).chunks.slice(0, -1), reset: true }),
  'a length that is too large': (wire) => closing(text(calling[wire]), [EVENTS, length(text(calling[wire]), 5)]),
  'pings with words': (wire) => closing(calling[wire].map((event) => `event: ping\ndata: ping\n\n${text([event])}`).join('')),
  'null between the events': (wire) => closing(calling[wire].map((event) => `data: null\n\n${text([event])}`).join('')),
  'empty objects between the events': (wire) => closing(calling[wire].map((event) => `data: {}\n\n${text([event])}`).join('')),
};

function slices(bytes: Uint8Array, size: number): readonly Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, at * size + size));
}
