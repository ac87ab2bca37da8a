import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitEnv } from './repositories.ts';

/** Runs a command line as a person would, whatever it ends with. */
export const run = (cwd: string, command: string) => spawnSync('bash', ['-c', command], { cwd, env: gitEnv, encoding: 'utf8' });

function must(cwd: string, command: string): void {
  const { status, stderr, stdout } = run(cwd, command);
  if (status !== 0) throw new Error(`${command}\n${stdout}${stderr}`);
}

function files(root: string): void {
  for (const folder of ['src/深 层', 'empty/inner', 'docs']) mkdirSync(join(root, folder), { recursive: true });
  for (let i = 0; i < 12; i++) writeFileSync(join(root, `src/f${i}.txt`), `file ${i}\n`.repeat(20));
  writeFileSync(join(root, 'src/深 层/文件 一.md'), '中文\n');
  writeFileSync(join(root, 'docs/a.md'), 'crlf\r\nline\r\n');
  writeFileSync(join(root, 'run.sh'), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(join(root, 'secret.key'), 'k', { mode: 0o600 });
  symlinkSync('src/f1.txt', join(root, 'link'));
}

/** Two branches that conflict, a tag and a stash. */
const HISTORY = [
  `git init -q -b main; printf '*.db*\\n.env\\nnode_modules/\\n' > .gitignore; git add -A; git commit -qm one`,
  'git checkout -qb side; echo side > src/f2.txt; git commit -qam side; git checkout -q main',
  'echo main > src/f2.txt; git commit -qam main2; git tag v1; echo st >> src/f3.txt; git stash -q',
].join('; ');

/** What a person has in hand: edits, staged and not, new files, ignored ones, and a tool in a folder that is made again. */
const WORK_IN_HAND = [
  'echo edit >> src/f4.txt; echo staged >> src/f5.txt; if [ -e .git ]; then git add src/f5.txt; fi',
  'echo new > untracked.txt; mkdir -p data; head -c 3000 /dev/urandom > data/app.db',
  `echo KEY=1 > .env; chmod 600 .env; echo '{}' > package.json; mkdir -p node_modules/.bin`,
  `printf '#!/bin/sh\\nfind . -name "*.md" -exec sed -i "s/^/  /" {} +\\n' > node_modules/.bin/prettier; chmod 755 node_modules/.bin/prettier`,
].join('; ');

function repository(root: string): void {
  files(root);
  must(root, `set -e; ${HISTORY}`);
}

function other(root: string, name: string): string {
  const path = `${root}-${name}`;
  mkdirSync(path);
  repository(path);
  return path;
}

const inHand = (root: string): void => must(root, `set -e; ${WORK_IN_HAND}`);

/** Kinds of working folders, each filled below an empty folder that exists. */
export const folders: Readonly<Record<string, (root: string) => void>> = {
  'a repository': (root) => {
    repository(root);
    inHand(root);
  },
  'no repository': (root) => {
    files(root);
    inHand(root);
  },
  'a repository that converts line ends': (root) => {
    writeFileSync(join(root, '.gitattributes'), '* text=auto\n*.md text eol=crlf\n');
    repository(root);
    inHand(root);
  },
  'a repository in a repository': (root) => {
    const inner = join(root, 'inner');
    mkdirSync(inner);
    repository(root);
    repository(inner);
    inHand(root);
    inHand(inner);
  },
  'a repository with a submodule': (root) => {
    repository(root);
    const source = other(root, 'source');
    must(root, `git -c protocol.file.allow=always submodule add -q "${source}" sub && git commit -qm sub`);
    inHand(root);
    must(join(root, 'sub'), 'echo x >> src/f1.txt; echo y > new.txt');
  },
  'a linked work tree': (root) => {
    const main = other(root, 'main');
    rmSync(root, { recursive: true });
    must(main, `git worktree add -q "${root}" -b linked`);
    inHand(root);
  },
  'a clone that shares objects': (root) => {
    const main = other(root, 'main');
    rmSync(root, { recursive: true });
    must(main, `git clone -qs "${main}" "${root}"`);
    must(root, 'git branch side origin/side; git tag -f v1; echo st >> src/f3.txt && git stash -q');
    inHand(root);
  },
  'a repository of many files with an ignored database': (root) => {
    for (let i = 0; i < 150; i++) {
      const folder = join(root, `lib/${i % 7}`);
      if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `m${i}.txt`), `module ${i}\n`);
    }
    repository(root);
    inHand(root);
    const rows = `d.execute('pragma journal_mode=wal'); d.execute('create table t(x)'); d.executemany('insert into t values(?)', [(i,) for i in range(500)])`;
    must(
      root,
      `rm data/app.db; python3 -c "import sqlite3; d = sqlite3.connect('data/app.db'); ${rows}; d.commit(); import os; os._exit(0)"`,
    );
  },
  '一个 名字 with spaces': (root) => {
    repository(root);
    inHand(root);
  },
};
