import { expect, test } from 'vitest';
import type { SanbotEvent } from '../../../../src/domain/event.ts';
import { createRunning } from '../../../../src/terminal/live/busy-line.ts';
import { timeText } from '../../../../src/terminal/screen/spinner.ts';
import { createPaint } from '../../../../src/terminal/text/paint.ts';

test('a question of the model has no row beside it: it stands where it is asked', () => {
  const running = createRunning();
  const started = (tool: string, title: string): SanbotEvent => ({ type: 'tool_started', toolUseId: title, tool, title });
  running.onEvent(started('ask_user', 'ask_user Which database?'));
  running.onEvent(started('search', 'search total'));
  expect(running.rows({ paint: createPaint(false), columns: 40 })).toEqual(['● Search "total"']);
});

test.each([
  [4_000, 0, ' · 4 s left'],
  [1_341, 1, ' · 1 s left'],
  [550, 0, ' · 1 s left'],
  [550, 1, ''],
  [550, 9, ''],
])('of a wait of %i ms, after %i s, whole seconds are left, and of one that is over nothing', (waitMs, seconds, text) => {
  expect(timeText(seconds, waitMs)).toBe(text);
});
