import { expect, test } from 'vitest';
import { visibleCommand } from '../../../../../src/tools/place/visible.ts';

test('a command of a megabyte is shown in time that grows with its length, whatever it consists of', () => {
  // A word of one script was once searched again from each of its letters.
  for (const part of ['1', '_', '\u0430', 'a\u0430', ' ', 'a ', '\n', '\u200b', '\uff41', '1 \u0430'])
    expect(visibleCommand(part.repeat(1_000_000 / part.length)).length).toBeGreaterThan(0);
});
