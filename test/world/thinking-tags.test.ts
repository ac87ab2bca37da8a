import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ContentBlock, textOf } from '../../src/domain/session/message.ts';
import { convertHistory } from '../../src/model/convert-history.ts';
import { listenWithoutTags, withoutTags } from '../../src/model/http/thinking-tags.ts';
import { listen } from '../support/model-rig.ts';
import { runs } from '../support/runs.ts';

const reply = (text: string, more: readonly ContentBlock[] = [], stopReason = 'end_turn') =>
  withoutTags({ kind: 'reply', content: [{ type: 'text', text }, ...more], stopReason, model: 'm', usage: undefined }).content;
const call: ContentBlock = { type: 'tool_use', id: 'a', name: 'look', input: {} };
const thoughtIn = (content: readonly ContentBlock[]): unknown => content.find(({ type }) => type === 'thinking')?.thinking;
const sentBack = (content: readonly ContentBlock[], endpoint: string | undefined) =>
  convertHistory([{ role: 'assistant', content, ...(endpoint !== undefined && { endpoint }) }], endpoint ?? 'anthropic')[0]?.content;

describe('what a model thinks in its text', () => {
  test.each([
    ['<think>Hm.</think>\n\nYes.', 'Hm.', 'Yes.'],
    ['\n<thought>Hm.</thought>Yes.', 'Hm.', 'Yes.'],
    ['<Thinking>\nHm.\n</Thinking>\nYes.', '\nHm.\n', 'Yes.'],
    ['Hm. So it is.\n</think>\n\nYes.', 'Hm. So it is.\n', 'Yes.'],
    ['Hm. So it is.</think>Yes.', 'Hm. So it is.', 'Yes.'],
    ['<think>\n\n</think>\n\nYes.', '\n\n', 'Yes.'],
    ['<think>Is `</thought>` a tag?</think>Yes.', 'Is `</thought>` a tag?', 'Yes.'],
    ['<think>嗯。</think>好的。', '嗯。', '好的。'],
    ['<think>Hm.</think>\n<think>So.</think>\nYes.', 'Hm.</think>\n<think>So.', 'Yes.'],
    ['<think lang="en">Hm.</think >Yes.', 'Hm.', 'Yes.'],
    ['<seed:think>Hm.</seed:think>Yes.', 'Hm.', 'Yes.'],
    ['[THINK]Hm.[/THINK]Yes.', 'Hm.', 'Yes.'],
    ['◁think▷Hm.◁/think▷Yes.', 'Hm.', 'Yes.'],
    ['<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes.', 'Hm.', 'Yes.'],
    ['</think>\n\nYes.', '', 'Yes.'],
    ['\n\n</think>\n\nYes.', '\n\n', 'Yes.'],
  ])('%j is not what it says', (text, thinking, answer) => {
    const content = reply(text);
    expect(thoughtIn(content)).toBe(thinking);
    expect(textOf(content)).toBe(answer);
    for (const endpoint of ['here', undefined]) expect(sentBack(content, endpoint)).toEqual([{ type: 'text', text }]);
    expect(convertHistory([{ role: 'assistant', content, endpoint: 'elsewhere' }], 'here')[0]?.content).toEqual([
      { type: 'text', text: answer },
    ]);
  });

  test.each([
    'Write `</think>` at the end.',
    'Say "</think>" to end it.',
    'The tag </think> ends what is thought.',
    '```\nHm.\n</think>\nYes.\n```',
    'Use it so: <think>Hm.</think> and go on.',
    'Nothing of the kind.',
    '<thinker>Hm.</thinker>',
    '</think>',
    '<think>and never closed',
  ])('%j is what it says', (text) => {
    expect(reply(text)).toEqual([{ type: 'text', text }]);
  });

  test('stands before calls, and may be cut off', () => {
    expect(reply('<think>Hm.</think>', [call])).toMatchObject([{ type: 'thinking', thinking: 'Hm.' }, call]);
    expect(sentBack(reply('<think>Hm.</think>', [call]), 'here')).toEqual([{ type: 'text', text: '<think>Hm.</think>' }, call]);
    expect(reply('Hm.\n</think>\n', [call])).toMatchObject([{ type: 'thinking' }, call]);
    expect(reply('<think>Hm', [], 'max_tokens')).toMatchObject([{ type: 'thinking', thinking: 'Hm' }]);
  });

  test('is no part of the answer where some of it came in a field, and goes back as it came', () => {
    const field: ContentBlock = { type: 'thinking', thinking: 'Hm.', field: 'reasoning_content' };
    for (const text of ['</think>\n\nYes.', '<think>Hm.</think>Yes.']) {
      const { content } = withoutTags({
        kind: 'reply',
        content: [field, { type: 'text', text }],
        stopReason: 'end_turn',
        model: 'm',
        usage: undefined,
      });
      expect(textOf(content)).toBe('Yes.');
      expect(sentBack(content, 'here')).toEqual([field, { type: 'text', text }]);
    }
  });

  const texts = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '<', '>', '/', 'think', '读', '`') });
  const tags: readonly (readonly [string, string])[] = [
    ...['think', 'thought', 'thinking'].map((name) => [`<${name}>`, `</${name}>`] as const),
    ['[THINK]', '[/THINK]'],
    ['◁think▷', '◁/think▷'],
  ];
  test('is told as thinking however the text is cut, and nothing of a text is lost or told twice [W3]', () => {
    const cut = fc.record({
      tags: fc.constantFrom(...tags),
      thinking: texts,
      answer: texts,
      at: fc.array(fc.nat({ max: 80 })),
    });
    fc.assert(
      fc.property(cut, fc.boolean(), ({ tags: [opening, closing], thinking, answer, at }, isTagged) => {
        fc.pre(!thinking.replaceAll(/\s/g, '').includes(closing) && !/^\s*<\/?think(?:\s[^<>]*)?>/.test(answer));
        const text = isTagged ? opening + thinking + closing + answer : answer;
        const heard = listen();
        const listener = listenWithoutTags(heard);
        const ends = [...new Set([...at.map((place) => place % (text.length + 1)), text.length])].toSorted((a, b) => a - b);
        for (const [n, end] of ends.entries()) listener.onText(text.slice(n === 0 ? 0 : ends[n - 1], end));
        listener.end();
        const told = { text: heard.texts.join(''), thinking: heard.thoughts.join('') };
        const isOpened = /^\s*<(?:think|thinking|thought|reasoning)(?:\s[^<>]*)?>/i.test(text);
        if (isTagged) expect([told.thinking, told.text.trimStart()]).toEqual([thinking, answer.trimStart()]);
        else if (!isOpened) expect(told).toEqual({ text, thinking: '' });
        const content = reply(text, [call]);
        const back = sentBack(content, 'here') ?? [];
        expect(back.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('')).toBe(text);
      }),
      { numRuns: runs(1_000) },
    );
  });
});
