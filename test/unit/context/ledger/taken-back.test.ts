import { describe, expect, test } from 'vitest';
import { continueLedger } from '../../../../src/context/ledger/ledger.ts';
import { emptyLedger } from '../../../../src/domain/session/ledger.ts';
import type { Message } from '../../../../src/domain/session/message.ts';
import { answers, calls, says, user } from '../../../support/build.ts';

let serial = 0;
const call = (name: string, input: object, content = 'ok'): readonly Message[] => {
  const id = `t${++serial}`;
  return [calls({ id, name, input }), answers({ id, content })];
};
const edit = (path: string, old_string: string, new_string: string) => call('Edit', { file_path: path, old_string, new_string });
const makes = (path: string) => call('Write', { file_path: path, content: 'x' }, `File created successfully at: ${path}`);
const run = (command: string, content = '') => call('run_command', { command }, content);
const ledgerOf = (messages: readonly Message[], earlier = emptyLedger) =>
  continueLedger(earlier, messages, { bodyOf: () => undefined, bodyPath: () => '' });
const filesOf = (...steps: readonly (readonly Message[])[]) => {
  const { filesModified, filesDeleted = [] } = ledgerOf([user('go'), ...steps.flat()]);
  return [...filesModified, ...filesDeleted.map((path) => `-${path}`)];
};

describe('a file is not among the changed ones', () => {
  test('when each edit of it was reversed', () => {
    expect(filesOf(edit('src/a.ts', 'x', 'y'), edit('src/b.ts', '1', '2'), edit('src/a.ts', 'y', 'x'))).toEqual(['src/b.ts']);
    expect(filesOf(edit('src/a.ts', 'x', 'y'), edit('src/a.ts', 'p', 'q'), edit('src/a.ts', 'y', 'x'))).toEqual(['src/a.ts']);
  });

  test('when git put it back', () => {
    for (const command of ['git checkout -- src/a.ts', 'git restore src/a.ts', 'git checkout .', 'git reset --hard'])
      expect(filesOf(edit('/w/src/a.ts', 'x', 'y'), run(command)), command).toEqual([]);
    expect(filesOf(edit('src/a.ts', 'x', 'y'), edit('src/b.ts', 'x', 'y'), run('git restore src/a.ts'))).toEqual(['src/b.ts']);
  });

  test('when it was stashed, until the stash comes back', () => {
    expect(filesOf(edit('src/a.ts', 'x', 'y'), run('git stash'))).toEqual([]);
    expect(filesOf(edit('src/a.ts', 'x', 'y'), run('git stash'), run('git stash pop'))).toEqual(['src/a.ts']);
  });

  test('when it was made and deleted again', () => {
    expect(filesOf(makes('/w/try.sh'), edit('src/a.ts', 'x', 'y'), run('rm /w/try.sh'))).toEqual(['src/a.ts']);
    expect(filesOf(edit('/w/old.ts', 'x', 'y'), run('rm /w/old.ts'))).toEqual(['-/w/old.ts']);
  });

  test('nor among those that were read, when it is deleted', () => {
    const { filesRead, filesDeleted } = ledgerOf([user('go'), ...call('Read', { file_path: '/w/old.ts' }), ...run('rm /w/old.ts')]);
    expect([filesRead, filesDeleted]).toEqual([[], ['/w/old.ts']]);
  });

  test('after a compaction either', () => {
    const first = ledgerOf([user('go'), ...edit('src/a.ts', 'x', 'y'), ...edit('src/b.ts', 'x', 'y')]);
    expect(ledgerOf([...run('git checkout -- src/a.ts')], first).filesModified).toEqual(['src/b.ts']);
  });
});

describe('a file stays among the changed ones', () => {
  test('when the change was committed before', () => {
    expect(filesOf(edit('src/a.ts', 'x', 'y'), run('git commit -am lamp', '[main 1234567] lamp'), run('git checkout -- src/a.ts'))).toEqual(
      ['src/a.ts'],
    );
    const first = ledgerOf([user('go'), ...edit('src/a.ts', 'x', 'y'), ...run('git commit -am lamp', '[main 1234567] lamp')]);
    expect(ledgerOf([...run('git checkout -- src/a.ts')], first).filesModified).toEqual(['src/a.ts']);
  });

  test('when it was changed again, or by what cannot be followed', () => {
    expect(filesOf(edit('src/a.ts', 'x', 'y'), run('git restore src/a.ts'), edit('src/a.ts', 'x', 'z'))).toEqual(['src/a.ts']);
    expect(filesOf(edit('src/a.ts', 'x', 'y'), run("sed -i 's/p/q/' src/a.ts"), edit('src/a.ts', 'y', 'x'))).toEqual(['src/a.ts']);
  });
});

describe('a decision for work that was taken back', () => {
  const decided = [user("let's use a file for each lamp"), ...edit('src/a.ts', 'x', 'y'), says('Done, each lamp has its file.')];

  test('is none', () => {
    const undo = [user('hm, back to how it was'), ...run('git checkout -- src/a.ts'), says('It is as before.')];
    expect(ledgerOf([...decided, ...undo]).decisions).toEqual([]);
  });

  test('stands while the work does, and others stand too', () => {
    expect(ledgerOf(decided).decisions).toHaveLength(1);
    const other = [user("let's call it the lamp table"), says('The name is set.')];
    const undo = [user('hm, back to how it was'), ...run('git checkout -- src/a.ts'), says('It is as before.')];
    expect(ledgerOf([...other, ...decided, ...undo]).decisions).toEqual(["let's call it the lamp table"]);
  });
});
