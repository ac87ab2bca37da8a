import { describe, test } from 'vitest';
import { badServer, type NamedAnswer, nameOf, nested, notAnswers, odd, streamed as stream } from '../support/bad-answers.ts';
import { holdsForEach } from '../support/each-row.ts';
import { anthropicAt, fakeSleep, IDLE_MS } from '../support/model-rig.ts';
import { sampleOf } from '../support/runs.ts';

const start = { type: 'message_start', message: { model: 'm', usage: { input_tokens: 50, output_tokens: 1 } } };
const end = (reason: unknown = 'end_turn', usage: unknown = { output_tokens: 5 }) => [
  { type: 'message_delta', delta: { stop_reason: reason }, usage },
  { type: 'message_stop' },
];
const block = (content_block: unknown, index: unknown = 0) => ({ type: 'content_block_start', index, content_block });
const delta = (fields: unknown, index: unknown = 0) => ({ type: 'content_block_delta', index, delta: fields });
const call = (fields: object) => ({ type: 'tool_use', id: 'toolu_bad', name: 'look', input: {}, ...fields });
const blocks = (reason: string, ...content: readonly unknown[]) =>
  stream(start, ...content.map((each, index) => block(each, index)), ...end(reason));

const answers: readonly NamedAnswer[] = [
  ...odd.map(([name, value]) => [`the name of a call is ${name}`, blocks('tool_use', call({ name: value }))] as const),
  ...odd.map(([name, value]) => [`the id of a call is ${name}`, blocks('tool_use', call({ id: value }))] as const),
  ...odd.map(([name, value]) => [`the input of a call is ${name}`, blocks('tool_use', call({ input: value }))] as const),
  ...odd.map(([name, value]) => [`the text of a text is ${name}`, blocks('end_turn', { type: 'text', text: value })] as const),
  ...odd.map(
    ([name, value]) => [`thinking is ${name}`, blocks('end_turn', { type: 'thinking', thinking: value, signature: value })] as const,
  ),
  ...odd.map(([name, value]) => [`the type of a block is ${name}`, blocks('end_turn', { type: value, text: 'x' })] as const),
  ...odd.map(([name, value]) => [`the stop reason is ${name}`, stream(start, block({ type: 'text', text: 'so' }), ...end(value))] as const),
  ...odd.map(
    ([name, value]) =>
      [
        `the usage is ${name}`,
        stream({ type: 'message_start', message: { usage: value } }, block({ type: 'text', text: 'so' }), ...end('end_turn', value)),
      ] as const,
  ),
  ...odd.map(
    ([name, value]) =>
      [
        `the figures of the usage are ${name}`,
        stream(
          { type: 'message_start', message: { model: value, usage: { input_tokens: value } } },
          block({ type: 'text', text: 'so' }),
          ...end('end_turn', { output_tokens: value, cache_read_input_tokens: 1e300, cache_creation_input_tokens: -5 }),
        ),
      ] as const,
  ),
  ...odd.map(
    ([name, value]) => [`the index of a block is ${name}`, stream(start, block({ type: 'text', text: 'so' }, value), ...end())] as const,
  ),
  ...odd.map(
    ([name, value]) =>
      [`an event is ${name}`, stream(start, value === undefined ? '' : value, block({ type: 'text', text: 'so' }), ...end())] as const,
  ),
  ...odd.map(
    ([name, value]) =>
      [
        `a delta is ${name}`,
        stream(start, block({ type: 'text', text: '' }), delta(value), delta({ type: 'text_delta', text: value }), ...end()),
      ] as const,
  ),
  ['a result in a reply', blocks('end_turn', { type: 'tool_result', tool_use_id: 'x', content: 'forged' })],
  [
    'a result for its own call in a reply',
    blocks('tool_use', call({}), { type: 'tool_result', tool_use_id: 'toolu_bad', content: 'forged' }),
  ],
  ['an image in a reply', blocks('end_turn', { type: 'image', source: { type: 'base64', media_type: 'image/png', data: '' } })],
  ['two calls of one id', blocks('tool_use', call({}), call({}))],
  ['calls but another stop reason', blocks('end_turn', call({}))],
  ['no call but tool_use', blocks('tool_use', { type: 'text', text: 'x' })],
  ['a call of an unknown tool', blocks('tool_use', call({ name: 'no_such_tool' }))],
  ['a call named __proto__', blocks('tool_use', call({ name: '__proto__', input: JSON.parse('{"__proto__":{"x":1}}') }))],
  ['a call cut off', stream(start, block(call({})), delta({ type: 'input_json_delta', partial_json: '{"a":' }), ...end('max_tokens'))],
  ['a call of broken JSON', stream(start, block(call({})), delta({ type: 'input_json_delta', partial_json: '{"a":' }), ...end('tool_use'))],
  [
    'a call nested 20,000 deep',
    stream(start, block(call({})), delta({ type: 'input_json_delta', partial_json: nested(20_000) }), ...end('tool_use')),
  ],
  [
    'a block nested 20,000 deep',
    stream(start, `{"type":"content_block_start","index":0,"content_block":{"type":"new","x":${nested(20_000)}}}`, ...end()),
  ],
  ['nothing but thinking', blocks('end_turn', { type: 'thinking', thinking: 'hm', signature: 's' })],
  ['nothing', blocks('end_turn')],
  ['a server tool without its result', blocks('end_turn', { type: 'server_tool_use', id: 's', name: 'web_search', input: {} })],
  ['a compaction nobody asked for', blocks('end_turn', { type: 'compaction', content: 'forged' })],
  ['a compaction without content', blocks('end_turn', { type: 'compaction', content: null })],
  ['a block twice', stream(start, block({ type: 'text', text: 'x' }), block({ type: 'text', text: 'y' }), ...end())],
  ['a delta before its block', stream(start, delta({ type: 'text_delta', text: 'x' }), ...end())],
  ['5,000 blocks', blocks('end_turn', ...Array.from({ length: 5_000 }, () => ({ type: 'text', text: 'x' })))],
  ['no start', stream(block({ type: 'text', text: 'x' }), ...end())],
  ['no end', stream(start, block({ type: 'text', text: 'x' }))],
  ['an end without a reason', stream(start, block({ type: 'text', text: 'x' }), { type: 'message_stop' })],
  ['an empty stream', stream()],
  [
    'an error in the stream',
    stream(start, block({ type: 'text', text: 'half' }), { type: 'error', error: { type: 'overloaded_error', message: 'busy' } }),
  ],
  ['an error in the stream without words', stream(start, { type: 'error' })],
  ['half a line of JSON', stream(start, '{"type":"content_block_start","ind')],
  ...notAnswers,
];

describe('a bad answer of the Messages API', () => {
  const survive = badServer(
    (url) => anthropicAt(url, { sleep: fakeSleep(IDLE_MS).sleep }),
    blocks('end_turn', { type: 'text', text: 'All is well.' }),
  );

  test('ends no session, whatever it is', () => holdsForEach(sampleOf(answers), nameOf, ([, bad]) => survive(bad)));
});
