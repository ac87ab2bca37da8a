import { appendFileSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { undoOf } from '../../../../src/context/history/past.ts';
import { actorsOf, type ChangeSet } from '../../../../src/domain/session/change.ts';
import { type Changes, createChanges } from '../../../../src/store/changes/changes.ts';
import { run } from '../../../support/destructive.ts';
import { newFolder, worldOf } from '../files/world.ts';

/** A record over a folder with a file, in a process whose successors `again` is. */
function startedIn({ wide = false }: { readonly wide?: boolean } = {}) {
  const { disk, paths } = worldOf({ now: () => new Date() });
  const folder = join(paths.home, 'changes');
  const root = realpathSync(newFolder());
  const running = new Set<string>();
  const write = (name: string, text: string): void => writeFileSync(join(root, name), text);
  write('kept', 'kept');
  const again = (): Changes =>
    createChanges(disk, {
      ...{ folder, gitConfigs: [], searchPath: process.env.PATH ?? '', notBeyond: wide ? [join(root, 'home')] : [], lookMs: 60_000 },
      caps: { fileBytes: 1 << 20, sessionBytes: 1 << 20 },
      isRunning: (id) => running.has(id),
    });
  let n = 0;
  const by = (title: string, record = 1) => ({ id: `c${++n}`, title, record });
  const told = (sets: readonly (ChangeSet | undefined)[]) =>
    sets.map((set) => set && [actorsOf(set).map(({ title }) => title), set.changes.map(({ path }) => path.slice(root.length + 1))]);
  return { root, write, again, changes: again(), by, told, running, log: join(folder, 'log.jsonl') };
}

describe('two acts at once in one folder', () => {
  test('have what cannot be told apart told as both, and each is told of all that changed while it ran', () => {
    const { changes, root, write, by, told } = startedIn();
    const first = changes.begin(root, by('first'));
    write('a', 'of the first');
    const second = changes.begin(root, by('second'));
    write('b', 'of either');
    const ofFirst = first.end().set;
    write('c', 'of the second');
    const ofSecond = second.end().set;
    expect(told(changes.sets())).toEqual([
      [['first'], ['a']],
      [['first', 'second'], ['b']],
      [['second'], ['c']],
    ]);
    expect(told([ofFirst, ofSecond])).toEqual([
      [
        ['first', 'second'],
        ['a', 'b'],
      ],
      [
        ['second', 'first'],
        ['b', 'c'],
      ],
    ]);
  });

  test('are both unfinished when the process is killed, and both get what they changed with the next act', () => {
    const { changes, again, root, write, by, told } = startedIn();
    changes.begin(root, by('first'));
    changes.begin(root, by('second'));
    const third = changes.begin(root, by('third'));
    third.end();
    write('a', 'x');
    const next = again();
    next.begin(root, by('next')).end();
    expect(told(next.sets())).toEqual([[['first', 'second'], ['a']]]);
    expect(told(next.news(1))).toEqual([
      [['first', 'second'], ['a']],
      [['second', 'first'], ['a']],
    ]);
    expect(next.news(1)).toEqual([]);
    again().begin(root, by('later')).end();
    expect(next.sets()).toHaveLength(1);
  });
});

describe('a command in the background', () => {
  test('has what it changed written down at each later act, when it ends, and when the session is left', () => {
    const { changes, root, write, by, told, running } = startedIn();
    running.add('job-1');
    changes.begin(root, by('serve')).goOn('job-1');
    write('a', 'x');
    const act = changes.begin(root, by('ls'));
    write('b', 'x');
    expect(told([act.end().set])).toEqual([[['ls', 'job-1: serve'], ['b']]]);
    expect(told(changes.news(1))).toEqual([[['job-1: serve'], ['a']]]);
    write('c', 'x');
    running.delete('job-1');
    changes.lookAtJobs(1);
    write('d', 'by a person, after its end');
    expect(told(changes.news(1))).toEqual([[['job-1: serve'], ['c']]]);
    changes.begin(root, by('rm')).end();
    changes.begin(root, by('other')).goOn('job-2');
    write('e', 'x');
    changes.close(1);
    expect(told(changes.sets()).map((set) => set?.[0])).toEqual([
      ['job-1: serve'],
      ['ls', 'job-1: serve'],
      ['job-1: serve'],
      [],
      ['job-2: other'],
    ]);
  });

  test('that outlives the session goes on as its own act in the next process, until it ends', () => {
    const { changes, again, root, write, by, told, running } = startedIn();
    running.add('job-1');
    changes.begin(root, by('serve')).goOn('job-1');
    changes.close(1);
    write('a', 'x');
    const next = again();
    next.begin(root, by('ls')).end();
    write('b', 'x');
    running.delete('job-1');
    next.begin(root, by('pwd')).end();
    write('c', 'x');
    next.begin(root, by('date')).end();
    expect(told(next.sets())).toEqual([
      [['job-1: serve'], ['a']],
      [['job-1: serve'], ['b']],
      [[], ['c']],
    ]);
  });

  test('is undone with a state before what it changed, though it began earlier', () => {
    const { changes, root, write, by, running } = startedIn();
    running.add('job-1');
    changes.begin(root, by('serve', 3)).goOn('job-1');
    write('kept', 'early');
    changes.begin(root, by('ls', 5)).end();
    write('kept', 'late');
    changes.begin(root, by('ls', 9)).end();
    const undone = (from: number) =>
      undoOf(changes.sets(), (set) => actorsOf(set).some(({ record }) => record >= from)).map(({ target }) => target?.size);
    expect([3, 6, 10].map(undone)).toEqual([['kept'.length], ['early'.length], []]);
  });
});

describe('what an act wrote', () => {
  test('is not said to be kept where others changed it before anybody kept it, by the next process too', () => {
    for (const anew of [false, true]) {
      const { changes, again, root, write, by } = startedIn();
      const act = changes.begin(root, by('make'));
      for (const name of ['changed', 'same size', 'gone', 'stays']) write(name, `of the act: ${name.padEnd(9)}`);
      act.end();
      write('changed', 'longer than that of the act');
      write('same size', 'x'.repeat('of the act: same size'.length));
      rmSync(join(root, 'gone'));
      const next = anew ? again() : changes;
      next.begin(root, by('ls')).end();
      const befores = next.sets().flatMap((set) => set.changes.map(({ before }) => before));
      expect(befores.map((before) => [before?.size, before?.holds])).toEqual([
        ...Array.from({ length: 4 }, () => [undefined, undefined]),
        ...Array.from({ length: 3 }, () => ['of the act: same size'.length, undefined]),
      ]);
    }
  });

  test('is kept before the next act, and known as the same where git has it by then', () => {
    for (const anew of [false, true]) {
      const { changes, again, root, write, by } = startedIn();
      for (let i = 0; i < 150; i++) write(`f${i}`, `${i}`);
      run(root, 'git init -q && git add . && git commit -qm one');
      const first = changes.begin(root, by('sed'));
      run(root, "sed -i 's/^/x/' f* && git commit -qam two");
      first.end();
      const next = anew ? again() : changes;
      const second = next.begin(root, by('rm'));
      run(root, 'rm f*');
      second.end();
      expect(next.sets().filter((set) => set.by === undefined)).toEqual([]);
      const undos = undoOf(next.sets(), () => true).filter(({ path }) => path.startsWith(join(root, 'f')));
      expect(undos.map(({ earlier }) => earlier).filter((earlier) => earlier !== undefined)).toEqual([]);
      expect(next.read(undos.map(({ target }) => target)).map((bytes) => bytes?.toString())).toEqual(
        undos.map(({ path }) => path.slice(root.length + 2)),
      );
    }
  });
});

test.each([
  ['that stood there', ['seen'], '["hologram",420,4]'],
  ['that has changed', ['changes'], 'null,["hologram",420,4]'],
  ['that was not looked at', ['uncovered'], '"asleep"'],
])('what only a newer version knows of, %s, is not taken for the doing of an act whose process was killed', (_, [field], known) => {
  const { changes, again, root, write, by, log } = startedIn();
  changes.begin(root, by('serve'));
  changes.close();
  write('new', 'of nobody');
  const set = field === 'changes' ? { n: 1, at: '2026-01-01T00:00:00Z' } : {};
  const line = JSON.stringify({ ...set, root, [field ?? '']: '?' }).replace('"?"', `[[${JSON.stringify(join(root, 'new'))},${known}]]`);
  appendFileSync(log, `${line}\n`);
  const next = again();
  next.begin(root, by('ls')).end();
  expect(undoOf(next.sets(), () => true)).toEqual([]);
});

describe('a folder too wide to look at', () => {
  const wide = () => {
    const all = startedIn({ wide: true });
    mkdirSync(join(all.root, 'home'));
    mkdirSync(join(all.root, 'dir'));
    for (const name of ['a', 'b', 'dir/c']) all.write(name, name);
    return all;
  };

  test('has only what acts name looked at, with all below it, and what was changed before', () => {
    const { changes, again, root, write, by, told } = wide();
    const act = changes.begin(root, by('rm', 1), () => ['a', 'dir', 'new', '..', '.', '/etc/passwd']);
    for (const name of ['a', 'b', 'dir/c', 'new']) write(name, 'changed');
    expect(told([act.end().set])).toEqual([[['rm'], ['a', 'new', 'dir/c']]]);
    write('a', 'by a person');
    const next = again();
    next.begin(root, by('make')).end();
    expect(told(next.sets().slice(1))).toEqual([[[], ['a']]]);
  });

  test('is told once, and comes back as far as it was kept, after a kill too', async () => {
    const { changes, again, root, write, by } = wide();
    const first = changes.begin(root, by('ls'), () => []).end();
    expect([first.isNews, [...first.uncovered]]).toEqual([true, [[root, 'unnamed']]]);
    changes.begin(root, by('rm'), () => ['dir/c']);
    write('dir/c', 'changed');
    const next = again();
    expect(next.begin(root, by('ls')).end().isNews).toBe(false);
    const undos = undoOf(next.sets(), () => true);
    expect(
      await next.restore(
        undos.map(({ path, target }) => ({ path, to: target })),
        root,
        by('restore'),
      ),
    ).toEqual([]);
    expect(readFileSync(join(root, 'dir/c'), 'utf8')).toBe('dir/c');
    expect(next.sets().at(-1)?.by?.title).toBe('restore');
  });

  test('has nothing read behind a link', () => {
    const { changes, root, by } = wide();
    const elsewhere = realpathSync(newFolder());
    writeFileSync(join(elsewhere, 'x'), 'theirs');
    symlinkSync(elsewhere, join(root, 'link'));
    const act = changes.begin(root, by('rm'), () => ['link/x', 'link']);
    writeFileSync(join(elsewhere, 'x'), 'changed');
    expect(act.end().set).toBeUndefined();
  });
});

describe('what is not covered', () => {
  test.runIf(process.platform === 'linux')('is told when it changes, not at each act', () => {
    const { changes, root, by } = startedIn();
    const path = Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff])]);
    const news = () => changes.begin(root, by('ls')).end().isNews;
    expect(news()).toBe(false);
    writeFileSync(path, '');
    expect([news(), news()]).toEqual([true, false]);
    rmSync(path);
    expect([news(), news()]).toEqual([true, false]);
  });

  test('says nothing of folders that a tool makes again', () => {
    const { changes, root, write, by } = startedIn();
    write('package.json', '{}');
    mkdirSync(join(root, 'node_modules'));
    const { isNews, uncovered } = changes.begin(root, by('ls')).end();
    expect([isNews, [...uncovered.values()]]).toEqual([false, ['remade']]);
  });
});
