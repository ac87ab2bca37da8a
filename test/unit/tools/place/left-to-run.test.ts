import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Change, Entry } from '../../../../src/domain/session/change.ts';
import { type LaterPlace, leftToRun } from '../../../../src/tools/place/left-to-run.ts';
import { newFolder } from '../../store/files/world.ts';

function world() {
  const root = join(realpathSync(newFolder()), 'w');
  mkdirSync(root);
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', '-c', 'protocol.file.allow=always', ...args], {
      cwd: root,
      stdio: 'pipe',
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: dirname(root), GIT_CONFIG_NOSYSTEM: '1' },
    });
  const write = (name: string, text = 'x\n'): void => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  /** All that stands there now as new, or only these. */
  const left = (names: readonly string[] = all(root), place: Partial<LaterPlace> = {}): readonly string[] =>
    leftToRun(
      names.map((name): Change => ({ path: join(root, name), before: null, after: entryAt(join(root, name)) })),
      { root, searchPath: '/usr/bin', runFiles: [], gitConfigs: [], gitlinks: [], ...place },
    )
      .map(({ path }) => path.slice(root.length + 1))
      .sort();
  return { root, git, write, left };
}

const all = (folder: string): readonly string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' });

function entryAt(path: string): Entry {
  const stats = lstatSync(path);
  const kind = stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'file';
  return { kind, mode: stats.mode & 0o777, size: stats.size, mtime: 0, ctime: 0, ino: 1 };
}

test('what runs later by its name is found at any depth, also as a link; other files and folders are not', () => {
  const { root, write, left } = world();
  for (const name of ['.envrc', 'a/b/.vscode/tasks.json', 'AGENTS.md', 'sub/package.json', 'src/x.ts', '文件/说明.md']) write(name);
  symlinkSync('elsewhere', join(root, 'conftest.py'));
  mkdirSync(join(root, '.idea'));
  expect(left()).toEqual(['.envrc', 'AGENTS.md', 'a/b/.vscode/tasks.json', 'conftest.py', 'sub/package.json']);
});

test('a repository as git init, commit, worktree and submodule leave it runs nothing', () => {
  const { root, git, write, left } = world();
  git('init', '-q', 'nested');
  git('init', '-q', '--bare', 'bare.git');
  write('nested/a.txt');
  git('-C', 'nested', 'add', '.');
  git('-C', 'nested', 'commit', '-qm', 'one');
  git('-C', 'nested', 'branch', 'fix/config');
  git('-C', 'nested', 'worktree', 'add', '-q', join(root, 'nested/wt'));
  git('-C', 'nested', 'stash');
  git('clone', '-q', '--bare', 'nested', 'copy.git');
  git('clone', '-q', 'nested', 'copy');
  git('init', '-q');
  git('submodule', '--quiet', 'add', './nested', 'mod');
  // These are on the list by their name.
  expect(left()).toEqual(['.gitmodules', 'bare.git/description', 'copy.git/description', 'nested/wt/.git']);
});

test('a repository that would run something is found by what does', () => {
  const { root, git, write, left } = world();
  const configs: Readonly<Record<string, string>> = {
    fsmonitor: '[core]\n\tfsmonitor = ./x\n',
    hooks: '[core]\n\thooksPath = .tools\n',
    include: '[include]\n\tpath = ../x\n',
    filter: '[filter "a"]\n\tclean = x\n',
    alias: '[alias]\n\tst = !x\n',
    ssh: '[core]\n\tsshCommand = x\n',
    pager: '[core]\n\tpager = x\n',
    helper: '[credential]\n\thelper = !x\n',
    driver: '[diff "a"]\n\tcommand = x\n',
    ext: '[remote "origin"]\n\turl = ext::sh -c x\n',
    'one-line': '[core] fsmonitor = x\n',
    dotted: '[core.a]\n\tfsmonitor = x\n',
    continued: '[core]\n\tfsmon\\\nitor = x\n',
    upper: '[CORE]\n\tFSMonitor = x\n',
    return: '[core]\r\n\tbare = false\r\n',
    worktree: '[core]\n\tworktree = /\n',
  };
  for (const [name, text] of Object.entries(configs)) {
    git('init', '-q', name);
    write(`${name}/.git/config`, text);
  }
  git('init', '-q', 'hook');
  write('hook/.git/hooks/post-checkout');
  write('attributes/.git/info/attributes');
  write('other/.git/commondir', '/tmp/x\n');
  write('led/.git', 'gitdir: ../data\n');
  write('data/HEAD', 'ref: refs/heads/x\n');
  write('data/config', configs.alias);
  write('data/objects/a');
  write('data/refs/heads/x');
  mkdirSync(join(root, 'link'));
  symlinkSync('../data', join(root, 'link/.git'));
  expect(left()).toEqual(
    [
      ...Object.keys(configs).map((name) => `${name}/.git/config`),
      ...[
        'attributes/.git/info/attributes',
        'data/HEAD',
        'data/config',
        'data/objects/a',
        'data/refs/heads/x',
        'hook/.git/hooks/post-checkout',
      ],
      ...['led/.git', 'link/.git', 'link/.git/config', 'other/.git/commondir'],
    ].sort(),
  );
  write('.git/index');
  for (const [name, found] of [
    ['alias', true],
    ['hook', true],
    ['none', false],
  ] as const)
    expect(left(['.git/index'], { gitlinks: [join(root, name)] })).toEqual(found ? ['.git/index'] : []);
});

test('a list of what a rebase has to do counts where it names a program', () => {
  const { write, left } = world();
  write('.git/rebase-merge/git-rebase-todo', 'pick 123 one\nfixup 12 two\n# exec is a comment\n');
  write('.git/rebase-merge/done', '');
  expect(left()).toEqual([]);
  write('.git/rebase-merge/git-rebase-todo', 'pick 123 one\n  x touch /tmp/x\n');
  expect(left()).toEqual(['.git/rebase-merge/git-rebase-todo']);
});

test('a way to merge counts where its name leads to a program of the folder', () => {
  const { write, left } = world();
  write('.git/rebase-merge/strategy', 'ort\n');
  write('.git/sequencer/opts', '[options]\n\tno-commit = true\n\tstrategy = recursive\n\tmainline = 1\n');
  expect(left()).toEqual([]);
  write('.git/rebase-merge/strategy', 'a/evil\n');
  write('.git/sequencer/opts', '[options]\n\tstrategy = a/evil\n');
  expect(left()).toEqual(['.git/rebase-merge/strategy', '.git/sequencer/opts']);
  for (const text of ['[options]\n\tstrategy = "a/evil"\n', '[options]strategy=a/evil\n', '[options]\n\tStrategy = a/x\n']) {
    write('.git/sequencer/opts', text);
    expect(left(['.git/sequencer/opts'])).toEqual(['.git/sequencer/opts']);
  }
});

test('a link counts that a name which runs later goes through, whatever stands where it leads', () => {
  const { root, write, left } = world();
  write('x/workflows/ci.yml');
  for (const name of ['.config', '.github', 'spec/support', 'docs', 'src']) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    symlinkSync(join(root, 'x'), join(root, name));
  }
  expect(left(['.config', '.github', 'spec/support', 'docs', 'src'])).toEqual(['.config', '.github', 'docs', 'spec/support']);
});

test('a repository that is made a part counts where its folder cannot be listed, its name is no text, or the index is not understood', () => {
  const { root, git, write, left } = world();
  write('.git/index');
  git('init', '-q', 'nested');
  expect(left(['.git/index'], { gitlinks: [join(root, 'nested')] })).toEqual([]);
  expect(left(['.git/index'], { gitlinks: [join(root, 'nes\uFFFDted')] })).toEqual(['.git/index']);
  expect(left(['.git/index'], { gitlinks: 'unknown' })).toEqual(['.git/index']);
  write('file/.git');
  expect(left(['.git/index'], { gitlinks: [join(root, 'file')] })).toEqual(['.git/index']);
});

test('a work tree that is written in quotes or before a comment lies where git reads it', () => {
  const { git, write, left } = world();
  for (const [name, value] of Object.entries({ quoted: '"/root"', comment: '/etc ;/../../../../..', plain: '../..' })) {
    git('init', '-q', name);
    write(`${name}/.git/config`, `[core]\n\tworktree = ${value}\n`);
  }
  expect(left()).toEqual(['comment/.git/config', 'quoted/.git/config']);
});

test('what the configuration of git names runs later, whatever it is called: hooks, includes, programs, those of a person too', () => {
  const { root, write, left } = world();
  write('.git/config', '[core]\n\thooksPath = .tools\n\tfsmonitor = "scripts/watch.sh --fast"\n[include]\n\tpath = ../shared.cfg\n');
  write('shared.cfg', '[alias]\n\tx = "!./run-me now"\n');
  write('.person', '[core]\n\thooksPath = our-hooks\n');
  for (const name of ['.tools/pre-commit', 'scripts/watch.sh', 'scripts/other.sh', 'run-me', 'our-hooks/deep/x', 'plain']) write(name);
  const names = ['.tools/pre-commit', 'scripts/watch.sh', 'scripts/other.sh', 'run-me', 'our-hooks/deep/x', 'shared.cfg', 'plain'];
  expect(left(names, { gitConfigs: [join(root, '.person')] })).toEqual(
    ['.tools/pre-commit', 'our-hooks/deep/x', 'run-me', 'scripts/watch.sh', 'shared.cfg'].sort(),
  );
});

test('what the settings run and what stands in a folder of PATH count too', () => {
  const { root, write, left } = world();
  for (const name of ['bin/ls', 'bin/deep/x', 'hook.sh', 'ls']) write(name);
  chmodSync(join(root, 'hook.sh'), 0o755);
  const place = { searchPath: `/usr/bin:bin:${join(root, 'bin')}`, runFiles: [join(root, 'hook.sh')] };
  expect(left(undefined, place)).toEqual(['bin/ls', 'hook.sh']);
  expect(left(['ls'], { searchPath: '.:/usr/bin' })).toEqual(['ls']);
});

/** What a change of a folder's names is, each before and after: `-` nothing, `f` a file, `d` a folder, `l` a link. */
function changed(root: string, spelled: Readonly<Record<string, string>>): readonly Change[] {
  const kinds = { f: 'file', d: 'folder', l: 'link' } as const;
  const entry = (letter: string | undefined): Entry | null =>
    letter === 'f' || letter === 'd' || letter === 'l' ? { kind: kinds[letter], mode: 0o644, size: 1, mtime: 0, ctime: 0, ino: 1 } : null;
  return Object.entries(spelled).map(([name, [before, after]]) => ({ path: join(root, name), before: entry(before), after: entry(after) }));
}

test('what was deleted counts where it may have been a guard, and not where all that it was for went with it', () => {
  const { root } = world();
  const found = (spelled: Readonly<Record<string, string>>, place: Partial<LaterPlace> = {}): readonly string[] =>
    leftToRun(changed(root, spelled), { root, searchPath: '/usr/bin', runFiles: [], gitConfigs: [], gitlinks: [], ...place }).map(
      ({ path }) => path.slice(root.length + 1),
    );
  const guards = {
    ...{ 'a/.pre-commit-config.yaml': 'f-', 'a/.husky': 'd-', 'a/.husky/pre-push': 'f-', 'CLAUDE.md': 'l-', 'hook.sh': 'f-' },
    ...{ 'a/.github': 'd-', 'a/.github/workflows': 'd-', 'a/.github/workflows/ci.yml': 'f-', '文件/.envrc': 'f-' },
    ...{ 'a/.git/hooks': 'd-', 'a/.git/hooks/pre-commit': 'f-', 'b/.git/config': 'f-', 'b/.git/info/attributes': 'f-' },
  };
  const files = Object.entries(guards).flatMap(([name, kinds]) => (kinds === 'd-' ? [] : [name]));
  expect(found(guards, { runFiles: [join(root, 'hook.sh')] }).toSorted()).toEqual(files.toSorted());
  const harmless = {
    ...{ 'src/x.ts': 'f-', 'package-lock.json': 'f-', 'node.d/package.json': 'f-', 'a/.git/hooks/pre-commit.sample': 'f-' },
    ...{ old: 'd-', 'old/Makefile': 'f-', 'old/.github': 'd-', 'old/.github/workflows': 'd-', 'old/.github/workflows/ci.yml': 'f-' },
    ...{ 'c/.git': 'd-', 'c/.git/config': 'f-', 'c/.git/hooks': 'd-', 'c/.git/hooks/pre-commit': 'f-' },
    ...{ '.git/worktrees/x': 'd-', '.git/worktrees/x/gitdir': 'f-', '.git/worktrees/x/commondir': 'f-', '.git/index.lock': 'f-' },
    ...{ '.git/refs/heads/config': 'f-', '.git/rebase-merge/git-rebase-todo': 'f-' },
  };
  expect(found(harmless)).toEqual([]);
  expect(found({ '.tools/pre-commit': 'f-' })).toEqual([]);
  mkdirSync(join(root, '.git'));
  writeFileSync(join(root, '.git', 'config'), '[core]\n\thooksPath = .tools\n');
  expect(found({ '.tools/pre-commit': 'f-' })).toEqual(['.tools/pre-commit']);
});

test('a link counts in the place of a folder whose names run later, as does what stands in the place of such a link', () => {
  const { root } = world();
  const found = (spelled: Readonly<Record<string, string>>): readonly string[] =>
    leftToRun(changed(root, spelled), { root, searchPath: '/usr/bin', runFiles: [], gitConfigs: [], gitlinks: [] }).map(({ path }) =>
      path.slice(root.length + 1),
    );
  const links = {
    '.github': '-l',
    'a/.github': 'dl',
    '.vscode': '-l',
    'b/.config': '-l',
    'c/.github': 'll',
    'd/.github': 'ld',
    'CLAUDE.md': 'lf',
  };
  expect(found({ ...links, src: '-l', 'a.txt': '-l', build2: 'dl', 'e/.github': '-d' })).toEqual(Object.keys(links));
  // What was in the folder is read by way of the link from then on.
  expect(found({ sub: 'dl', 'sub/Makefile': 'f-', 'sub/x.ts': 'f-' })).toEqual(['sub', 'sub/Makefile']);
});
