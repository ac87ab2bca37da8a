import { describe, expect, test } from 'vitest';
import { promptChanges } from '../../../../src/context/prompt/prompt-changes.ts';
import { type Instructions, systemPrompt } from '../../../../src/context/prompt/system-prompt.ts';
import { configSchema } from '../../../../src/domain/config/config.ts';
import { roughTokens } from '../../../../src/model/rough-tokens.ts';
import { fitInstructions, fitText, promptBudget } from '../../../../src/runtime/prompt/prompt-budget.ts';

const config = configSchema.parse({});
const file = (path: string, text: string): Instructions => ({ path, text, cut: false });
const project = (instructions: readonly Instructions[]) => ({
  cwd: '/work',
  platform: 'linux',
  date: '2026-01-01',
  repository: undefined,
  instructions,
});

describe('the room of what people write into a system prompt', () => {
  test('shrinks with the window, and is never much of it nor nothing', () => {
    let before = Number.POSITIVE_INFINITY;
    for (const window of [2_000_000, 200_000, 64_000, 16_000, 8_000, 4_000]) {
      const { instructions, soul, groupInstructions: standing, memory } = promptBudget(config, window);
      const all = instructions + soul + standing + memory;
      expect(all).toBeLessThanOrEqual(before);
      expect(all).toBeLessThanOrEqual(window / 4);
      expect(memory).toBeGreaterThan(0);
      before = all;
    }
    expect(promptBudget(config, 200_000).memory).toBe(config.memory.maxTokens);
  });

  test('is never exceeded, splits no character, and what is left out is said', () => {
    const texts = ['use tabs. '.repeat(400), '请用中文回答。'.repeat(400), '😀'.repeat(1_000)];
    const files = texts.map((text, at) => file(`${at}.md`, text));
    for (const tokens of [0, 1, 7, 100, 999]) {
      const kept = fitInstructions(files, tokens);
      expect(kept.map(({ cut }) => cut)).toEqual([true, true, true]);
      expect(kept.reduce((sum, { text }) => sum + roughTokens(text), 0)).toBeLessThanOrEqual(tokens + 1);
      for (const { text } of kept) expect(text.isWellFormed()).toBe(true);
      for (const text of texts) expect(fitText(text, tokens)).toMatch(/\n\[the rest is left out\]$/);
    }
    expect(fitInstructions([file('A.md', 'short'), file('B.md', 'b'.repeat(3_000))], 500)).toEqual([
      file('A.md', 'short'),
      { path: 'B.md', text: 'b'.repeat(1_495), cut: true },
    ]);
    expect(fitText(' whole ', 10)).toBe('whole');
  });

  test('changes with the model, which is no change of the files; what they say in it is', () => {
    const whole = file('AGENTS.md', 'Use tabs. '.repeat(100).trim());
    const cut = { ...whole, text: whole.text.slice(0, 50), cut: true };
    const shorter = { ...cut, text: whole.text.slice(0, 20) };
    const frozen = (given: Instructions) =>
      systemPrompt({ base: 'x', soul: undefined, group: 'main', groupInstructions: undefined, memory: '', project: project([given]) });
    const changes = (was: Instructions, now: readonly Instructions[]) =>
      promptChanges(frozen(was), [], { project: project(now), memory: '', allMemory: '' });
    for (const was of [whole, cut, shorter]) {
      for (const now of [whole, cut, shorter]) expect(changes(was, [now])).toEqual([]);
      expect(changes(was, [file('AGENTS.md', `Use spaces. ${whole.text}`)])).toHaveLength(1);
      expect(changes(was, [whole, file('b/AGENTS.md', 'More.')])).toHaveLength(1);
    }
    expect(changes(whole, [file('AGENTS.md', `${whole.text} Use spaces.`)])).toHaveLength(1);
  });
});
