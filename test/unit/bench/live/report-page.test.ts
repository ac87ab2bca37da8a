import { expect, test } from 'vitest';
import { reportPage } from '../../../../bench/live/report-page.ts';
import type { Row } from '../../../../bench/live/run.ts';

const row = (more: Partial<Row>): Row => ({
  ...{ task: 'logs-en', way: 'open', stopReason: 'end_turn', steps: 40, usd: 0.25, compactions: 0, offloads: 0, lookUps: 0 },
  ...{ wrong: [], broken: [], ...more },
});

const facts = { model: 'claude-sonnet-5-5', seed: 3, version: '1.0.0', tasks: ['logs-en', 'logs-zh'] };

test('the page says for each way what succeeded and what it took, and for each run what went wrong', () => {
  const page = reportPage(facts, [
    row({}),
    row({ task: 'logs-zh', steps: 60, usd: 0.75 }),
    row({ way: 'files first', compactions: 4, lookUps: 3, wrong: ['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts', 'f.ts'], broken: ['the mark'] }),
    row({ way: 'by summary', compactions: 2, usd: null, stopReason: 'max_cost', broken: ['the mark', 'the last message'] }),
  ]);
  expect(page).toContain('SanBot 1.0.0, claude-sonnet-5-5, seed 3: 4 of 6 runs.');
  expect(page).toContain('| open | 2 | 2 | 0 | 50.0 | 0.500 | 0.0 | – | 0.0 |');
  expect(page).toContain('| files first | 1 | 0 | 1 | 40.0 | 0.250 | 4.0 | 1 | 3.0 |');
  expect(page).toContain('| by summary | 1 | 1 | 2 | 40.0 | – | 2.0 | 0 | 0.0 |');
  expect(page).toContain('| logs-en | by summary | 0 | 2 | max_cost | 40 | – | 2 | 0 |');
  expect(page).toContain('- logs-en, files first: wrong: `a.ts`, `b.ts`, `c.ts`, `d.ts`, `e.ts`, 1 more; broken: the mark');
  expect(page).toContain('- logs-en, by summary: broken: the mark, the last message');
});

test('a page without results or without faults leaves out what it cannot say', () => {
  expect(reportPage(facts, [])).toContain('| open | 0 | 0 | 0 | – | – | – | – | – |');
  expect(reportPage(facts, [row({})])).not.toContain('What went wrong');
});
