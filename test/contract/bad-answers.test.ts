import { createServer, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compact } from '../../src/agent/compaction/compact.ts';
import { limitsOf } from '../../src/agent/deps.ts';
import { runTurn } from '../../src/agent/turn/turn.ts';
import { pairingProblems } from '../../src/context/history/pairing.ts';
import { toWire } from '../../src/context/history/wire.ts';
import { SanbotError } from '../../src/domain/errors.ts';
import { messageSchema } from '../../src/domain/session/message.ts';
import { createAgentWorld, tool } from '../support/agent-world.ts';
import { anthropicAt, fakeSleep, IDLE_MS, listen } from '../support/model-rig.ts';

/**
 * Whatever a server answers, the turn ends with a reply or with one clear error, and the session goes on: the next turn, a compaction
 * and another process all work on what was stored.
 */
type Answer = (response: ServerResponse) => void;

const send =
  (status: number, type: string, body: string | Buffer): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': type });
    response.end(body);
  };
const stream = (...events: readonly unknown[]): Answer =>
  send(
    200,
    'text/event-stream',
    events.map((event) => `event: x\ndata: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join(''),
  );

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
const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

const odd: readonly (readonly [name: string, value: unknown])[] = [
  ['a number', 7],
  ['null', null],
  ['missing', undefined],
  ['true', true],
  ['a list', []],
  ['an object', {}],
  ['empty', ''],
  ['blank', '  '],
  ['200 characters', 'x'.repeat(200)],
  ['Chinese', '读文件'],
  ['with a control sequence', 'a\u001b[2J\u0000b'],
  ['a lone surrogate', '\ud800'],
];

const answers: readonly (readonly [name: string, answer: Answer])[] = [
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
  ...odd.map(
    ([name, value]) =>
      [`an error's body is ${name}`, send(400, 'application/json', JSON.stringify({ type: 'error', error: value }) ?? '')] as const,
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
  ['bytes that are no text', send(200, 'text/event-stream', Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x0a, 0x0a]))],
  ['a page of HTML', send(200, 'text/html', '<html>hello</html>')],
  ['JSON instead of a stream', send(200, 'application/json', '{"type":"message","content":[]}')],
  ['an empty body', send(200, 'text/event-stream', '')],
  ['204', send(204, 'text/plain', '')],
  ...[300, 301, 307, 400, 401, 402, 403, 404, 405, 408, 409, 413, 418, 422, 429, 451, 500, 502, 503, 504, 529, 599].map(
    (status) => [`${status} with a page of HTML`, send(status, 'text/html', '<html>no</html>')] as const,
  ),
  [
    'an error of a megabyte',
    send(400, 'application/json', JSON.stringify({ type: 'error', error: { type: 'x', message: 'y'.repeat(1_000_000) } })),
  ],
  ['a connection that is reset', (response) => void response.socket?.resetAndDestroy()],
];

let answerNow: Answer = stream();
const server = createServer((incoming, response) => {
  incoming.resume();
  incoming.on('end', () => answerNow(response));
});
let url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
});
afterAll(() => void server.close());

const good = blocks('end_turn', { type: 'text', text: 'All is well.' });

describe(`${answers.length} bad answers`, () => {
  let handled = 0;
  afterAll(() => console.log(`bad answers handled: ${handled} of ${answers.length}`));

  test.each(answers)('%s', async (_, bad) => {
    const look = tool('look', () => 'seen');
    const ask = anthropicAt(url, { sleep: fakeSleep(IDLE_MS).sleep });
    let asked = 0;
    const world = createAgentWorld({
      tools: [look],
      ask: (request) => {
        // The first request has the bad answer at every try of it; what follows from it has good ones.
        answerNow = asked++ === 0 ? bad : good;
        return ask(request, listen());
      },
    });
    const { session, deps, tools } = world;
    const turn = { maxSteps: 10, signal: new AbortController().signal, tools };
    const outcome = await runTurn('the first', session, deps, turn).catch((error: unknown) => error);
    if (outcome instanceof Error) {
      expect(outcome).toBeInstanceOf(SanbotError);
      expect(outcome).toMatchObject({
        code: expect.stringMatching(/^(?:model_|context_cannot_fit)/),
        message: expect.stringMatching(/^[^\p{Cc}]{1,700}$/u),
      });
    }
    asked = 1;
    for (const again of [session, world.reopened()]) {
      expect(await runTurn('go on', again, deps, turn)).toMatchObject({ stopReason: 'end_turn', text: 'All is well.' });
      expect(
        pairingProblems(
          toWire([...again.context.messages, again.message({ role: 'user', origin: 'user', content: [{ type: 'text', text: 'x' }] })]),
        ),
      ).toEqual([]);
    }
    for (const record of world.store.records)
      if (record.type === 'message') expect(messageSchema.safeParse(record.message).success).toBe(true);
    const outcomes = await compact(
      { trigger: 'manual', reasons: [], instructions: undefined, limits: limitsOf(session, deps), signal: turn.signal },
      session,
      deps,
    );
    expect(outcomes.kind).not.toBe('failed');
    handled += 1;
  });
});
