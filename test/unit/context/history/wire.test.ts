import { describe, expect, test } from 'vitest';
import { toWire } from '../../../../src/context/history/pairing.ts';
import { emptyLedger } from '../../../../src/domain/session/ledger.ts';
import type { ContentBlock, Message } from '../../../../src/domain/session/message.ts';
import { answers, calls, says, user } from '../../../support/build.ts';

describe('what is sent', () => {
  test('is role and content, and nothing of ours', () => {
    const messages: Message[] = [
      { ...user('hi'), summary: { text: 's', ledger: emptyLedger, messages: 3 } },
      says('ok', { usage: { inputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1 } }),
    ];
    expect(toWire(messages)).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'ok' }] },
    ]);
  });

  test('has the results of parallel calls in one message, before what the user typed meanwhile [C64, P28]', () => {
    const wire = toWire([user('go'), calls({ id: 'a' }, { id: 'b' }), answers({ id: 'a' }), user('faster'), answers({ id: 'b' })]);
    expect(wire.map(({ role, content }) => [role, content.map((block) => block.tool_use_id ?? block.text ?? block.id)])).toEqual([
      ['user', ['go']],
      ['assistant', ['a', 'b']],
      ['user', ['a', 'b', 'faster']],
    ]);
  });

  test('has what the model said as the very same objects, thinking and unknown blocks included [O2, C65]', () => {
    const reply = says('ok', {
      content: [
        { type: 'thinking', thinking: '', signature: 's' },
        { type: 'new_kind', x: [1] },
        { type: 'text', text: 'ok' },
      ],
    });
    expect(toWire([user(), reply])[1]?.content).toBe(reply.content);
  });

  test('has neither empty replies nor blank text, which the API refuses', () => {
    const thinkingOnly = says('', { content: [{ type: 'thinking', thinking: 'hm', signature: 's' }], stopReason: 'max_tokens' });
    const wire = toWire([
      user('a'),
      says('', { content: [] }),
      thinkingOnly,
      says('', { content: [{ type: 'text', text: '\n' }] }),
      user('b'),
      user('  '),
    ]);
    expect(wire).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
    ]);
  });

  test('puts a word of the user between two replies, and before a first one', () => {
    expect(toWire([says('a'), says('b')]).map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  });

  test('has a replacement character for half of one, also deep inside a call [C68, B-03, P16]', () => {
    const wire = toWire([user('a\ud83d'), calls({ id: 't', input: { list: ['\ude00b'] } }), answers({ id: 't', content: 'ok 😀' })]);
    expect(wire[0]?.content).toEqual([{ type: 'text', text: 'a\ufffd' }]);
    expect(wire[1]?.content[0]?.input).toEqual({ list: ['\ufffdb'] });
    expect(wire[2]?.content[0]?.content).toBe('ok 😀');
  });

  test('has every field of a block, also one named like a part of the language [B-08]', () => {
    const block: ContentBlock = JSON.parse('{"type":"tool_use","id":"t","name":"x","input":{"__proto__":{"a":"\\ud800"},"constructor":1}}');
    const wire = toWire([user(), { ...says(), content: [block] }]);
    expect(JSON.stringify(wire[1]?.content)).toBe(
      '[{"type":"tool_use","id":"t","name":"x","input":{"__proto__":{"a":"\ufffd"},"constructor":1}}]',
    );
  });
});
