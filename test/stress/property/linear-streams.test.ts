import { expect, test } from 'vitest';
import { listenWithoutTags } from '../../../src/model/http/thinking-tags.ts';
import { growsTooFast } from '../../support/linear.ts';
import { requestOf } from '../../support/model-rig.ts';
import { collectorOf, type WireName } from '../../support/wire-in-process.ts';

const PIECE_CHARS = 16;
const quiet = { onText: () => undefined, onThinking: () => undefined };
const pieces = (text: string): readonly string[] =>
  Array.from({ length: Math.ceil(text.length / PIECE_CHARS) }, (_, n) => text.slice(n * PIECE_CHARS, (n + 1) * PIECE_CHARS));

/** Hands each piece to a collector, as an event made of it. */
const collected =
  (wire: WireName, first: object, event: (piece: string, n: number) => object) =>
  (text: string): void => {
    const collector = collectorOf(wire, requestOf([]), quiet);
    const push = (one: object): void => collector.push({ data: JSON.stringify(one), event: undefined, id: undefined });
    push(first);
    for (const [n, piece] of pieces(text).entries()) push(event(piece, n));
    collector.finish();
  };

const chunk = (delta: object) => ({ choices: [{ index: 0, delta }] });
const called = (json: string, fields: object = { index: 0, id: 'a' }) =>
  chunk({ tool_calls: [{ ...fields, function: { name: 'read_file', arguments: json } }] });
const start = { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'a', name: 'read_file', input: {} } };
const added = { type: 'response.output_item.added', output_index: 0, item: { type: 'function_call', call_id: 'a', name: 'read_file' } };

const readers: Readonly<Record<string, (text: string) => void>> = {
  'a call with its name in each piece': collected('chat', called(''), (piece) => called(piece)),
  'a call with an object before its pieces': collected('chat', called('{"a":"b"}'), (piece) => called(piece, { index: 0 })),
  'a call with an id in each piece': collected('chat', called(''), (piece, n) => called(piece, { index: 0, id: `a${n % 1_000}` })),
  'what a server adds, as one text': collected('chat', chunk({ content: 'x' }), (text) =>
    chunk({ reasoning_details: [{ index: 0, text }] }),
  ),
  'what a server adds, in another field': collected('chat', chunk({ content: 'x' }), (summary) => chunk({ details: { summary } })),
  'a call of the Messages wire': collected('messages', start, (partial_json) => ({
    ...{ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json } },
  })),
  'a call of the Responses wire': collected('responses', added, (delta) => ({
    ...{ type: 'response.function_call_arguments.delta', output_index: 0, delta },
  })),
  'text that may begin with a tag': (text) => {
    const listener = listenWithoutTags(quiet);
    for (const piece of pieces(text)) listener.onText(piece);
    listener.end();
  },
};

test.each(Object.entries(readers))('%s: a megabyte in pieces takes time that grows with it [W11]', async (_, read) => {
  expect(await growsTooFast(read, ['{"a":1}', ' ', 'a', '<think>'])).toEqual([]);
});
