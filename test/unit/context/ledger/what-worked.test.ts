import { describe, expect, test } from 'vitest';
import { showsSuccess } from '../../../../src/context/ledger/error-line.ts';
import type { Message } from '../../../../src/domain/session/message.ts';
import { answers, calls, user } from '../../../support/build.ts';
import { gatherLedger } from '../../../support/ledger.ts';

let serial = 0;
const run = (command: string, content: string, isError = false): readonly Message[] => {
  const id = `t${++serial}`;
  return [calls({ id, name: 'run_command', input: { command } }), answers({ id, content, isError })];
};
const ledgerOf = (...steps: readonly (readonly Message[])[]) =>
  gatherLedger([user('go'), ...steps.flat()], { bodyOf: () => undefined, bodyPath: () => '' });

describe('a command is not said to have worked', () => {
  test.each([
    ['when it prints failed tests', 'npm test', 'exit 0\nTests: 2 failed, 9 passed'],
    ['when only the last part of a pipe ended well', 'npm run deploy | tee log.txt', 'exit 0\nuploading'],
    ['when whatever becomes of it is fine', 'npm run deploy || true', 'exit 0\nuploading'],
    ['when another command came after it', 'npm run deploy; git status', 'exit 0\nuploading'],
    ['when another line came after it', 'npm run deploy\ngit log -1', 'exit 0\nuploading'],
    ['when it may have found nothing to change', "sed -i 's/a/b/' src/a.ts", 'exit 0'],
    ['when what it may have changed has signs of a list in it', "sed -i '' 's/a;b/c|d/g' src/a.ts && sed -i 's/x/y/' b.ts", 'exit 0'],
  ])('%s', (_, command, result) => {
    expect(showsSuccess(command, result)).toBe(false);
    expect(ledgerOf(run(command, result)).done).toEqual([]);
  });

  test('and what failed before is not said to have worked since', () => {
    const { failedCommands, done } = ledgerOf(
      run('npm run deploy', 'exit 1\nError: no key', true),
      run('npm run deploy || true', 'exit 0'),
    );
    expect([failedCommands.length, done]).toEqual([1, []]);
  });
});

describe('a command worked', () => {
  test.each([
    ['by its own status', 'npm run deploy', 'exit 0\nuploading'],
    ['when all before it only prepares it', 'cd app; export CI=1; npm run deploy', 'exit 0\nuploading'],
    ['when each part must have', 'npm run build && npm run deploy', 'exit 0\nuploading'],
    ['when a script stops at the first failure', 'set -e\nnpm run build\nnpm run deploy', 'exit 0\nuploading'],
    ['when its output says so behind a pipe', 'npm test | tail -3', 'exit 0\n9 passed'],
    ['with a semicolon in its words', "git commit -m 'lamp; quay'", 'exit 0'],
  ])('%s', (_, command, result) => {
    expect(ledgerOf(run(command, result)).done).toHaveLength(1);
  });
});
