import { expect, test } from 'vitest';
import { type StatusView, statusText } from '../../../../src/terminal/live/status.ts';
import { textWidth } from '../../../../src/terminal/text/text-width.ts';

const view: StatusView = {
  model: 'claude-sonnet-5-5',
  sessionId: '20261122-105527-305063',
  contextTokens: 42_310,
  windowTokens: 1_000_000,
  costUsd: 1.25,
  turnCostUsd: 0.31,
  mode: 'accept-edits',
};

test.each([
  [
    150,
    'claude-sonnet-5-5 · context 42,310 of 1,000,000 tokens (4 %) · $1.25 (turn $0.31) · accept-edits · session 20261122-105527-305063',
  ],
  [119, 'claude-sonnet-5-5 · 42,310 of 1,000,000 tokens (4 %) · $1.25 (turn $0.31) · accept-edits · 20261122-105527-305063'],
  [90, 'claude-sonnet-5-5 · 42,310 of 1,000,000 tokens (4 %) · $1.25 (turn $0.31) · accept-edits'],
  [79, 'claude-sonnet-5-5 · 4 % of 1,000,000 tokens · $1.25 (turn $0.31) · accept-edits'],
  [46, 'claude-sonnet-5-5 · 4 % · $1.25 · accept-edits'],
  [39, '4 % · $1.25 · accept-edits'],
])('the line of %s columns says what matters most', (columns, text) => {
  expect(statusText(view, columns)).toBe(text);
});

test('no line is wider than its row, whatever the names are', () => {
  for (let columns = 4; columns < 160; columns += 1)
    expect(textWidth(statusText({ ...view, model: '很长的模型名称很长的模型名称' }, columns))).toBeLessThanOrEqual(columns);
});

test('what costs nothing and is the usual says nothing', () => {
  expect(statusText({ ...view, costUsd: 0, turnCostUsd: 0, mode: 'ask', contextTokens: undefined }, 60)).toBe(
    'claude-sonnet-5-5 · session 20261122-105527-305063',
  );
});
