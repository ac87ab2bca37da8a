import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitEnv, gitIn } from './repositories.ts';

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
function history(root: string): void {
  must(root, `git init -q -b main && printf '*.db\\n.env\\nnode_modules/\\n' > .gitignore && git add -A && git commit -qm one`);
  must(root, 'git checkout -qb side && echo side > src/f2.txt && git commit -qam side && git checkout -q main');
  must(root, 'echo main > src/f2.txt && git commit -qam main2 && git tag v1 && echo st >> src/f3.txt && git stash -q');
}

/** What a person has in hand: edits, staged and not, new files, and ignored ones. */
function workInHand(root: string): void {
  must(
    root,
    'echo edit >> src/f4.txt; echo staged >> src/f5.txt; echo new > untracked.txt; mkdir -p data; head -c 3000 /dev/urandom > data/app.db',
  );
  must(root, `echo KEY=1 > .env; chmod 600 .env; mkdir -p node_modules/x; echo '{}' > package.json; echo m > node_modules/x/i.js`);
  if (existsSync(join(root, '.git'))) must(root, 'git add src/f5.txt');
}

function other(root: string, name: string): string {
  const path = `${root}-${name}`;
  mkdirSync(path);
  files(path);
  history(path);
  return path;
}

/** Kinds of working folders, each filled below an empty folder that exists. */
export const folders: Readonly<Record<string, (root: string) => void>> = {
  'a repository': (root) => {
    files(root);
    history(root);
    workInHand(root);
  },
  'no repository': (root) => {
    files(root);
    workInHand(root);
  },
  'a repository that converts line ends': (root) => {
    files(root);
    writeFileSync(join(root, '.gitattributes'), '* text=auto\n*.md text eol=crlf\n');
    history(root);
    workInHand(root);
  },
  'a repository in a repository': (root) => {
    files(root);
    history(root);
    const inner = join(root, 'inner');
    mkdirSync(inner);
    files(inner);
    history(inner);
    workInHand(root);
    workInHand(inner);
  },
  'a repository with a submodule': (root) => {
    files(root);
    history(root);
    const source = other(root, 'source');
    must(root, `git -c protocol.file.allow=always submodule add -q ${source} sub && git commit -qm sub`);
    workInHand(root);
    must(join(root, 'sub'), 'echo x >> src/f1.txt; echo y > new.txt');
  },
  'a linked work tree': (root) => {
    const main = other(root, 'main');
    rmSync(root, { recursive: true });
    must(main, `git worktree add -q ${root} -b linked`);
    workInHand(root);
  },
  'a clone that shares objects': (root) => {
    const main = other(root, 'main');
    rmSync(root, { recursive: true });
    must(main, `git clone -qs ${main} ${root}`);
    must(root, 'git branch side origin/side; git tag -f v1; echo st >> src/f3.txt && git stash -q');
    workInHand(root);
  },
};

const DROP_ALL = 'git reflog expire --expire=now --all; git gc -q --prune=now';

/** Commands that destroy something, as people and models write them. */
export const commands: readonly string[] = [
  ...['git reset --hard', 'git reset --hard HEAD~1', 'git checkout .', 'git checkout -f side', 'git restore .'],
  ...[
    'git restore --staged --worktree .',
    'git clean -fdx',
    'git stash',
    'git stash -u',
    'git stash drop',
    'git stash clear',
    'git stash pop',
  ],
  ...['git rebase side', 'git rebase side; git rebase --abort', 'git merge side', 'git cherry-pick side', 'git revert --no-edit HEAD'],
  ...['git branch -D side', 'git tag -d v1', 'git commit -am x --amend', 'git update-ref -d HEAD', 'git read-tree --empty'],
  ...[DROP_ALL, `git branch -D side; git stash clear; ${DROP_ALL}`, 'git rm -rq src', 'git mv src/f1.txt src/zz.txt'],
  'git filter-branch -f --tree-filter "rm -f src/f1.txt" HEAD',
  'git add -A && git commit -qm all && git reset -q --hard HEAD~1',
  ...['git config user.name other', 'git worktree add -q ../wt side; rm -rf ../wt', 'rm -rf .git'],
  ...['rm -rf src', 'rm untracked.txt', 'rm -rf ./*', 'rm -rf ./* .env .gitignore', 'rm -rf empty', 'rm -rf docs && echo x > docs'],
  ...['mv src/f1.txt src/f2.txt', 'mv src moved', 'cp src/f1.txt src/f2.txt', '> src/f3.txt', 'echo x | tee src/f1.txt'],
  ...["sed -i 's/file/FILE/' src/*.txt", "perl -pi -e 's/file/x/' src/*.txt", 'find . -name "*.txt" -delete'],
  ...['find . -type f -not -path "./.git/*" -delete', 'find . -empty -type d -not -path "./.git/*" -delete'],
  ...['truncate -s 0 src/f6.txt data/app.db', 'dd if=/dev/zero of=data/app.db bs=100 count=1', 'chmod -R 777 .', 'chmod 000 secret.key'],
  ...['ln -sf docs link', 'rm link; mkdir link; echo a > link/b', 'shred -u untracked.txt', 'mkfifo pipe; rm -f src/f1.txt'],
  'tar cf x.tar src && sed -i s/file/A/ src/f1.txt && tar xf x.tar && rm x.tar src/f2.txt',
  `python3 -c "import glob
for name in glob.glob('src/*.txt'): open(name, 'w').write('gone')"`,
  // The same size and the same times as before.
  `touch -r src/f1.txt keep; printf 'FILE 1\\n' | dd of=src/f1.txt conv=notrunc; touch -r keep src/f1.txt; rm keep`,
  'echo a > "新 文件"; rm -rf "src/深 层"',
];

/** Kind, permission bits and contents of all below a folder; what git keeps as objects and folders that a tool makes again left out. */
export function treeOf(root: string): Readonly<Record<string, string>> {
  const tree: Record<string, string> = {};
  const visit = (folder: string): void => {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      const stats = lstatSync(path);
      if (name === 'node_modules' || (name === 'objects' && existsSync(join(folder, 'HEAD')))) continue;
      const mode = (stats.mode & 0o7777).toString(8);
      tree[path.slice(root.length + 1)] = stats.isDirectory()
        ? `folder ${mode}`
        : stats.isSymbolicLink()
          ? `link ${readlinkSync(path)}`
          : `file ${mode} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`;
      if (stats.isDirectory()) visit(path);
    }
  };
  visit(root);
  return tree;
}

/** What git says of a repository; nothing of a folder that is none. Nothing is written for it. */
export function gitFacts(root: string): string {
  if (!existsSync(join(root, '.git'))) return '';
  const git = gitIn(root);
  const ask = (...args: readonly string[]): string => git('--no-optional-locks', ...args);
  const missing = run(root, 'git fsck --full 2>&1').stdout.replace(/^(?:dangling|notice).*\n/gm, '');
  return [missing, ask('for-each-ref'), ask('stash', 'list'), ask('status', '--porcelain'), ask('log', '--oneline', '--all')].join(
    '\n---\n',
  );
}
