import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { uncoveredText } from '../../../../src/context/history/changes-text.ts';
import { undoOf } from '../../../../src/context/history/past.ts';
import type { ChangeSet } from '../../../../src/domain/session/change.ts';
import type { Changes } from '../../../../src/store/changes/changes.ts';
import { openRecord } from '../../../support/change-records.ts';
import { folders, run } from '../../../support/destructive.ts';
import { differences, factsOf, treeOf } from '../../../support/folder-facts.ts';
import { gitIn } from '../../../support/repositories.ts';
import { sampleOf } from '../../../support/runs.ts';
import { newFolder, type WorldOptions, worldOf } from '../files/world.ts';

const CAPS = { fileBytes: 64 << 20, sessionBytes: 512 << 20 };

function changesOf(options: WorldOptions & { readonly caps?: Partial<typeof CAPS> } = {}) {
  const { disk, paths } = worldOf({ now: () => new Date(), ...options });
  const folder = join(paths.home, 'changes');
  const open = (): Changes => openRecord(disk, folder, { caps: { ...CAPS, ...options.caps } });
  return { folder, open, changes: open() };
}

function folderOf(fill: (root: string) => void = () => undefined): string {
  const root = join(realpathSync(newFolder()), 'w');
  mkdirSync(root);
  fill(root);
  lastRoot = root;
  return root;
}

let lastRoot = '';
let calls = 0;
const actor = (title: string) => ({ id: `call-${++calls}`, title, record: calls });

function act(changes: Changes, root: string, command: string) {
  const running = changes.begin(realpathSync(root), actor(command));
  run(root, command);
  return running.end();
}

function undo(changes: Changes, isUndone: (set: ChangeSet) => boolean = () => true) {
  const undos = undoOf(changes.sets(), isUndone);
  const all = undos.map(({ path, target }) => ({ path, to: target }));
  return changes.restore(all, realpathSync(lastRoot), actor('restore'));
}

describe('what a command destroyed', () => {
  const commands = [
    'git reset --hard',
    'git stash -u; git stash drop',
    'git clean -fdx',
    'git branch -D side; git stash clear; git reflog expire --expire=now --all; git gc -q --prune=now',
    'rm -rf ./* .env .git',
    'rm -rf docs && echo x > docs; chmod -R 777 src; ln -sf docs link; echo new > "新 文件"',
  ];
  const names = ['a repository', 'no repository', 'a linked work tree', 'a repository that converts line ends'];

  // Each command first in another kind of folder, and these are what a sample has.
  const rows = commands.flatMap((command, at) => names.map((_, i) => [command, names[(at + i) % names.length] ?? ''] as const));

  test.each(sampleOf(rows))('%j comes back in %s: bytes, permission bits, links, empty folders, refs and stash', async (command, name) => {
    const root = folderOf(folders[name]);
    const { changes } = changesOf();
    const before = factsOf(root);
    const running = changes.begin(realpathSync(root), actor(command));
    expect(treeOf(root)).toEqual(before.tree);
    run(root, command);
    running.end();
    expect(await undo(changes)).toEqual([]);
    expect(differences(before, factsOf(root))).toEqual([]);
  });

  test('comes back after the process that kept it was killed while the command ran, and what the next one did too', async () => {
    const root = folderOf(folders['a repository']);
    const { changes, open } = changesOf();
    const before = treeOf(root);
    changes.begin(root, actor('git reset --hard'));
    run(root, 'git reset --hard; rm untracked.txt');
    const again = open();
    act(again, root, 'rm -rf src');
    expect(again.sets().map(({ by }) => by?.title)).toEqual(['git reset --hard', 'rm -rf src']);
    expect(await undo(open())).toEqual([]);
    expect(treeOf(root)).toEqual(before);
  });

  test('is undone itself as any other act', async () => {
    const root = folderOf(folders['no repository']);
    const { changes } = changesOf();
    act(changes, root, 'rm -rf src; echo x > run.sh');
    const destroyed = treeOf(root);
    await undo(changes);
    const [last] = changes.sets().slice(-1);
    expect(last?.by?.title).toBe('restore');
    expect(await undo(changes, ({ n }) => n === last?.n)).toEqual([]);
    expect(treeOf(root)).toEqual(destroyed);
  });
});

describe('what an act changed', () => {
  test('is told by path, and nothing where it changed nothing or wrote the same again', () => {
    const root = folderOf(folders['a repository']);
    const { changes } = changesOf();
    expect(act(changes, root, 'cat src/f1.txt; cp src/f1.txt t; cat t > src/f1.txt; rm t; touch src/f2.txt').set).toBeUndefined();
    const { set } = act(changes, root, 'echo x >> src/f1.txt; rm src/f2.txt; echo y > new.txt; chmod +x src/f3.txt');
    const kinds = set?.changes.map(({ path, before, after }) => [path.slice(root.length + 1), before?.kind, after?.kind]);
    expect(kinds?.toSorted()).toEqual([
      ['new.txt', undefined, 'file'],
      ['src/f1.txt', 'file', 'file'],
      ['src/f2.txt', 'file', undefined],
      ['src/f3.txt', 'file', 'file'],
    ]);
  });

  test('is told apart from what others changed between two of them', async () => {
    const root = folderOf(folders['no repository']);
    const { changes } = changesOf();
    act(changes, root, 'echo one > a');
    appendFileSync(join(root, 'run.sh'), 'mine\n');
    act(changes, root, 'rm run.sh');
    expect(changes.sets().map(({ by, changes: all }) => [by?.title, all.map(({ path }) => path.slice(root.length + 1))])).toEqual([
      ['echo one > a', ['a']],
      [undefined, ['run.sh']],
      ['rm run.sh', ['run.sh']],
    ]);
    await undo(changes);
    expect(readFileSync(join(root, 'run.sh'), 'utf8')).toBe('#!/bin/sh\nmine\n');
  });

  test('in folders that a tool makes again is not looked at, unless git tracks them', () => {
    const root = folderOf(folders['a repository']);
    const { changes } = changesOf();
    expect([...act(changes, root, 'rm -rf node_modules; mkdir node_modules; echo x > node_modules/y').uncovered]).toEqual([
      [join(root, 'node_modules'), 'remade'],
    ]);
    gitIn(root)('add', '-f', 'node_modules');
    const { set } = act(changes, root, 'echo z > node_modules/y');
    expect(set?.changes.map(({ path }) => path)).toContain(join(root, 'node_modules/y'));
  });

  test('of a file too large to be kept, or beyond what a session keeps, is not claimed to come back', async () => {
    const root = folderOf(folders['no repository']);
    const { changes } = changesOf({ caps: { fileBytes: 2_000, sessionBytes: 1_500 } });
    const { set } = act(changes, root, 'rm -rf data src');
    const heldBy = new Map(set?.changes.map(({ path, before }) => [path.slice(root.length + 1), before?.holds]));
    expect(heldBy.get('data/app.db')).toBe('large');
    expect([...heldBy.values()]).toContain('full');
    const problems = await undo(changes);
    expect(problems.map(({ path }) => path)).toContain(join(root, 'data/app.db'));
  });
});

test('what would not be kept is known before a command deletes it, once it was looked at', () => {
  const root = folderOf((folder) => {
    writeFileSync(join(folder, 'small.txt'), 'x'.repeat(100));
    writeFileSync(join(folder, 'big.txt'), 'y'.repeat(1_000));
  });
  const { changes } = changesOf({ caps: { fileBytes: 2_000, sessionBytes: 4_100 } });
  const kept = () => ['small.txt', 'big.txt', 'new.txt', 'none'].filter((name) => changes.keeps()(join(root, name)));
  expect(kept()).toEqual([]);
  changes.lookAhead([root], [], 1);
  expect(kept()).toEqual(['small.txt', 'big.txt']);
  writeFileSync(join(root, 'new.txt'), 'z'.repeat(100));
  appendFileSync(join(root, 'big.txt'), 'more');
  expect(kept()).toEqual(['small.txt', 'new.txt']);
  writeFileSync(join(root, 'new.txt'), 'z'.repeat(1_900));
  changes.lookAhead([root], [], 1);
  expect(kept()).toEqual(['small.txt', 'big.txt', 'new.txt']);
  writeFileSync(join(root, 'none'), 'n'.repeat(1_000));
  changes.lookAhead([root], [], 1);
  expect(kept()).toEqual(['small.txt', 'big.txt', 'new.txt']);
});

describe('a folder of a stranger', () => {
  test('runs nothing of its own, and nothing outside of it is read or written', async () => {
    const outside = folderOf();
    writeFileSync(join(outside, 'victim'), 'theirs');
    const root = folderOf(folders['a repository']);
    const trap = join(root, 'trap.sh');
    writeFileSync(trap, `#!/bin/sh\necho ran >> ${outside}/ran\ncat\n`, { mode: 0o755 });
    const git = gitIn(root);
    for (const key of ['core.fsmonitor', 'core.hooksPath', 'filter.x.clean', 'filter.x.smudge', 'diff.x.textconv', 'core.pager'])
      git('config', key, trap);
    writeFileSync(join(root, '.gitattributes'), '* filter=x diff=x\n');
    writeFileSync(join(root, '.git', 'objects', 'info', 'alternates'), `${outside}\n`);
    symlinkSync(outside, join(root, 'leads-out'));
    writeFileSync(join(root, 'new\nline'), 'x');
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const deep = Array.from({ length: 400 }, () => 'deep').join('/');
    run(root, `mkdir -p ${deep}`);
    const { changes } = changesOf();
    const running = changes.begin(root, actor('rm'));
    for (const name of ['new\nline', 'leads-out', 'src']) rmSync(join(root, name), { recursive: true });
    running.end();
    expect(await undo(changes)).toEqual([]);
    expect(readFileSync(join(root, 'new\nline'), 'utf8')).toBe('x');
    expect(treeOf(outside)).toEqual({ victim: treeOf(outside).victim });
  });

  test('in which a folder was replaced by a link has nothing written where that leads', async () => {
    const outside = folderOf();
    const root = folderOf(folders['no repository']);
    const { changes } = changesOf();
    act(changes, root, 'rm src/f1.txt');
    run(root, `rm -rf src; ln -s ${outside} src`);
    expect((await undo(changes)).map(({ path }) => path)).toEqual([join(root, 'src/f1.txt')]);
    expect(treeOf(outside)).toEqual({});
  });

  test('whose .git is a link, or a file that leads to a repository that does not know it, has no repository', () => {
    const strangers = folderOf(folders['a repository']);
    for (const make of [
      (root: string) => symlinkSync(join(strangers, '.git'), join(root, '.git')),
      (root: string) => writeFileSync(join(root, '.git'), `gitdir: ${strangers}/.git\n`),
    ]) {
      const root = folderOf();
      writeFileSync(join(root, 'a'), 'a');
      make(root);
      const { changes, folder } = changesOf();
      act(changes, root, 'rm a');
      const paths = changes.sets().flatMap(({ changes: all }) => all.map(({ path }) => path));
      expect(paths).toEqual([join(root, 'a')]);
      expect(readFileSync(join(folder, 'log.jsonl'), 'utf8')).not.toContain(`${strangers}/.git/`);
    }
  });

  test('is told of a repository of its own that does not know it, once, until it does', () => {
    const root = folderOf(folders['a repository']);
    const repository = `${root}-git`;
    run(root, `git init -q --separate-git-dir ${repository}`);
    const { changes } = changesOf();
    const told = () => {
      const { isNews, uncovered } = changes.begin(root, actor('true')).end();
      return isNews ? uncoveredText(uncovered, root).en : undefined;
    };
    expect([told(), told()]).toEqual([expect.stringMatching(/^what commands do to branches.*: .*-git$/), undefined]);
    run(root, `git config core.worktree ${root}`);
    expect(told()).toMatch(/^from now on, everything/);
    act(changes, root, 'git branch -D side');
    expect(
      changes
        .sets()
        .at(-1)
        ?.changes.map(({ path }) => path),
    ).toContain(join(repository, 'refs/heads/side'));
  });
});
