import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { admitReply, INVALID_JSON, mendReply } from '../../../../src/domain/session/admit-reply.ts';
import { type ContentBlock, isToolUse } from '../../../../src/domain/session/message.ts';

const call = (fields: Readonly<Record<string, unknown>>): ContentBlock => ({
  ...{ type: 'tool_use', id: 'toolu_1', name: 'read_file', input: { path: 'a' } },
  ...fields,
});
const admit = (blocks: readonly ContentBlock[], usedIds: readonly string[] = []) => admitReply(blocks, new Set(usedIds));
const nested = (levels: number): unknown => {
  let value: unknown = 'end';
  for (let level = 0; level < levels; level++) value = { a: value };
  return value;
};

describe('what a server calls a reply', () => {
  test('is stored as it came when a provider takes it back, blocks of unknown types too', () => {
    const content = [
      { type: 'thinking', thinking: '', signature: 's' },
      { type: 'redacted_thinking', data: 'x' },
      { type: 'text', text: 'so', citations: [] },
      { type: 'server_tool_use', id: 's', name: 'web_search', input: { q: 1 } },
      { type: 'web_search_tool_result', tool_use_id: 's', content: [{ any: 'thing' }] },
      { type: 'block_of_2031', payload: nested(50) },
      call({}),
    ];
    const reply = admit(content);
    expect(reply.content).toBe(content);
    expect(reply.changes).toEqual([]);
  });

  test.each([7, null, undefined, true, {}, [], '', 'x'.repeat(129), 'has space', 'a.b', '文件', 'a\nb'])(
    'has a call whose name %j can be sent back, and answered',
    (name) => {
      const { content, changes } = admit([call({ name })]);
      expect(content).toEqual([call({ name: expect.stringMatching(/^[a-zA-Z0-9_-]{1,128}$/) })]);
      expect(changes).toHaveLength(1);
    },
  );

  test.each([7, null, undefined, {}, '', 'x'.repeat(200), 'a b'])('has a call whose id %j can be sent back, and answered', (id) => {
    const [block] = admit([call({ id })]).content;
    expect(block).toMatchObject({ id: expect.stringMatching(/^[a-zA-Z0-9_-]{1,128}$/), name: 'read_file' });
  });

  test('has calls with ids of their own [F7, B-11]', () => {
    const ids = ['a', 'a', 'b', ''].map((id) => call({ id }));
    const { content, changes } = admit(ids, ['b', 'b_2']);
    expect(content.map(({ id }) => id)).toEqual(['a', 'a_2', 'b_3', 'call']);
    expect(changes).toEqual([]);
  });

  test.each([null, 'text', 7, [1], undefined])('has a call that never runs where the arguments are %j', (input) => {
    expect(admit([call({ input })]).content[0]).toMatchObject({ input: { [INVALID_JSON]: expect.any(String) } });
  });

  test('has nothing that is nested too deeply to be written', () => {
    const deep = nested(20_000);
    const { content } = admit([call({ input: deep }), { type: 'block_of_2031', deep }, { type: 'text', text: 'kept', deep }]);
    expect(content).toEqual([call({ input: { [INVALID_JSON]: 'nested too deeply' } })]);
  });

  test.each<ContentBlock>([
    { type: 'tool_result', tool_use_id: 'toolu_1', content: 'forged' },
    { type: 'image', source: { type: 'base64', data: '' } },
    { type: 'document', source: {} },
    { type: 'text' },
    { type: 'text', text: 7 },
    { type: 'text', text: null },
    { type: 'thinking', signature: 's' },
    { type: 'thinking', thinking: 'x', signature: 7 },
    { type: 'redacted_thinking' },
    { type: 'compaction', content: null },
    { type: '' },
    { type: 'Text' },
    { type: 'x'.repeat(1_000_000) },
    { type: 'a\u001b[2J' },
  ])('has no %j', (block) => {
    const word = { type: 'text', text: 'kept' };
    const { content, changes } = admit([word, block]);
    expect(content).toEqual([word]);
    expect(changes).toEqual([{ en: expect.stringMatching(/^left out .{1,150}$/), zh: expect.stringMatching(/^略去/) }]);
  });

  test('whatever it was, can be sent back: every call legal and unlike every other', () => {
    const anything = fc.record(
      {
        type: fc.constantFrom('text', 'tool_use', 'thinking', 'tool_result', 'new_block'),
        id: fc.jsonValue(),
        name: fc.jsonValue(),
        input: fc.jsonValue(),
        text: fc.jsonValue(),
      },
      { requiredKeys: ['type'] },
    );
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 8 }), fc.array(fc.constantFrom('call', 'a', 'unnamed')), (blocks, used) => {
        const { content } = admit(blocks, used);
        const calls = content.filter(isToolUse);
        expect(content.filter(({ type }) => type === 'tool_use')).toEqual(calls);
        for (const { id, name } of calls) for (const each of [id, name]) expect(each).toMatch(/^[a-zA-Z0-9_-]{1,128}$/);
        expect(new Set([...used, ...calls.map(({ id }) => id)]).size).toBe(new Set(used).size + calls.length);
        expect(admit(content, used).content).toBe(content);
      }),
    );
  });
});

test('a stored call whose arguments are nested too deeply is mended, and any other stays', () => {
  const flat = [call({})];
  expect(mendReply(flat)).toBe(flat);
  expect(mendReply([call({ input: nested(2_200) })])).toEqual([call({ input: { [INVALID_JSON]: 'nested too deeply' } })]);
});
