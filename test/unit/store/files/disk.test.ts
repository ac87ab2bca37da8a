import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFile, writeFileAtomic } from '../../../../src/store/files/atomic-write.ts';
import { ensureFolder, openForAppend, openToRead } from '../../../../src/store/files/disk.ts';
import { storeFailure } from '../../../../src/store/files/failure.ts';
import { rewriteLines } from '../../../../src/store/files/rewrite-lines.ts';
import { resolveHome } from '../../../../src/store/home.ts';
import {
  failing,
  headerOf,
  modeOf,
  namesOf,
  newFolder,
  said,
  storeOf,
  systemError,
  thrownBy,
  type WorldOptions,
  worldOf,
} from './world.ts';

function fileOf(options: WorldOptions = {}) {
  const made = worldOf({ home: newFolder(), ...options });
  const path = join(made.paths.home, 'file');
  return {
    ...made,
    path,
    folder: made.paths.home,
    replace: (text: string) => writeFileAtomic(made.disk, path, Buffer.from(text), { point: 'x' }),
  };
}

describe('replacing a file', () => {
  test('leaves the old one or the new one, and no leftovers, whichever step fails [D-02, D-13, D-19, D-20, D-22]', () => {
    const points: string[] = [];
    fileOf({ at: (point) => void points.push(point) }).replace('new');
    expect(points).toEqual(['x.open', 'x.write', 'x.sync', 'x.rename', 'x.syncFolder', 'x.end']);
    for (const [k, point] of points.entries()) {
      let count = 0;
      const { path, folder, replace } = fileOf({
        at: () => {
          if (count++ === k) throw systemError('EIO');
          return undefined;
        },
      });
      writeFileSync(path, 'old');
      expect(
        thrownBy(() => replace('new')),
        point,
      ).toMatchObject({ code: 'store_failed', message: expect.stringContaining(path), cause: { code: 'EIO' } });
      expect(readFileSync(path, 'utf8'), point).toBe(k <= points.indexOf('x.rename') ? 'old' : 'new');
      expect(namesOf(folder), point).toEqual(['file']);
    }
  });

  test('asks for the rest of a write that took only a part [D-13]', () => {
    const { path, replace } = fileOf({ at: (point) => (point === 'x.write' ? 3 : undefined) });
    replace('0123456789');
    expect(readFileSync(path, 'utf8')).toBe('0123456789');
  });

  test('tries again on Windows while a scanner holds the file, and nowhere else [D-21]', () => {
    const patient = fileOf({ platform: 'win32', at: failing('x.rename', 'EBUSY', 3) });
    patient.replace('new');
    expect(readFileSync(patient.path, 'utf8')).toBe('new');
    const plain = fileOf({ at: failing('x.rename', 'EBUSY', 1) });
    expect(() => plain.replace('new')).toThrow(/Cannot write/);
    expect(existsSync(plain.path)).toBe(false);
  });

  test('does not write through a link planted at its name [S-34, S-37]', () => {
    const { path, replace, folder } = fileOf();
    writeFileSync(`${folder}/victim`, 'safe');
    symlinkSync(`${folder}/victim`, path);
    replace('new');
    expect(readFileSync(`${folder}/victim`, 'utf8')).toBe('safe');
    expect(readFileSync(path, 'utf8')).toBe('new');
  });

  test('makes private files whatever the umask says [S-33]', () => {
    const before = process.umask(0);
    try {
      for (const mask of [0, 0o077, 0o777]) {
        process.umask(mask);
        const { path, replace, disk } = fileOf();
        replace('new');
        ensureFolder(disk, `${disk.home}/a/b`);
        expect([mask, modeOf(path), modeOf(`${disk.home}/a/b`)]).toEqual([mask, '600', '700']);
      }
    } finally {
      process.umask(before);
    }
  });

  test('of one that exists is refused when it must be new', () => {
    const { disk, path } = fileOf();
    expect(createFile(disk, path, Buffer.from('one'), 'x')).toBe(true);
    expect(createFile(disk, path, Buffer.from('two'), 'x')).toBe(false);
    expect(readFileSync(path, 'utf8')).toBe('one');
    expect(namesOf(disk.home)).toEqual(['file']);
  });
});

describe('a failure of the disk', () => {
  test.each([
    ['ENOSPC', 'the disk is full'],
    ['EDQUOT', 'the disk quota is used up'],
    ['EROFS', 'the file system is read-only'],
    ['EFBIG', 'the file would be larger than this account may write'],
    ['EMFILE', 'too many open files'],
    ['EACCES', 'permission denied'],
  ])('%s is told in plain words, with the file and the cause [D-15, D-17, D-29]', (code, words) => {
    const error = storeFailure(systemError(code), 'write', '/somewhere/log.jsonl');
    expect(error.message).toBe(`Cannot write /somewhere/log.jsonl: ${words}`);
    expect(error.cause).toMatchObject({ code });
  });

  test('shows a path without what a terminal would obey [B-15, S-24]', () => {
    expect(storeFailure(systemError('EIO'), 'write', '/x/\u001b[2J\n').message).toMatch(
      /^Cannot write "[^\u001b\n]*": the disk reports a read or write error$/,
    );
  });

  test.each([
    ['a name of 300 letters', 'a'.repeat(300)],
    ['a path of 5,000 letters', 'a/'.repeat(2500)],
    ['a NUL', 'a\0b'],
  ])('for %s is a clear error [B-15]', (_, name) => {
    const { disk, folder } = fileOf();
    expect(thrownBy(() => writeFileAtomic(disk, `${folder}/${name}`, Buffer.from(''), { point: 'x' }))).toMatchObject({
      code: 'store_failed',
    });
  });
});

describe('the home', () => {
  test('is SANBOT_HOME, else .sanbot in the user’s home', () => {
    expect(resolveHome({ SANBOT_HOME: '/x/y/' }, () => '/home/me')).toBe('/x/y');
    for (const none of [{}, { SANBOT_HOME: '' }]) expect(resolveHome(none, () => '/home/me')).toBe('/home/me/.sanbot');
  });

  test.each([
    ['an empty HOME', {}, () => ''],
    ['a relative HOME', {}, () => 'rel'],
    ['a relative SANBOT_HOME', { SANBOT_HOME: './x' }, () => '/home/me'],
    ['a NUL in it', { SANBOT_HOME: '/x\0y' }, () => '/home/me'],
    [
      'a user without any home',
      {},
      () => {
        throw systemError('ENOENT');
      },
    ],
  ])('is refused with %s, and nothing is made [B-21]', (_, env, homedir) => {
    expect(thrownBy(() => resolveHome(env, homedir))).toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining('must be an absolute path'),
    });
  });

  test('is not made before something is written [B8]', async () => {
    const { store, paths } = storeOf();
    expect(store.sessions.list()).toEqual([]);
    expect(store.snapshots.list()).toEqual([]);
    expect(store.memories('main').read('facts')).toBe('');
    expect(store.readText(paths.soul('main'), 100)).toBeUndefined();
    store.events.read({}, () => undefined);
    await store.recover();
    expect(existsSync(paths.home)).toBe(false);
  });

  test('may be a link to another disk [D-32]', () => {
    const folder = newFolder();
    mkdirSync(`${folder}/disk`, { mode: 0o700 });
    symlinkSync(`${folder}/disk`, `${folder}/home`);
    const { store } = storeOf({ home: `${folder}/home` });
    const { log } = store.sessions.create(headerOf('s1'));
    log.append(said('one'));
    log.close();
    expect(realpathSync(`${folder}/home`)).toBe(realpathSync(`${folder}/disk`));
    expect(existsSync(`${folder}/disk/sessions/s1/log.jsonl`)).toBe(true);
  });

  test.each([
    ['a link to nothing [D-34]', (path: string) => symlinkSync(`${path}.gone`, path), 'a link to nothing'],
    ['a file', (path: string) => writeFileSync(path, 'mine'), 'in the way'],
  ])('that is %s is refused and left as it is', (_, put, words) => {
    const { store, paths } = storeOf();
    put(paths.home);
    expect(thrownBy(() => store.sessions.create(headerOf('s1')))).toMatchObject({
      code: 'store_failed',
      message: expect.stringContaining(words),
    });
    expect(existsSync(`${paths.home}.gone`)).toBe(false);
  });

  test('is made with all folders above it, each private and durable, also where another process makes one of them first', () => {
    const points: string[] = [];
    let home = '';
    const { disk } = worldOf({
      home: join(newFolder(), 'a/b/home'),
      at: (point) => {
        points.push(point);
        if (points.length === 1) mkdirSync(join(home, '..'), { recursive: true, mode: 0o700 });
        return undefined;
      },
    });
    home = disk.home;
    ensureFolder(disk, disk.home);
    expect(['..', '../../..', '.'].map((name) => modeOf(join(home, name)))).toEqual(['700', '700', '700']);
    expect(points).toEqual([...Array(3).fill('folder.make'), ...Array(3).fill('folder.syncFolder')]);
  });

  test.each([
    ['EROFS', 'the file system is read-only'],
    ['EACCES', 'permission denied'],
  ])('that cannot be made for %s is told with that reason [D-17]', (code, words) => {
    const { store, paths } = storeOf({ at: failing('folder.make', code) });
    expect(thrownBy(() => store.sessions.create(headerOf('s1')))).toMatchObject({
      code: 'store_failed',
      message: `Cannot make the folder ${paths.home}: ${words}`,
    });
  });

  test('that others can enter is made private, and told; one that is read-only stays so [S-33, D-28]', () => {
    const { disk, told, paths } = worldOf();
    mkdirSync(paths.home);
    chmodSync(paths.home, 0o755);
    ensureFolder(disk, paths.home);
    expect(modeOf(paths.home)).toBe('700');
    expect(told).toHaveLength(1);
    chmodSync(paths.home, 0o500);
    ensureFolder(disk, paths.home);
    expect(modeOf(paths.home)).toBe('500');
    expect(told).toHaveLength(1);
    chmodSync(paths.home, 0o700);
  });
});

test('a log that is a link or a pipe is refused [S-37, B-14]', () => {
  const { disk, path, folder } = fileOf();
  writeFileSync(`${folder}/target`, '');
  symlinkSync(`${folder}/target`, path);
  expect(() => openForAppend(disk, path)).toThrow();
  rmSync(path);
  mkdirSync(path);
  expect(() => openForAppend(disk, path)).toThrow();
});

describe('what killed processes left behind', () => {
  const HOUR = 3_600_000;
  const put = (path: string, ageMs: number) => {
    writeFileSync(path, 'half');
    const time = new Date(Date.now() - ageMs);
    utimesSync(path, time, time);
  };

  test('is swept, what may be in use is not [D-35, I7]', async () => {
    const { store, paths } = storeOf({ now: () => new Date() });
    store.memories('main').add([]);
    const folder = paths.memory('main');
    for (let i = 0; i < 40; i++) put(join(folder, `.facts.md.${process.pid}.${i}.tmp`), 2 * HOUR);
    put(join(folder, `.facts.md.${0x3fffffff}.dead.tmp`), 120_000);
    put(join(folder, `.facts.md.${0x3fffffff}.young.tmp`), 1_000);
    put(join(folder, `.facts.md.${process.pid}.alive.tmp`), 120_000);
    put(join(folder, '.mine.tmp'), 2 * HOUR);
    put(join(folder, 'notes.tmp'), 2 * HOUR);
    await store.recover();
    expect(namesOf(folder).filter((name) => name.endsWith('tmp'))).toEqual(
      [`.facts.md.${0x3fffffff}.young.tmp`, `.facts.md.${process.pid}.alive.tmp`, '.mine.tmp', 'notes.tmp'].sort(),
    );
  });

  test.each(['mcp', 'held', 'context'])('in %s is swept too, since it may hold what a person signed in with', async (name) => {
    const { store, paths } = storeOf({ now: () => new Date() });
    const folder = join(paths.home, name);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    put(join(folder, `.desk.token.json.${0x3fffffff}.dead.tmp`), 2 * HOUR);
    await store.recover();
    expect(namesOf(folder)).toEqual([]);
  });

  test('and a session that was half written or deleted is swept, one that may be at work is not', async () => {
    const { store, paths } = storeOf({ now: () => new Date() });
    store.sessions.create(headerOf('s1')).log.close();
    const left = [`.s2.${0x3fffffff}.a.deleted`, `.s3.${process.pid}.b.deleted`, `.s4.${0x3fffffff}.c.deleted`];
    for (const [i, name] of left.entries()) {
      mkdirSync(join(paths.sessions, name));
      put(join(paths.sessions, name, 'log.jsonl'), 0);
      const time = new Date(Date.now() - (i === 2 ? 1_000 : 120_000));
      utimesSync(join(paths.sessions, name), time, time);
    }
    await store.recover();
    expect(namesOf(paths.sessions)).toEqual([...left.slice(1), 's1'].sort());
  });

  test('of a purge that was killed goes with it, however young, and wherever it is', async () => {
    const { store, paths } = storeOf({ now: () => new Date() });
    store.sessions.create(headerOf('s1')).log.close();
    const staged = join(paths.session('s1'), `.log.jsonl.${0x3fffffff}.a.tmp`);
    const other = join(paths.session('s1'), `.log.jsonl.${0x3ffffffe}.b.tmp`);
    for (const path of [staged, other]) put(path, 1_000);
    writeFileSync(paths.purgeJournal, JSON.stringify({ v: 2, moves: [], removes: [], begun: true, by: 0x3fffffff }), { mode: 0o600 });
    await store.recover();
    expect([staged, other, paths.purgeJournal].map((path) => existsSync(path))).toEqual([false, true, false]);
  });

  test('in a session’s folders is swept when it is opened', () => {
    const { store, paths } = storeOf({ now: () => new Date() });
    store.sessions.create(headerOf('s1')).log.close();
    store.bodies('s1').save('body');
    put(join(paths.session('s1'), '.log.jsonl.1.a.tmp'), 2 * HOUR);
    put(join(paths.offloaded('s1'), '.x.txt.1.b.tmp'), 2 * HOUR);
    mkdirSync(paths.changes('s1'), { mode: 0o700 });
    put(join(paths.changes('s1'), '.base-1.json.1.c.tmp'), 2 * HOUR);
    store.sessions.open('s1').log.close();
    const folders = [paths.session('s1'), paths.offloaded('s1'), paths.changes('s1')];
    expect(folders.flatMap((folder) => namesOf(folder)).filter((name) => name.endsWith('tmp'))).toEqual([]);
  });
});

test('a file that another program writes to before it is whole takes no place [D-20]', () => {
  const { disk, folder, path, replace } = fileOf();
  replace('old');
  const meddle = (point: string): undefined => {
    if (point === 'x.write')
      for (const name of readdirSync(folder).filter((each) => each.endsWith('.tmp'))) truncateSync(join(folder, name), 20);
  };
  for (const write of [writeFileAtomic, (to: typeof disk, name: string, bytes: Buffer) => rewriteLines(to, name, [bytes], 'x')])
    expect(() => write({ ...disk, at: meddle }, path, Buffer.from('new'), { point: 'x' })).toThrow(/did not take all that was written/);
  expect([readdirSync(folder), readFileSync(path, 'utf8')]).toEqual([['file'], 'old']);
});

test('a file is opened to be read only where it is a plain one', () => {
  const { folder, path } = fileOf();
  execFileSync('mkfifo', [path]);
  for (const each of [path, folder]) expect(() => openToRead(each)).toThrow(/not a plain file/);
});
