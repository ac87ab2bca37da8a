import { expect, test } from 'vitest';
import { isReadOnlyCommand } from '../../../../src/context/ledger/outcomes.ts';

const LOOKS = [
  'gh pr view 12',
  'gh run list --json status',
  'gh api repos/me/app',
  'gh api -X GET search/code -q x',
  'cd app && gh pr checks',
];
const CHANGES = [
  ...['gh pr merge 12', 'gh pr create --fill', 'gh issue close 3', 'gh run cancel 5', 'gh repo delete me/app', 'gh pr'],
  ...['gh api -X DELETE repos/me/app', 'gh api --method=POST repos/me/app/forks', 'gh api -XPUT user/starred/me/app'],
  ...['gh api repos/me/app/issues -f title=x', 'gh api repos/me/app/issues --input body.json'],
];

test('a command of gh that only looks is told from one that changes something', () => {
  expect(LOOKS.filter((command) => !isReadOnlyCommand(command))).toEqual([]);
  expect(CHANGES.filter(isReadOnlyCommand)).toEqual([]);
});
