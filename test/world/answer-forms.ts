import fc from 'fast-check';
import { bytesOf, type WireName } from '../support/wire-in-process.ts';

/** The events of one reply, and what says on this wire that nothing follows. */
export type Events = readonly (Readonly<Record<string, unknown>> | '[DONE]')[];

/** The form of a body: what is around its events, and what a server calls it. */
export type Form = { readonly name: string; readonly text: string; readonly type: string };

type Frame = (events: Events, lineEnd: string) => string;

const typeOf = (event: Events[number]): string => (event === '[DONE]' ? 'done' : String(event.type ?? 'chunk'));
const json = (event: Events[number], indent?: number): string => (event === '[DONE]' ? event : JSON.stringify(event, null, indent));
const joined =
  (of: (event: Events[number], end: string) => string): Frame =>
  (events, end) =>
    events.map((event) => of(event, end)).join('');

const frames: Readonly<Record<string, Frame>> = {
  'with names': joined((event, end) => `event: ${typeOf(event)}${end}data: ${json(event)}${end}${end}`),
  'data alone': joined((event, end) => `data: ${json(event)}${end}${end}`),
  'without a blank behind the colon': joined((event, end) => `data:${json(event)}${end}${end}`),
  'over several lines': joined(
    (event, end) =>
      json(event, 2)
        .split('\n')
        .map((line) => `data: ${line}${end}`)
        .join('') + end,
  ),
  'with comments': joined((event, end) => `: OPENROUTER PROCESSING${end}${end}data: ${json(event)}${end}:${end}${end}`),
  'with pings in words': joined(
    (event, end) => `event: ping${end}data: pong${end}${end}data: keep-alive${end}${end}data: ${json(event)}${end}${end}`,
  ),
  'with nothing in between': joined((event, end) => `data: null${end}${end}data: ${json(event)}${end}${end}`),
  'with ids and times': joined((event, end) => `id: 7${end}retry: 3000${end}data: ${json(event)}${end}${end}`),
  'with empty events': joined((event, end) => `${end}${end}data:${end}${end}data: ${json(event)}${end}${end}`),
  'without empty lines': joined((event, end) => `data: ${json(event)}${end}`),
  'without the last empty line': (events, end) => events.map((event) => `data: ${json(event)}`).join(end + end),
  'an event on each line': (events, end) =>
    events
      .filter((event) => event !== '[DONE]')
      .map((event) => json(event))
      .join(end),
  'a list': (events) => JSON.stringify(events.filter((event) => event !== '[DONE]')),
};

const types = [
  ...['text/event-stream', 'text/event-stream; charset=utf-8', 'Text/Event-Stream', 'application/json', 'application/x-ndjson'],
  ...['text/plain; charset=utf-8', 'application/octet-stream'],
];

/** All the forms in which the same events may come. */
export const forms = fc
  .record({
    frame: fc.constantFrom(...Object.keys(frames)),
    ...{
      end: fc.constantFrom('\n', '\r\n'),
      mark: fc.constantFrom('', '', '\ufeff', '\n\n', '\ufeff\r\n'),
      type: fc.constantFrom(...types),
    },
    sizes: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 }),
  })
  .map(({ frame, end, mark, type, sizes }) => ({
    name: `${frame}, ${JSON.stringify(end)}, ${JSON.stringify(mark)}, ${type}`,
    type,
    piecesOf: (events: Events): readonly Uint8Array[] => inPieces(bytesOf(mark + (frames[frame]?.(events, end) ?? '')), sizes),
  }));

/** In pieces of these sizes in turn, the rest whole once they have come round ten times. */
function inPieces(all: Uint8Array, sizes: readonly number[]): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (let n = 0; at < all.length && n < sizes.length * 10; n++) {
    const next = at + (sizes[n % sizes.length] ?? 1);
    pieces.push(all.slice(at, next));
    at = next;
  }
  return at < all.length ? [...pieces, all.slice(at)] : pieces;
}

/** The beginning of a reply, as documented. */
export const begunOn: Readonly<Record<WireName, Events>> = {
  messages: [
    { type: 'message_start', message: { model: 'm', content: [], usage: { input_tokens: 9 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Half a' } },
  ],
  chat: [{ choices: [{ index: 0, delta: { role: 'assistant', content: 'Half a' }, finish_reason: null }] }],
  responses: [
    { type: 'response.created', response: { model: 'm', status: 'in_progress', output: [] } },
    { type: 'response.output_text.delta', output_index: 0, item_id: 'i', delta: 'Half a' },
  ],
};

/** Where servers put what went wrong, in an answer with a good status: `words` stands for what they say. */
const errors: readonly ((words: string) => object)[] = [
  (message) => ({ error: { message, type: 'invalid_request_error', code: 400 } }),
  (message) => ({ error: { message, code: '400' } }),
  (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
  (message) => ({ error: message }),
  (message) => ({ object: 'error', message, type: 'BadRequestError', param: null, code: 400 }),
  (message) => ({ code: 20_015, message, data: null }),
  (message) => ({ errors: [{ message, code: 5_021 }], success: false, result: {}, messages: [] }),
  (detail) => ({ detail }),
  (msg) => ({ detail: [{ loc: ['body'], msg, type: 'value_error' }] }),
  (error) => ({ detail: { error } }),
  (status_msg) => ({ id: 'x', base_resp: { status_code: 1_004, status_msg } }),
  (error_msg) => ({ error_code: 336_003, error_msg }),
  (message) => ({ error: { message: 'Provider returned error', code: 400, metadata: { raw: message } } }),
];
const named: readonly ((words: string) => string)[] = [
  (words) => `event: error\ndata: ${JSON.stringify({ message: words })}\n\n`,
  (words) => `event: error\ndata: ${words.replace(/\s+/g, ' ')}\n\n`,
];

/** An error inside an answer with a good status: in a stream, behind the beginning of a reply, alone, or as the body. */
export const errorsIn = (words: fc.Arbitrary<string>, wire: WireName) =>
  fc
    .record({ words, error: fc.nat(errors.length + named.length - 1), isBegun: fc.boolean(), isBody: fc.boolean(), isList: fc.boolean() })
    .map(({ words: said, error, isBegun, isBody, isList }) => {
      const own = errors[error]?.(said);
      const begun = isBegun ? begunOn[wire].map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') : '';
      if (own === undefined) return { said, text: begun + (named[error - errors.length]?.(said) ?? ''), type: 'text/event-stream' };
      const body = JSON.stringify(isList ? [own] : own);
      return isBody
        ? { said, text: body, type: 'application/json' }
        : { said, text: `${begun}data: ${body}\n\n`, type: 'text/event-stream' };
    });
