import { describe, expect, test } from 'vitest';
import { limitsFor } from '../../../../src/context/measure/limits.ts';
import { createMeasure } from '../../../../src/context/measure/measure.ts';
import { planTrim } from '../../../../src/context/offload/trim.ts';
import { configSchema } from '../../../../src/domain/config/config.ts';
import type { Message } from '../../../../src/domain/session/message.ts';
import { answers, calls, contextOf, says, user } from '../../../support/build.ts';

const measure = createMeasure((text) => Math.ceil(text.length / 3));
const limits = limitsFor(configSchema.parse({}), 8_192);
const trim = (messages: readonly Message[], targetTokens = 0) => planTrim(contextOf(messages), { measure, ratio: 1, limits, targetTokens });
const long = (word: string): string => `${word} `.repeat(3_000);
const textOf = (message: Message | undefined): string => String(message?.content[0]?.text ?? message?.content[0]?.content);

describe('trimming single messages', () => {
  test('keeps head and tail of a text, and says first what is missing [C3, C12, C54]', () => {
    const body = Array.from({ length: 2_000 }, (_, n) => `line ${n + 1}`).join('\n');
    const trimmed = textOf(trim([user('x'), says(body), user('y')])?.[1]);
    expect(trimmed).toMatch(
      /^\[Cut to fit the context window: of 18892 characters the first \d+ and the last \d+ follow\. The whole text is in the session's history\.\]\nline 1\nline 2\n/,
    );
    expect(trimmed).toMatch(/\n\[\d+ characters left out\]\n/);
    expect(trimmed.endsWith('line 1999\nline 2000')).toBe(true);
  });

  test('takes the largest first and stops at the target; the newest request is the last it touches [C12]', () => {
    const messages = [user(long('old')), says(long('answer')), user(long('newest request')), says('x')];
    const now = measure.context(contextOf(messages), 1).tokens;
    const changed = (targetTokens: number) => trim(messages, targetTokens)?.map((message, index) => message !== messages[index]);
    expect(changed(now - 1)).toEqual([false, true, false, false]);
    expect(changed(now - 8_000)).toEqual([true, true, false, false]);
    expect(changed(0)).toEqual([true, true, true, false]);
  });

  test('reaches results that could not be offloaded, blocks inside them, and the text inside calls [C48, P16]', () => {
    const input = { path: 'a.ts', content: long('code'), flags: { deep: [long('deep')], n: 1 } };
    const messages = [
      user('go'),
      calls({ id: 'a', name: 'write_file', input }),
      { ...answers(), content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: long('out') }] }] },
    ];
    const [, call, result] = trim(messages) ?? [];
    expect(call?.content[0]).toMatchObject({
      id: 'a',
      name: 'write_file',
      input: { path: 'a.ts', content: expect.stringMatching(/^\[Cut/), flags: { deep: [expect.stringMatching(/^\[Cut/)], n: 1 } },
    });
    expect(result?.content[0]).toMatchObject({ tool_use_id: 'a', content: [{ type: 'text', text: expect.stringMatching(/^\[Cut/) }] });
  });

  test('gives the newest request the room there is, and says where the whole of it can be read', () => {
    const paste = Array.from({ length: 6_000 }, (_, n) => `${n}`).join('\n');
    const kept: string[] = [];
    const keep = (text: string) => `/home/bodies/${kept.push(text)}.txt`;
    const targetTokens = 4_000;
    const [message] = planTrim(contextOf([user(paste)]), { measure, ratio: 1, limits, targetTokens, keep }) ?? [];
    expect(kept).toEqual([paste]);
    expect(textOf(message)).toContain('The whole text is at: /home/bodies/1.txt');
    const tokens = measure.context(contextOf(message === undefined ? [] : [message]), 1).tokens;
    expect(tokens).toBeLessThanOrEqual(targetTokens);
    expect(tokens).toBeGreaterThan(targetTokens / 5);
  });

  test('never touches a summary or a stub [O34, C52]', () => {
    const stubs = [{ toolUseId: 'a', tool: 'x', body: { sha256: 'a'.repeat(64), bytes: 1, lines: 1 } }];
    const messages: Message[] = [
      { ...user(long('history')), origin: 'summary' },
      calls({ id: 'a' }),
      { ...answers({ id: 'a', content: long('stub') }), stubs },
    ];
    expect(trim(messages)).toBeUndefined();
  });

  test('takes the thinking away, since the past it is bound to changes [C65, C66]', () => {
    const thinking = { type: 'thinking', thinking: 'hm', signature: 's' };
    const messages = [
      user(long('old')),
      says('', { content: [thinking] }),
      says('b', { content: [thinking, { type: 'text', text: 'b' }] }),
      user('y'),
    ];
    expect(trim(messages)?.map((message) => message.content.map((block) => block.type))).toEqual([['text'], ['text'], ['text']]);
    expect(trim([user('short'), says('b', { content: [thinking, { type: 'text', text: 'b' }] })])).toBeUndefined();
  });
});
