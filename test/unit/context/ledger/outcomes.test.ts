import { expect, test } from 'vitest';
import { continueLedger } from '../../../../src/context/ledger/ledger.ts';
import { isReadOnlyCommand } from '../../../../src/context/ledger/outcomes.ts';
import { emptyLedger } from '../../../../src/domain/session/ledger.ts';
import type { Message } from '../../../../src/domain/session/message.ts';
import { answers, calls } from '../../../support/build.ts';

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

const run = (id: string, command: string, fails = false): readonly Message[] => [
  calls({ id, name: 'run_command', input: { command } }),
  answers({ id, content: fails ? 'src/a.ts(1,2): error TS2304: Cannot find name q.' : 'ok  app 1.2s', isError: fails }),
];

test('a check that failed and works in what is kept is not said to fail, and its cause is known with what repaired it', () => {
  const nowhere = { bodyOf: () => undefined, bodyPath: () => '' };
  const failed = run('a', 'make test:ci 2>&1', true);
  const kept = [...run('b', 'make test:ci 2>&1 | tail -50'), ...run('c', 'npm run docs')];
  const ledger = continueLedger(emptyLedger, failed, { ...nowhere, kept });
  expect(ledger.failedCommands).toEqual([]);
  expect(ledger.done).toEqual([expect.stringMatching(/^`make test:ci 2>&1 \| tail -50` succeeded, after: .*Cannot find name q/)]);
  const next = continueLedger(ledger, kept, nowhere);
  expect(next.done.filter((text) => text.includes('test:ci'))).toEqual(ledger.done);
  const earlier = continueLedger(emptyLedger, failed, nowhere);
  expect(earlier.failedCommands).toHaveLength(1);
  expect(continueLedger(earlier, run('d', 'make lint'), { ...nowhere, kept }).failedCommands).toEqual([]);
  expect(continueLedger(emptyLedger, failed, { ...nowhere, kept: run('e', 'make test:ci', true) }).failedCommands).toHaveLength(1);
});

test('two checks in a row that failed have worked once each of them has, before a compaction or after it', () => {
  const nowhere = { bodyOf: () => undefined, bodyPath: () => '' };
  const failed = run('a', 'npm test && npm run lint', true);
  const failing = (parts: readonly (readonly Message[])[]) =>
    parts.reduce((ledger, part) => continueLedger(ledger, part, nowhere), emptyLedger).failedCommands.map(({ command }) => command);
  const [tests, lint] = [run('b', 'npm test'), run('c', 'npm run lint')];
  expect(failing([[...failed, ...tests]])).toEqual(['npm test && npm run lint']);
  expect(failing([[...failed, ...tests, ...lint]])).toEqual([]);
  expect(failing([failed, [...tests, ...lint]])).toEqual([]);
  expect(failing([[...tests, ...failed, ...lint]])).toEqual(['npm test && npm run lint']);
  expect(failing([[...failed, ...tests, ...run('d', 'npm test', true), ...lint]])).toContain('npm test && npm run lint');
});
