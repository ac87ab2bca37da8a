import { expect, test } from 'vitest';
import { planItems } from '../../../../src/context/history/notices.ts';

const textsOf = (plan: string): readonly string[] => planItems(plan).map(({ text }) => text);

test.each([
  [
    'numbered steps, whatever bullets stand around them',
    '# Plan\n\n- a risk\n\n1. **Read** `a.ts`\n   - a detail\n2) change it\n',
    ['Read a.ts', 'change it'],
  ],
  ['boxes to tick', '- [ ] one\n- [x] two\n1. not this\n', ['one', 'two']],
  ['headings with numbers', '## Step 1: look\ntext\n## Step 2: change\n- a\n', ['look', 'change']],
  ['headings in Chinese', '## 第一步：读取\n文字\n## 第二步：修改\n', ['读取', '修改']],
  ['bullets where nothing is numbered', '# Plan\n* one\n* two\n  * nested\n', ['one', 'two']],
  ['code, which is no step', 'Do it.\n```\n1. not this\n```\n- this\n', ['this']],
  ['nothing of the kind: the whole plan is one step', '\nJust rename it.\nThen stop.\n', ['Just rename it.']],
])('the steps of a plan: %s', (_, plan, steps) => {
  expect(textsOf(plan)).toEqual(steps);
});

test('a list never has more than a task list may, in items and in characters', () => {
  expect(textsOf(Array.from({ length: 50 }, (_, n) => `${n + 1}. step`).join('\n'))).toHaveLength(30);
  const long = textsOf(Array.from({ length: 20 }, (_, n) => `${n + 1}. ${'word '.repeat(60)}`).join('\n'));
  expect(long.join('').length).toBeLessThanOrEqual(2_000);
  expect(long.length).toBeGreaterThan(5);
});
