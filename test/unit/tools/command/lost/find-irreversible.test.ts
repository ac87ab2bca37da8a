import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lossesOf } from '../../../../../src/context/permission/irreversible/losses.ts';
import { reachOf } from '../../../../../src/store/changes/reach.ts';
import { type Confinement, findIrreversible } from '../../../../../src/tools/command/lost/find-irreversible.ts';
import { parseShell } from '../../../../../src/tools/command/parse-command.ts';
import { afterThisFile } from '../../../../support/clean-up.ts';

const MB = 1_000_000;
const root = realpathSync(mkdtempSync(join(tmpdir(), 'sanbot-lost-')));
const cwd = join(root, '工作 folder');
const userHome = join(root, 'user');
afterThisFile(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, bytes: number | string = 'text'): string {
  const file = path.startsWith('/') ? path : join(cwd, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof bytes === 'string' ? bytes : '');
  // Holes take no room on the disk.
  if (typeof bytes === 'number') truncateSync(file, bytes);
  return file;
}

const git = (...args: readonly string[]): void =>
  void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, stdio: 'ignore' });

mkdirSync(cwd, { recursive: true });
git('init', '-q');
put('.gitignore', '*.iso\n/cache/\n');
put('tracked.bin', 100 * MB);
put('clean.bin', 100 * MB);
put('package.json', '{}');
utimesSync(join(cwd, 'clean.bin'), 1_700_000_000, 1_700_000_000);
git('add', '.');
git('commit', '-qm', 'one');
writeFileSync(join(cwd, 'tracked.bin'), 'changed', { flag: 'r+' });
put('data.sqlite', 2_100 * MB);
put('a.txt');
put('old/dump.sql', 80 * MB);
put('old/notes.md');
put('disk.iso', 700 * MB);
put('cache/model.bin', 90 * MB);
put('node_modules/x/big.node', 200 * MB);
put('.git/objects/pack/pack-0123456789012345678901234567890123456789.pack', 150 * MB);
put('new.txt', 'new');
put('with space/影片.mp4', 300 * MB);
put('docs/影片.mp4', 'a picture');
put(join(root, 'outside', 'letter.txt'), 'Dear');
mkdirSync(join(root, 'outside', 'empty'));
put(join(userHome, 'notes.txt'), 'notes');
symlinkSync(join(root, 'outside'), join(cwd, 'away'));
symlinkSync(join(root, 'outside', 'letter.txt'), join(cwd, 'link.txt'));

// Longer than a name in a tar may be by itself.
const LONG = `cache/${'a long name/'.repeat(8)}${'x'.repeat(60)}.bin`;
put(LONG, 70 * MB);
const packed = join(root, 'packed');
for (const name of ['data.sqlite', 'old/dump.sql', 'old/notes.md', 'letter.txt', LONG]) put(join(packed, 'in', name), 'other');
const pack = (program: string, ...args: readonly string[]): void =>
  void execFileSync(program, args, { cwd: join(packed, 'in'), stdio: 'ignore' });
pack('tar', 'cf', '../all.tar', 'data.sqlite', 'old');
pack('tar', 'czf', '../all.tgz', '.');
pack('tar', 'cf', '../gnu.tar', '--format=gnu', LONG);
pack('tar', 'cf', '../pax.tar', '--format=pax', LONG);
pack('tar', 'cf', '../ustar.tar', '--format=ustar', LONG);
pack('tar', 'cf', '../letter.tar', 'letter.txt');
pack('python3', '-m', 'zipfile', '-c', '../all.zip', 'data.sqlite', 'old', LONG);

type Wish = { readonly confinement?: Confinement; readonly fileBytes?: number; readonly full?: string; readonly startedAt?: number };

async function found(text: string, { confinement = 'none', fileBytes = 64 * 1024 * 1024, full, startedAt }: Wish = {}) {
  const keeps = { isKept: (path: string) => path !== full };
  const reach = async (folder: string) => reachOf(folder, { fileBytes, keeps, gitConfigs: [], notBeyond: [userHome, '/'], home: root });
  const look = { cwd, userHome, env: {}, reachOf: reach, ...(startedAt !== undefined && { startedAt }) };
  return findIrreversible(lossesOf(await parseShell(text)), confinement, look);
}
const told = async (text: string, wish?: Wish): Promise<string | undefined> => (await found(text, wish))?.text.en.replaceAll(root, '/R');

const DATA = 'data.sqlite (2.1 GB)';
const LONG_FILE = `${LONG} (70 MB)`;
const LETTER = '/R/outside/letter.txt (4 B, outside the working folder)';

test('what the record had no room for is named', async () => {
  expect(await told('rm a.txt', { full: join(cwd, 'a.txt') })).toBe('a.txt (4 B)');
  expect(await told('rm a.txt', { full: join(cwd, 'b.txt') })).toBeUndefined();
});

describe('what a command deletes or overwrites and the record does not keep is named', () => {
  test.each([
    ['rm data.sqlite', DATA],
    ['rm -rf ./data.sqlite a.txt', DATA],
    ['rm *.sqlite', DATA],
    ['rm -f "data.sqlite"', DATA],
    ['rm -f $PWD/data.sqlite', DATA],
    ['rm {data,other}.sqlite', DATA],
    ['rm dat?.sqlit[a-f]', DATA],
    ['unlink data.sqlite', DATA],
    ['sudo rm data.sqlite', DATA],
    ['shred -u data.sqlite', DATA],
    ['truncate -s 0 data.sqlite', DATA],
    ['> data.sqlite', DATA],
    [': > data.sqlite', DATA],
    ['echo x >| data.sqlite', DATA],
    ['make &> data.sqlite', DATA],
    ['{ echo a; echo b; } > data.sqlite', DATA],
    ['echo x | tee data.sqlite', DATA],
    ['dd if=/dev/zero of=data.sqlite bs=1M count=1', DATA],
    ['cp a.txt data.sqlite', DATA],
    ['mv -f a.txt data.sqlite', DATA],
    ['install -m 644 a.txt data.sqlite', DATA],
    ['ln -sf a.txt data.sqlite', DATA],
    ['mv docs/影片.mp4 "with space"', 'with space/影片.mp4 (300 MB)'],
    ['cp -t "with space" docs/影片.mp4', 'with space/影片.mp4 (300 MB)'],
    ['cp -r docs/. "with space/"', 'with space/影片.mp4 (300 MB)'],
    ['sed -i s/a/b/ data.sqlite', DATA],
    ["sed -i '' -e s/a/b/ data.sqlite", DATA],
    ["perl -pi -e 's/a/b/' data.sqlite", DATA],
    [`sqlite3 data.sqlite "drop table users"`, DATA],
    ['curl -o data.sqlite http://localhost/x', DATA],
    ['tar czf data.sqlite docs', DATA],
    ['find . -name "*.sqlite" -delete', DATA],
    ["find . -type f -name '*.sqlite' -exec rm -f {} +", DATA],
    ['find old -mtime +30 -delete', 'old/dump.sql (80 MB)'],
    ['rm -rf old', 'old/dump.sql (80 MB)'],
    ['cd old && rm dump.sql', 'old/dump.sql (80 MB)'],
    ['(cd old && ls); rm data.sqlite', DATA],
    ['cd old || exit 1; rm dump.sql', 'old/dump.sql (80 MB)'],
    ['bash -c "cd old; rm dump.sql"', 'old/dump.sql (80 MB)'],
    ['rm -rf "with space"', 'with space/影片.mp4 (300 MB)'],
    ['rm disk.iso && echo ok', 'disk.iso (700 MB)'],
    ['git clean -fdx', `${DATA}, disk.iso (700 MB), with space/影片.mp4 (300 MB), 3 more`],
    ['git clean -ffd', `${DATA}, with space/影片.mp4 (300 MB), old/dump.sql (80 MB)`],
    ['git -C old clean -fdx', 'old/dump.sql (80 MB)'],
    ['git reset --hard', 'tracked.bin (100 MB)'],
    ['git checkout .', 'tracked.bin (100 MB)'],
    ['git checkout -- tracked.bin', 'tracked.bin (100 MB)'],
    ['git restore tracked.bin', 'tracked.bin (100 MB)'],
    ['git checkout -f main', 'tracked.bin (100 MB)'],
    ['git rm -f tracked.bin', 'tracked.bin (100 MB)'],
    ['rm -rf ../outside/letter.txt', LETTER],
    [`rm -rf ${join(root, 'outside')}`, '/R/outside (outside the working folder)'],
    ['rm -rf away/*', LETTER],
    ['echo x > link.txt', LETTER],
    ['echo x > ../outside/letter.txt', LETTER],
    ['rm ~/notes.txt', '/R/user/notes.txt (5 B, outside the working folder)'],
    ['rm -rf $HOME/notes.txt', '/R/user/notes.txt (5 B, outside the working folder)'],
    ['cd && rm notes.txt', '/R/user/notes.txt (5 B, outside the working folder)'],
    ['rsync -a --delete docs/ old/', 'old/dump.sql (80 MB)'],
    ['tar xf ../packed/all.tar', `${DATA}, old/dump.sql (80 MB)`],
    ['tar -xzvf ../packed/all.tgz -C . ./data.sqlite', DATA],
    ['tar --extract --file=../packed/all.tar old/', 'old/dump.sql (80 MB)'],
    ['tar xf ../packed/all.tar --strip-components=1 -C old', 'old/dump.sql (80 MB)'],
    ['tar xf ../packed/gnu.tar', LONG_FILE],
    ['bsdtar -xf ../packed/pax.tar', LONG_FILE],
    ['tar xf ../packed/ustar.tar', LONG_FILE],
    ['cd ../outside && tar xf ../packed/letter.tar', LETTER],
    ['tar x -f ../packed/letter.tar -C ../outside', LETTER],
    ['unzip -oq ../packed/all.zip', `${DATA}, old/dump.sql (80 MB)`],
    ['unzip -o ../packed/all.zip "*.sql" -d .', 'old/dump.sql (80 MB)'],
    ['git push -f; rm data.sqlite', `${DATA}; git push -f changes the remote`],
  ])('%j', async (text, expected) => {
    expect(await told(text)).toBe(expected);
  });

  test('in Chinese too', async () => {
    expect((await found('rm data.sqlite ../outside/letter.txt; git push -f'))?.text.zh.replaceAll(root, '/R')).toBe(
      'data.sqlite（2.1 GB）、/R/outside/letter.txt（4 B，在当前文件夹之外）；git push -f 更改远程仓库',
    );
  });
});

describe('nothing is said of what the record keeps, of what is not there, and of what nobody can know', () => {
  test.each([
    'rm a.txt',
    'rm -rf docs',
    'rm -rf node_modules',
    'rm node_modules/x/big.node',
    'rm clean.bin',
    'rm -rf .git',
    'rm link.txt',
    'rm nothing.bin',
    "rm '*.sqlite'",
    'rm \\*.sqlite',
    'rm "$FILE"',
    'rm $(cat list)',
    'rm ../outside/nothing',
    'rm -rf ../outside/empty',
    'cat data.sqlite',
    'cp data.sqlite copy.sqlite',
    'mv data.sqlite moved.sqlite',
    'mv -n a.txt data.sqlite',
    'cp --backup a.txt data.sqlite',
    'cp data.sqlite data.sqlite',
    'ln -s a.txt data.sqlite',
    'echo x >> data.sqlite',
    'echo x | tee -a data.sqlite',
    'echo x > a.txt 2> /dev/null',
    'sed s/a/b/ data.sqlite',
    'sed -i.bak s/a/b/ data.sqlite',
    'perl -pi.orig -e 1 data.sqlite',
    'truncate -s +1M data.sqlite',
    'sqlite3 data.sqlite "select 1"',
    'chmod -R 600 .',
    "find . -name '*.log' -delete",
    'find . -name "*.sqlite" -print',
    'find . -type d -empty -delete',
    'git clean -n -fdx',
    'git clean -dx',
    'git clean -fd docs',
    'git stash -u',
    'git checkout main',
    'git checkout -b new',
    'git checkout clean.bin',
    'git restore --staged .',
    'git reset --soft HEAD~1',
    'cd somewhere-$X && rm data.sqlite',
    'if true; then cd old; fi; rm data.sqlite',
    'docker exec web sh -c "rm -rf data.sqlite"',
    'bash clean.sh',
    `python3 -c "import os; os.remove('data.sqlite')"`,
    'eval "rm $X"',
    'npm test > log.txt',
    'rsync -a docs/ other/',
    ...['tar xf backup.tar', 'tar xf a.txt', 'tar xf old', 'tar xf -', 'tar tf ../packed/all.tar', 'tar xkf ../packed/all.tar'],
    ...['tar xOf ../packed/all.tar', 'tar xf ../packed/all.tar -C other', 'tar xf ../packed/letter.tar', 'unzip ../packed/all.zip'],
    ...['unzip -o ../packed/all.zip -d other', 'unzip -on ../packed/all.zip', 'unzip -o a.txt'],
  ])('%j', async (text) => {
    expect(await told(text)).toBeUndefined();
  });
});

describe('in the sandbox', () => {
  test('only what lies in the working folder can be lost, and without the network nothing elsewhere', async () => {
    const text = `rm data.sqlite ../outside/letter.txt; git push -f`;
    expect(await told(text, { confinement: 'held' })).toBe(DATA);
    expect(await told(text, { confinement: 'network' })).toBe(`${DATA}; git push -f changes the remote`);
    expect(await told('rm ../outside/letter.txt; git push -f', { confinement: 'held' })).toBeUndefined();
  });
});

describe('where nothing is recorded', () => {
  test('each delete and overwrite of what is there counts', async () => {
    expect(await told('rm a.txt', { fileBytes: 0 })).toBe('a.txt (4 B)');
    expect(await told('echo x > new.txt', { fileBytes: 0 })).toBe('new.txt (3 B)');
    expect(await told('rm -rf node_modules nothing', { fileBytes: 0 })).toBeUndefined();
    expect(await told('git checkout .', { fileBytes: 0 })).toBe('tracked.bin (100 MB)');
  });
});

describe('below the folders for temporary files', () => {
  test('what was made since the start is nobody else’s work', async () => {
    const early = 1_000;
    expect(await told('rm ../outside/letter.txt', { startedAt: early })).toBeUndefined();
    expect(await told('rm -rf ../outside', { startedAt: early })).toBeUndefined();
    expect(await told('rm ../outside/letter.txt', { startedAt: Number.MAX_SAFE_INTEGER })).toBe(LETTER);
  });
});

test('the commands that do it are named, and a redirection is none', async () => {
  const commands = (await found('ls && rm data.sqlite > disk.iso'))?.commands;
  expect(commands?.map((command) => command?.words)).toEqual([['rm', 'data.sqlite'], undefined]);
});
