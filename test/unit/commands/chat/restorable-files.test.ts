import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { actsSince, type RestoreChoice } from '../../../../src/commands/changes/acts.ts';
import { restorableFiles } from '../../../../src/commands/chat/restorable-files.ts';
import type { LogRecord } from '../../../../src/domain/session/record.ts';
import { readVersion } from '../../../../src/store/changes/former-versions.ts';
import { createPaint } from '../../../../src/terminal/text/paint.ts';
import { restoreFiles } from '../../../../src/terminal/views/file-restore.ts';
import type { RestoreWay } from '../../../../src/terminal/views/restorable-file.ts';
import { sha256Hex } from '../../../../src/tools/files/text-file.ts';
import { openRecord } from '../../../support/change-records.ts';
import { run } from '../../../support/destructive.ts';
import { gitIn } from '../../../support/repositories.ts';
import { keepFormerVersion, newFolder, worldOf } from '../../store/files/world.ts';

const FILE_BYTES = 1_000;

/** A folder in which commands and people change files, and a session that undoes what the commands did. */
function world(sessionBytes = 1 << 20) {
  const { disk, paths } = worldOf({ now: () => new Date() });
  const cwd = join(realpathSync(newFolder()), '工作 区');
  mkdirSync(cwd);
  const changes = openRecord(disk, join(paths.home, 'changes'), {
    caps: { fileBytes: FILE_BYTES, sessionBytes },
    former: (sha256) => readVersion(paths, 's1', sha256),
  });
  const keepAsBefore = (text: string): void => keepFormerVersion({ paths }, 's1', Buffer.from(text));
  const records: LogRecord[] = [];
  let record = 1;
  const path = (name: string): string => join(cwd, name);
  const put = (name: string, text: string, mode?: number): void => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
    if (mode !== undefined) chmodSync(path(name), mode);
  };
  const act = (work: string | (() => void)): void => {
    const title = typeof work === 'string' ? work : 'write_file';
    const running = changes.begin(cwd, { id: `call-${record}`, title, record: record++ });
    if (typeof work === 'string') run(cwd, work);
    else work();
    running.end();
  };
  /** What changes while only a command in the background is at work. */
  const meanwhile = (work: () => void): void => {
    const running = changes.begin(cwd, { id: `call-${record}`, title: 'npm run dev', record: record++ });
    running.goOn('job-1');
    work();
    running.end();
  };
  const find = (choice: Partial<RestoreChoice> = {}) =>
    restorableFiles(
      { session: { id: 's1', cwd, lastRecord: record++ }, deps: { disk: { past: () => records } }, changes: async () => changes },
      { environment: { cwd: () => cwd, newId: disk.newId } },
      { ...actsSince(0), ...choice },
    );
  /** Every question answered with yes, and those about what others changed so; without a way, as where nobody is asked. */
  const restoreAll = async (choice?: Partial<RestoreChoice>, way?: RestoreWay): Promise<Record<string, string>> => {
    const outcomes = await restoreFiles(await find(choice), {
      drawing: { paint: createPaint(false), columns: 100 },
      show: () => undefined,
      ask: async () => true,
      choose: async (_, ways, own) => (way !== undefined && ways.some(({ value }) => value === way) ? way : own),
    });
    return Object.fromEntries(outcomes.map(({ name, outcome, why }) => [name, why === undefined ? outcome : `${outcome}: ${why}`]));
  };
  const get = (name: string): string => readFileSync(path(name), 'utf8');
  return {
    cwd,
    changes,
    records,
    keepAsBefore,
    path,
    put,
    get,
    act,
    meanwhile,
    find,
    restoreAll,
    has: (name: string) => existsSync(path(name)),
  };
}

const OLD_RECORD = { type: 'file', n: 2, at: '2026-01-01T00:00:00.000Z', tool: 'edit_file' } as const;
const version = (text: string) => ({ fingerprint: sha256Hex(Buffer.from(text)), bytes: text.length, mode: 0o644, kept: true });

const previews = async ({ files }: Awaited<ReturnType<typeof restorableFiles>>) => Promise.all(files.map(({ preview }) => preview()));

describe('going back with files', () => {
  test.each([
    ['a file', 'rm -rf src; echo x > src'],
    ['a link to where it was moved', 'mv src moved; ln -s moved src'],
    ['a link elsewhere', 'rm -rf src; mkdir other; ln -s other src'],
    ['a link that leads nowhere', 'rm -rf src; ln -s nowhere src'],
    ['a link to itself', 'rm -rf src; ln -s src src'],
  ])('brings back a folder, and all in the folders below it, whose place %s took', async (_, command) => {
    const { put, act, get, has, path, restoreAll } = world();
    put('src/deep/inner/a', 'one\n');
    act(command);
    const outcomes = Object.values(await restoreAll());
    expect(outcomes.filter((outcome) => outcome.startsWith('left'))).toEqual([]);
    expect(lstatSync(path('src')).isDirectory()).toBe(true);
    expect([get('src/deep/inner/a'), has('moved'), has('other')]).toEqual(['one\n', false, false]);
  });

  test('puts back what each held then over many acts, its mode kept, and can itself be undone [P29]', async () => {
    const { put, act, find, get, path, restoreAll } = world();
    put('a.sh', 'one\n', 0o750);
    act('echo two > a.sh');
    act('echo three > a.sh');
    const found = await find();
    expect(found.files).toMatchObject([{ name: 'a.sh', does: 'write', changedSince: false }]);
    expect(await previews(found)).toEqual(['Change of a.sh\n@@ -1,1 +1,1 @@\n-three\n+one']);
    expect(get('a.sh')).toBe('three\n');
    expect(await restoreAll()).toEqual({ 'a.sh': 'restored' });
    expect([get('a.sh'), statSync(path('a.sh')).mode & 0o777]).toEqual(['one\n', 0o750]);
    // Since the two acts there was only the restoring: going back to before that undoes it.
    expect(await restoreAll(actsSince(2))).toEqual({ 'a.sh': 'restored' });
    expect(get('a.sh')).toBe('three\n');
    await restoreAll(actsSince(1));
    expect(get('a.sh')).toBe('two\n');
  });

  test.each([
    ['tar', 'tar cf ../packed -C ../others full more', 'tar xf ../packed'],
    ['zip', 'cd ../others; python3 -m zipfile -c ../packed full more', 'unzip -oq ../packed || python3 -m zipfile -e ../packed .'],
  ])('brings back what a %s is unpacked over, up to the largest file that is kept', async (_, pack, unpack) => {
    const { cwd, put, act, get, restoreAll } = world();
    for (const [name, bytes] of [
      ['full', FILE_BYTES],
      ['more', FILE_BYTES + 1],
    ] as const) {
      put(name, 'x'.repeat(bytes));
      put(`../others/${name}`, 'other');
    }
    run(cwd, pack);
    act(unpack);
    expect([get('full'), get('more')]).toEqual(['other', 'other']);
    expect(await restoreAll()).toEqual({ full: 'restored', more: 'left: what it held then was not kept' });
    expect([get('full').length, get('more')]).toEqual([FILE_BYTES, 'other']);
  });

  test('says of what changed beside a command in the background that a person may have done it', async () => {
    const { put, act, meanwhile, find } = world();
    act('echo one > a');
    meanwhile(() => put('b', 'by hand'));
    expect((await find()).files).toMatchObject([
      { name: 'a', isUnwatched: false },
      { name: 'b', isUnwatched: true, changedSince: false },
    ]);
  });

  test('undoes one act after the other, the newest first', async () => {
    const { put, act, get, restoreAll } = world();
    put('a.txt', 'one');
    act('echo two > a.txt');
    act('echo three > a.txt');
    for (const [number, left] of [
      [2, 'two\n'],
      [1, 'one'],
    ] as const) {
      expect(await restoreAll({ isUndone: (_, n) => n === number })).toEqual({ 'a.txt': 'restored' });
      expect(get('a.txt')).toBe(left);
    }
  });

  test('removes what is new since, and makes again what is gone, with its folder and mode', async () => {
    const { put, act, find, get, has, path, restoreAll } = world();
    put('sub/run.sh', 'old', 0o700);
    act('mkdir new; echo x > new/made.txt; rm -r sub');
    const found = await find();
    expect((await previews(found)).toSorted()).toEqual([
      'Comes back: sub/',
      'Comes back: sub/run.sh\n+old',
      'Remove new/, made since',
      'Remove new/made.txt, made since',
    ]);
    expect(await restoreAll()).toEqual({ sub: 'restored', 'sub/run.sh': 'restored', new: 'removed', 'new/made.txt': 'removed' });
    expect([has('new'), get('sub/run.sh'), statSync(path('sub/run.sh')).mode & 0o777]).toEqual([false, 'old', 0o700]);
    await restoreAll(actsSince(1));
    expect([get('new/made.txt'), has('sub')]).toEqual(['x\n', false]);
  });

  test('leaves what others put into a folder that an act made, and the folder with it', async () => {
    const { put, act, get, restoreAll } = world();
    act('mkdir d; echo x > d/x');
    put('d/theirs', 'theirs');
    expect(await restoreAll()).toEqual({ d: 'left: what others put there stays', 'd/x': 'removed' });
    expect(get('d/theirs')).toBe('theirs');
  });

  test('tells a change of the permission bits, links, and what is no text in a line', async () => {
    const { put, act, find, path, restoreAll } = world();
    put('mode.sh', 'x\n', 0o755);
    put('data.bin', '\0\u0001');
    symlinkSync('mode.sh', path('link'));
    act('chmod 600 mode.sh; ln -sfn data.bin link; printf "\\\\0" > data.bin');
    expect((await previews(await find())).toSorted()).toEqual([
      'Change of data.bin: 1 bytes -> 2 bytes',
      'Change of mode.sh, mode 600 -> 755',
      'Link link -> "mode.sh"',
    ]);
    await restoreAll();
    expect(await find()).toMatchObject({ files: [], unrestorable: [] });
  });

  test('of an act that never happened finds the file as it was', async () => {
    const { put, act, find } = world();
    put('a.txt', 'one');
    act('echo two > a.txt');
    put('a.txt', 'one');
    expect(await find()).toMatchObject({ files: [], unrestorable: [] });
  });

  test('brings back what file tools of an older version noted', async () => {
    const { records, keepAsBefore, path, put, get, restoreAll } = world();
    keepAsBefore('one');
    put('a.txt', 'two');
    records.push({ ...OLD_RECORD, path: path('a.txt'), before: version('one'), after: version('two') });
    expect(await restoreAll()).toEqual({ 'a.txt': 'restored' });
    expect(get('a.txt')).toBe('one');
  });
});

describe('what somebody else changed', () => {
  test('since is left and told where nobody is asked, and nothing that no act touched is [C103, C105, C106, D-46]', async () => {
    const { put, act, find, get, restoreAll } = world();
    put('theirs.txt', 'one\n');
    put('untouched.txt', 'mine');
    act('echo two > theirs.txt; echo new > made.txt');
    put('theirs.txt', 'three, by hand\n');
    put('made.txt', 'kept by hand\n');
    put('untouched.txt', 'changed by hand');
    put('unknown.txt', 'new by hand');
    const found = await find();
    expect(found.files.map(({ name, changedSince }) => [name, changedSince])).toEqual([
      ['made.txt', true],
      ['theirs.txt', true],
    ]);
    expect(await restoreAll()).toEqual({
      'made.txt': 'left: changed since, not by SanBot',
      'theirs.txt': 'left: changed since, not by SanBot',
    });
    expect(['theirs.txt', 'made.txt', 'untouched.txt', 'unknown.txt'].map(get)).toEqual([
      'three, by hand\n',
      'kept by hand\n',
      'changed by hand',
      'new by hand',
    ]);
  });

  test('since is replaced when that is chosen, and even then comes back', async () => {
    const { put, act, get, restoreAll } = world();
    put('theirs.txt', 'one');
    act('echo two > theirs.txt');
    put('theirs.txt', 'three, by hand');
    expect(await restoreAll(undefined, 'restore')).toEqual({ 'theirs.txt': 'restored' });
    expect(get('theirs.txt')).toBe('one');
    await restoreAll(actsSince(1));
    expect(get('theirs.txt')).toBe('three, by hand');
  });

  test('since has its former content beside it when that is chosen, under the first name that is free', async () => {
    const { cwd, put, act, get, restoreAll } = world();
    put('甲 乙.txt', 'one');
    put('甲 乙.txt.before-1', 'an older one');
    act('echo two > "甲 乙.txt"');
    put('甲 乙.txt', 'three, by hand');
    expect(await restoreAll(undefined, 'beside')).toEqual({ '甲 乙.txt': 'left: 甲 乙.txt.before-2 holds what it was' });
    expect(get('甲 乙.txt.before-2')).toBe('one');
    expect(readdirSync(cwd)).toHaveLength(3);
    await restoreAll(actsSince(1));
    expect(readdirSync(cwd)).toHaveLength(2);
  });

  test.each([
    ['comes back where nobody is asked', undefined, 'by hand'],
    ['gives way to what stood before all of that when it is chosen', 'earlier', 'one'],
  ] as const)('between two acts %s', async (_, way, left) => {
    const { put, act, get, restoreAll } = world();
    put('a.txt', 'one');
    act('echo two > a.txt');
    put('a.txt', 'by hand');
    act('echo four > a.txt');
    expect(await restoreAll(undefined, way)).toEqual({ 'a.txt': 'restored' });
    expect(get('a.txt')).toBe(left);
  });

  test('by a later act that is not undone is told with the name of that act', async () => {
    const { put, act, get, restoreAll } = world();
    put('a.txt', 'one');
    act('echo two > a.txt');
    act('echo three > a.txt; echo b > b.txt');
    expect(await restoreAll({ isUndone: (_, number) => number === 1 })).toEqual({
      'a.txt': 'left: changed since by 2, echo three > a.txt; echo b > b.txt',
    });
    expect(await restoreAll({ isUndone: (_, number) => number >= 1, isMeant: (path) => path.endsWith('a.txt') })).toEqual({
      'a.txt': 'restored',
    });
    expect([get('a.txt'), get('b.txt')]).toEqual(['one', 'b\n']);
  });

  test('between the question and the answer is left, whole, and told', async () => {
    const { put, act, get, find } = world();
    put('a.txt', 'one');
    act('echo two > a.txt; echo new > b.txt; echo c > c.txt');
    const { files, restore } = await find();
    put('a.txt', 'meanwhile');
    put('b.txt', 'meanwhile');
    expect((await restore(files)).map(({ path, why }) => [path.split('/').at(-1), why.en])).toEqual([
      ['a.txt', 'changed on disk since it was shown'],
      ['b.txt', 'changed on disk since it was shown'],
    ]);
    expect([get('a.txt'), get('b.txt')]).toEqual(['meanwhile', 'meanwhile']);
  });
});

describe('what cannot be brought back', () => {
  test('is told: what is read-only now, what is reached by a link, and nothing is done through one [C107, S-03]', async () => {
    const { cwd, put, act, find, path, restoreAll } = world();
    for (const name of ['d/link.txt', 'e/in.txt', 'ro.txt']) put(name, 'one');
    const outside = join(dirname(cwd), 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'in.txt'), 'theirs');
    act('for f in d/link.txt e/in.txt ro.txt; do echo two > $f; done');
    rmSync(path('d/link.txt'));
    symlinkSync(join(outside, 'in.txt'), path('d/link.txt'));
    renameSync(path('e'), path('was-e'));
    symlinkSync(outside, path('e'));
    chmodSync(path('ro.txt'), 0o444);
    const { unrestorable } = await find();
    expect(unrestorable.map(({ name, why }) => [name, why.en])).toEqual([
      ['e/in.txt', expect.stringContaining('a link on the way to it leads elsewhere')],
      ['ro.txt', expect.stringContaining('is read-only')],
    ]);
    expect(await restoreAll(undefined, 'restore')).toMatchObject({ 'd/link.txt': 'restored' });
    expect([readFileSync(join(outside, 'in.txt'), 'utf8'), readdirSync(outside)]).toEqual(['theirs', ['in.txt']]);
  });

  test('does not include what an act itself made read-only', async () => {
    const { put, act, path, restoreAll } = world();
    put('d/a.txt', 'one', 0o640);
    act('chmod -R a-w .');
    expect(await restoreAll()).toEqual({ '.': 'restored', d: 'restored', 'd/a.txt': 'restored' });
    expect([path('d'), path('d/a.txt')].map((each) => statSync(each).mode & 0o200)).toEqual([0o200, 0o200]);
  });

  test('is told of what is too large to be kept and would be lost, and it stays unless that is chosen', async () => {
    const { act, put, restoreAll, has, get } = world();
    put('large.bin', 'x'.repeat(FILE_BYTES + 1));
    put('small.txt', 'small\n');
    act('mv large.bin moved.bin; cp moved.bin small.txt');
    const lost = 'left: what it holds now is too large to keep, and would be lost';
    expect(await restoreAll()).toEqual({ 'large.bin': 'left: what it held then was not kept', 'moved.bin': lost, 'small.txt': lost });
    expect(has('moved.bin')).toBe(true);
    await restoreAll({ isMeant: (path) => path.endsWith('small.txt') }, 'restore');
    expect(get('small.txt')).toBe('small\n');
  });

  test('is told of what there is no room to keep, and it stays', async () => {
    const { act, put, restoreAll, get } = world(1_000);
    put('small.txt', 'small\n');
    put('big.txt', 'x'.repeat(999));
    act('mv big.txt moved.txt; rm small.txt');
    expect(await restoreAll()).toEqual({
      'big.txt': 'left: what it held then was not kept',
      'moved.txt': 'left: there is no room to keep what it holds now, which would be lost',
      'small.txt': 'restored',
    });
    expect(get('moved.txt')).toHaveLength(999);
  });

  test('is told of a pipe, which is not made again', async () => {
    const { act, restoreAll, has } = world();
    act('mkfifo pipe');
    act('rm pipe; echo one > one.txt');
    const isSecond: RestoreChoice['isUndone'] = (_, n) => n === 2;
    expect(await restoreAll({ isUndone: isSecond })).toEqual({
      pipe: 'left: it was a pipe, a socket or a device, which is not made again',
      'one.txt': 'removed',
    });
    expect(has('pipe')).toBe(false);
  });

  test('is told of what was too large to be kept, and it stays [D-47, C108]', async () => {
    const { put, act, get, find, restoreAll } = world();
    put('large.txt', 'x'.repeat(FILE_BYTES + 1));
    act('echo small > large.txt');
    expect((await find()).unrestorable).toMatchObject([{ name: 'large.txt', why: { en: 'what it held then was not kept' } }]);
    await restoreAll();
    expect(get('large.txt')).toBe('small\n');
  });
});

describe('a repository', () => {
  test('comes back but for objects that a command wrote into, which are told', async () => {
    const { put, act, restoreAll, cwd } = world();
    const git = gitIn(cwd);
    git('init', '-q', '-b', 'main');
    put('a.txt', 'one\n');
    git('add', '.');
    git('commit', '-qm', 'one');
    const object = git('hash-object', 'a.txt').trim().replace(/^../, '.git/objects/$&/');
    act(`git branch -m other; rm .git/index; chmod g+w .git/objects/??; chmod u+w ${object}; : > ${object}`);
    expect(await restoreAll()).toEqual({ '.git': 'restored', [object]: 'left: what it held then was not kept' });
    expect([git('branch', '--show-current').trim(), git('ls-files').trim()]).toEqual(['main', 'a.txt']);
  });

  test('is one thing: branches and the stash come back together, and not over what others did to it since', async () => {
    const { cwd, put, act, find, restoreAll } = world();
    const git = gitIn(cwd);
    git('init', '-q');
    put('a.txt', 'one');
    git('add', '.');
    git('commit', '-qm', 'one');
    git('branch', 'side');
    act('git branch -q -D side');
    git('status');
    const found = await find();
    expect(found.files).toMatchObject([{ name: '.git', changedSince: false }]);
    expect(await previews(found)).toEqual([
      expect.stringMatching(/^\.git: branches, tags, the stash and the index as they were \(\d+ files?\)$/),
    ]);
    expect(await restoreAll()).toEqual({ '.git': 'restored' });
    expect(git('branch', '--list', 'side')).toContain('side');
    act('git branch -q -D side');
    git('commit', '-q', '--allow-empty', '-m', 'theirs');
    git('branch', 'side');
    expect(await restoreAll()).toEqual({ '.git': 'left: changed since, not by SanBot' });
    expect(git('log', 'side', '--format=%s')).toContain('theirs');
  });
});

describe('a file outside of the working folder', () => {
  test('is restored as an act that can be undone, though no look at the folder sees it', async () => {
    const { cwd, records, keepAsBefore, restoreAll } = world();
    const outside = join(dirname(cwd), 'outside.txt');
    writeFileSync(outside, 'two');
    keepAsBefore('one');
    records.push({ ...OLD_RECORD, path: outside, before: version('one'), after: version('two') });
    expect(await restoreAll()).toEqual({ [outside]: 'restored' });
    expect(readFileSync(outside, 'utf8')).toBe('one');
    expect(await restoreAll({ isUndone: ({ by }) => by?.title === 'Files restored' })).toEqual({ [outside]: 'restored' });
    expect(readFileSync(outside, 'utf8')).toBe('two');
  });
});
