import { expect, test } from 'vitest';
import { setLanguage } from '../../../../src/domain/language.ts';
import { type StatusView, statusRow } from '../../../../src/terminal/live/status.ts';
import { createPaint } from '../../../../src/terminal/text/paint.ts';
import { textWidth } from '../../../../src/terminal/text/text-width.ts';

const view: StatusView = {
  model: 'claude-sonnet-5-5',
  folder: '~/work/ws',
  branch: 'master',
  context: { tokens: 4_310, limitTokens: 80_000 },
  costUsd: 0.07,
  mode: 'accept-edits',
};
const rowOf = (shown: StatusView, columns: number): string => statusRow(shown, { paint: createPaint(false), columns });

test.each([
  [79, 'sonnet-5-5 · ~/work/ws (master) · context 5 % of 80k · $0.07 · accept-edits'],
  [70, 'sonnet-5-5 · ws (master) · context 5 % of 80k · $0.07 · accept-edits'],
  [60, 'sonnet-5-5 · ws (master) · 5 % of 80k · $0.07 · accept-edits'],
  [52, 'sonnet-5-5 · ws · 5 % of 80k · $0.07 · accept-edits'],
  [47, 'sonnet-5-5 · 5 % of 80k · $0.07 · accept-edits'],
  [39, 'sonnet-5-5 · 5 % · $0.07 · accept-edits'],
  [30, '5 % · $0.07 · accept-edits'],
  [12, 'accept-edits'],
])('the row of %s columns says what matters most, and always the mode', (columns, text) => {
  expect(rowOf(view, columns)).toBe(text);
});

test('a sync that failed by itself is said before the mode, and gives way with all else', () => {
  const failed = { ...view, hasFailedSync: true };
  expect(rowOf(failed, 79)).toBe('sonnet-5-5 · ws · 5 % of 80k · $0.07 · sync failed: sanbot sync · accept-edits');
  expect(rowOf(failed, 12)).toBe('accept-edits');
});

test('no row is wider than its window, whatever the names are, in either language', () => {
  for (const language of ['en', 'zh'] as const) {
    setLanguage(language);
    for (let columns = 4; columns < 160; columns += 1)
      expect(textWidth(rowOf({ ...view, model: '很长的模型名称很长的模型名称', folder: '~/工作/项目' }, columns))).toBeLessThanOrEqual(
        columns,
      );
  }
  setLanguage('en');
});

test('what is not known and what costs nothing says nothing', () => {
  expect(rowOf({ ...view, branch: undefined, costUsd: 0, mode: 'ask', context: undefined }, 79)).toBe('sonnet-5-5 · ~/work/ws · ask');
});

test('the mode that asks nothing is red', () => {
  const paint = createPaint(true);
  expect(statusRow({ ...view, mode: 'bypass' }, { paint, columns: 79 })).toMatch(/\u001b\[31mbypass\u001b\[39m$/);
  expect(statusRow(view, { paint, columns: 79 })).not.toContain('\u001b[31m');
});
