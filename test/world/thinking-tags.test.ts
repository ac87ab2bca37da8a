import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ContentBlock, textOf } from '../../src/domain/session/message.ts';
import { convertHistory } from '../../src/model/convert-history.ts';
import { listenWithoutTags, splitThinking, withoutTags } from '../../src/model/http/thinking-tags.ts';
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
    ['<think>One <think>two</think> three.</think>Yes.', 'One <think>two</think> three.', 'Yes.'],
    ['<thought>a <thought>b <thought>c</thought></thought> d</thought>\nYes.', 'a <thought>b <thought>c</thought></thought> d', 'Yes.'],
    ['<think>\n<think>\nHm.</think>\nYes.', '\n<think>\nHm.', 'Yes.'],
    ['<think><think>Hm.</think></think>Yes.', '<think>Hm.', 'Yes.'],
    ['<think>I write <think> first.</think>Yes.', 'I write <think> first.', 'Yes.'],
    ['<think>Is `</think>` a tag?</think>Yes.', 'Is `</think>` a tag?', 'Yes.'],
    ['<think>It ends with "</think>", so.</think>Yes.', 'It ends with "</think>", so.', 'Yes.'],
    ['<think>“</think>” 是标签。</think>好的。', '“</think>” 是标签。', '好的。'],
    ['<think>```html\n<think>a</think>\n</think>\n```\nSo.\n</think>\n\nYes.', '```html\n<think>a</think>\n</think>\n```\nSo.\n', 'Yes.'],
    ['<think>It is `half.</think>Yes.', 'It is `half.', 'Yes.'],
    ['<think>```\nnever closed</think>Yes.', '```\nnever closed', 'Yes.'],
    ['One <think>two</think> three.\n</think>\n\nYes.', 'One <think>two</think> three.\n', 'Yes.'],
    ['It is `</think>`, so.\n</think>\n\nYes.', 'It is `</think>`, so.\n', 'Yes.'],
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
    'Use it so: <think>Hm.</think>\n',
    'In code:\n```\n<think>\n</think>\n</think>\n```\n',
    '</think>',
    '<think>and never closed',
  ])('%j is what it says', (text) => {
    expect(reply(text)).toEqual([{ type: 'text', text }]);
  });

  test('may stand in a text of its own, or end in the next one', () => {
    const two: readonly ContentBlock[] = ['<think>Hm.</think>', '\n\nYes.'].map((text) => ({ type: 'text', text }));
    const whole = { kind: 'reply' as const, stopReason: 'end_turn', model: 'm', usage: undefined };
    const { content } = withoutTags({ ...whole, content: two });
    expect([thoughtIn(content), textOf(content).trim()]).toEqual(['Hm.', 'Yes.']);
    expect(sentBack(content, 'here')).toEqual([{ type: 'text', text: '<think>Hm.</think>\n\nYes.' }]);
    const parts: readonly ContentBlock[] = ['<think>H', 'm.</th', 'ink>Yes.'].map((text) => ({ type: 'text', text }));
    const cut = withoutTags({ ...whole, content: [...parts, call] }).content;
    expect([thoughtIn(cut), textOf(cut)]).toEqual(['Hm.', 'Yes.']);
    expect(sentBack(cut, 'here')).toEqual([{ type: 'text', text: '<think>Hm.</think>Yes.' }, call]);
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

  const texts = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '<', '>', '/', 'think', '<think>', '</think>', '读', '`', '```', '"') });
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
        const text = isTagged ? opening + thinking + closing + answer : answer;
        const heard = listen();
        const listener = listenWithoutTags(heard);
        const ends = [...new Set([...at.map((place) => place % (text.length + 1)), text.length])].toSorted((a, b) => a - b);
        for (const [n, end] of ends.entries()) listener.onText(text.slice(n === 0 ? 0 : ends[n - 1], end));
        listener.end();
        const told = { text: heard.texts.join(''), thinking: heard.thoughts.join('') };
        const split = splitThinking(text);
        // Of several thoughts, the tags between them are told to nobody.
        const isOne = !/(?:<\/\w+\s*>|\[\/THINK\]|◁\/think▷)\s*[<[◁]/.test(text);
        if (split === undefined) expect(told).toEqual({ text, thinking: '' });
        else if (isTagged && isOne) expect([told.thinking, told.text.trimStart()]).toEqual([split.thinking, split.answer]);
        const isPlain = isTagged && isOne && !/[<`"]/.test(thinking);
        if (isPlain) expect([told.thinking, told.text.trimStart()]).toEqual([thinking, answer.trimStart()]);
        const content = reply(text, [call]);
        const back = sentBack(content, 'here') ?? [];
        expect(back.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('')).toBe(text);
      }),
      { numRuns: runs(1_000) },
    );
  });
});
