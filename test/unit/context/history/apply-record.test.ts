import { describe, expect, test } from 'vitest';
import { applyRecord, withoutThinking } from '../../../../src/context/history/apply-record.ts';
import type { Message } from '../../../../src/domain/session/message.ts';
import { usageOf } from '../../../support/arbitrary.ts';
import { answers, calls, contextOf, says, user } from '../../../support/build.ts';
import { runs } from '../../../support/runs.ts';

const COUNT = runs(10_000);
const thinking = { type: 'thinking', thinking: 'hm', signature: 's' };
const redacted = { type: 'redacted_thinking', data: 'x' };
const ref = { toolUseId: 'a', tool: 'read_file', body: { sha256: 'a'.repeat(64), bytes: 4, lines: 1 } };

describe('a record', () => {
  test('of a message appends it and leaves what was there the very same', () => {
    const before = contextOf([user()], { anchorFloor: 1 });
    const message = says();
    const after = applyRecord(before, { type: 'message', message });
    expect(after).toEqual({ ...before, messages: [before.messages[0], message] });
    expect(after.messages[0]).toBe(before.messages[0]);
  });

  test('of an offload puts the stubs in place, takes all thinking away and ends the trust in earlier usage [C65, C66, P5]', () => {
    const reply = calls({ id: 'a' });
    const thought: Message = { ...reply, content: [thinking, ...reply.content] };
    const result = answers({ id: 'a', content: 'long' });
    const after = applyRecord(contextOf([user(), thought, result]), { type: 'offload', stubs: [{ ref, text: 'stub' }] });
    expect(after.messages.slice(1)).toEqual([
      reply,
      { ...result, content: [{ type: 'tool_result', tool_use_id: 'a', content: 'stub' }], stubs: [ref] },
    ]);
    expect(after.anchorFloor).toBe(3);
  });

  test('of a header or checkpoint is the whole context, thinking included [B10]', () => {
    const context = contextOf([user('restored'), says('', { content: [thinking] })], { anchorFloor: 2, shortTermSummary: 'Goal' });
    expect(applyRecord(contextOf([user()]), { type: 'checkpoint', reason: 'rollback', context })).toBe(context);
    expect(applyRecord(contextOf([user()]), { type: 'header', v: 1, sessionId: 's', group: 'main', cwd: '/', model: 'm', context })).toBe(
      context,
    );
  });

  test('of another model changes no message, and ends the trust in what the one before counted [C36, C115]', () => {
    const context = contextOf([user(), says('ok', { usage: usageOf(5_000) })]);
    const after = applyRecord(context, { type: 'model', model: 'other' });
    expect(after.messages).toBe(context.messages);
    expect(after).toEqual({ ...context, anchorFloor: 2 });
  });

  test('after thousands of others is applied as the first was', () => {
    let context = contextOf([]);
    for (let n = 0; n < COUNT; n++) context = applyRecord(context, { type: 'message', message: n % 2 === 0 ? user(`${n}`) : says(`${n}`) });
    expect(context.messages.map((message) => message.content[0]?.text)).toEqual(Array.from({ length: COUNT }, (_, n) => `${n}`));
  });
});

test('a message that was only thinking goes with it, an empty one that never was stays [O2]', () => {
  const empty = says('', { content: [] });
  const messages = [
    user(),
    says('', { content: [thinking, redacted] }),
    empty,
    says('b', { content: [redacted, { type: 'text', text: 'b' }] }),
  ];
  expect(withoutThinking(messages).map((message) => message.content)).toEqual([messages[0]?.content, [], [{ type: 'text', text: 'b' }]]);
});
