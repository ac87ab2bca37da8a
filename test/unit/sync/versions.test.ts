import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Changes } from '../../../src/store/changes/changes.ts';
import { checkChanges } from '../../../src/store/doctor/check-changes.ts';
import { isVersionsLog } from '../../../src/store/files/paths.ts';
import { purge } from '../../../src/store/purge/purge.ts';
import { run } from '../../support/destructive.ts';
import { readFileLines } from '../../support/file-lines.ts';
import { workFolder } from '../../support/kept-changes.ts';
import { createMemoryTarget } from '../../support/memory-target.ts';
import { stride } from '../../support/runs.ts';
import { carryAll, filesBelow, filesWith, type SyncedHome, settle, syncedHome } from '../../support/synced-homes.ts';
import { newFolder, START, storeOf, systemError } from '../store/files/world.ts';

const SECRET = 'hunter2-long-secret';

/** Two machines on which a folder has the same path, and clocks that never say the same twice. */
function twoHomes() {
  let tick = START.getTime();
  const now = (): number => ++tick;
  const work = workFolder(newFolder());
  return [syncedHome('laptop', now), syncedHome('desktop', now), work] as const;
}

type Work = ReturnType<typeof workFolder>;

/** Says a command in a session and runs it there. */
async function act({ store, write, log }: SyncedHome, work: Work, command: string): Promise<void> {
  write('s1', `run ${command}`);
  const changes = await work.open(store, 's1');
  const running = changes.begin(work.root, { id: command, title: command, record: readFileLines(log('s1')).length - 1 });
  run(work.root, command);
  running.end();
  changes.close();
}

const setsOf = async ({ store }: SyncedHome, work: Work, id = 's1') =>
  (await work.open(store, id)).sets().filter(({ by }) => by !== undefined);

/** What a path held before the first act on it. */
async function former(changes: Changes, path: string): Promise<string | undefined> {
  const change = changes
    .sets()
    .flatMap((set) => set.changes)
    .find((each) => each.path === path);
  return changes.read([change?.before ?? null])[0]?.toString();
}

describe('versions of files', () => {
  test('of commands are found on the other machine, come once, and nothing is noted of what came', async () => {
    const [a, b, work] = twoHomes();
    const path = join(work.root, 'notes.txt');
    writeFileSync(path, 'the first of all');
    await act(a, work, 'printf second > notes.txt');
    await act(a, work, 'rm notes.txt');
    await settle([a, b]);
    const changes = await work.open(b.store, 's1');
    expect((await setsOf(b, work)).map(({ by }) => by?.title)).toEqual((await setsOf(a, work)).map(({ by }) => by?.title));
    expect(await former(changes, path)).toBe('the first of all');
    const problems = await changes.restore([{ path, to: changes.sets().flatMap((set) => set.changes)[0]?.before ?? null }], work.root, {
      ...{ id: 'restore', title: 'restore', record: 2 },
    });
    changes.close();
    expect(problems).toEqual([]);
    expect(readFileSync(path, 'utf8')).toBe('the first of all');
    const names = filesBelow(a.folder);
    rmSync(a.paths.versioned);
    for (const home of [a, b]) rmSync(join(home.paths.versioned, '..', 'with-t.json'), { force: true });
    await a.exchange();
    expect(filesBelow(a.folder)).toEqual(names);
  });

  test('that are noted between two exchanges of one process go along with the second', async () => {
    const [a, b, work] = twoHomes();
    await a.exchange();
    writeFileSync(join(work.root, 'notes.txt'), 'the first of all');
    await act(a, work, 'printf second > notes.txt');
    await a.exchange();
    await act(a, work, 'rm notes.txt');
    await settle([a, b]);
    const changes = await work.open(b.store, 's1');
    expect(changes.read(changes.sets().map((set) => set.changes[0]?.before ?? null)).map(String)).toEqual(['the first of all', 'second']);
  });

  test('that git keeps come as contents', async () => {
    const [a, b, work] = twoHomes();
    const path = join(work.root, 'tracked.txt');
    writeFileSync(path, 'as it was committed');
    run(work.root, 'git init -q && git add . && git -c user.name=n -c user.email=e commit -qm one');
    const blob = run(work.root, 'git rev-parse :tracked.txt').stdout.trim();
    await act(a, work, 'rm tracked.txt');
    // As it is noted once the file is older than the look at it.
    const log = join(a.paths.changes('s1'), 'log.jsonl');
    writeFileSync(log, readFileSync(log, 'utf8').replace(/sha256:[0-9a-f]{64}",1/, `blob:${blob}"`));
    rmSync(join(a.paths.changes('s1'), 'contents-1'), { force: true });
    await settle([a, b]);
    expect(await former(await work.open(b.store, 's1'), path)).toBe('as it was committed');
    expect(existsSync(join(b.paths.changes('s1'), 'git'))).toBe(false);
  });

  test('of a state that parted are with the session that has it, and those of an open session wait', async () => {
    const [a, b, work] = twoHomes();
    const path = join(work.root, 'notes.txt');
    writeFileSync(path, 'together');
    await act(a, work, 'printf laptop > notes.txt');
    await settle([a, b]);
    await act(a, work, 'printf laptop-again > notes.txt');
    await act(b, work, 'printf desktop > notes.txt');
    await settle([a, b]);
    const titles = async (home: SyncedHome) =>
      Object.fromEntries(
        await Promise.all(
          home.ids().map(async (id) => [id.length > 2 ? 'fork' : id, (await setsOf(home, work, id)).map(({ by }) => by?.title)]),
        ),
      );
    const [laptop, again, desktop] = ['', '-again', ''].map((more, i) => `printf ${i === 2 ? 'desktop' : `laptop${more}`} > notes.txt`);
    expect([await titles(a), await titles(b)]).toEqual([
      { s1: [laptop, again], fork: [desktop] },
      { s1: [laptop, desktop], fork: [again] },
    ]);
    const opened = b.store.sessions.open('s1');
    a.write('s1', 'go on');
    await act(a, work, 'rm notes.txt');
    await a.exchange();
    carryAll(a, b);
    expect((await b.exchange()).busy.size).toBeGreaterThan(0);
    opened.log.close();
    await settle([a, b]);
    expect(
      (
        await setsOf(
          b,
          work,
          b.ids().find((id) => id !== 's1'),
        )
      ).map(({ by }) => by?.title),
    ).toEqual([again, 'rm notes.txt']);
  });

  test('that this machine no longer keeps go from what is carried, and stay where they came', async () => {
    const [a, b, work] = twoHomes();
    const path = join(work.root, 'notes.txt');
    writeFileSync(path, 'the first of all');
    await act(a, work, 'printf second > notes.txt');
    await settle([a, b]);
    expect(filesWith(a.folder, 'the first of all')).toHaveLength(1);
    writeFileSync(join(a.paths.changes('s1'), 'log.jsonl'), '{"dropped":1}\n');
    const shared = a.target();
    await a.exchange(shared);
    expect(filesWith(a.folder, 'the first of all')).toEqual([]);
    const c = syncedHome('tablet');
    for (const home of [b, c]) expect(await home.exchange(shared)).toMatchObject({ waiting: new Set() });
    expect(await former(await work.open(b.store, 's1'), path)).toBe('the first of all');
    expect(await former(await work.open(c.store, 's1'), path)).toBeUndefined();
    const { disk, paths } = storeOf({ home: c.home });
    expect(checkChanges({ disk, paths }, 's1')).toEqual([]);
  });

  test('leave only where they may, and are not sent on from there', async () => {
    const [a, b, work] = twoHomes();
    writeFileSync(join(work.root, 'notes.txt'), 'the first of all');
    await act(a, work, 'rm notes.txt');
    const plain = createMemoryTarget();
    await a.exchange(plain, false);
    await settle([a, b]);
    await b.exchange(plain, false);
    expect((await plain.list()).filter(({ chain }) => isVersionsLog(chain))).toEqual([]);
    expect((await a.exchange()).sent).toBe(0);
  });

  test.each([
    ['leave', 0],
    ['come', 1],
  ])('that %s are all there once after an exchange that was killed at any step', async (_, who) => {
    for (let kill = 1, isKilled = true; isKilled; kill += stride) {
      const [a, b, work] = twoHomes();
      writeFileSync(join(work.root, 'notes.txt'), 'the first of all');
      await act(a, work, 'printf second > notes.txt');
      await act(a, work, 'rm notes.txt');
      const shared = a.target();
      const killed = [a, b][who] ?? a;
      if (who === 1) await a.exchange(shared);
      let step = 0;
      isKilled = false;
      killed.faults(() => {
        step += 1;
        isKilled ||= step === kill;
        if (step >= kill) throw systemError('EIO');
        return undefined;
      });
      await killed.exchange(shared).catch(() => undefined);
      killed.faults(undefined);
      for (const home of [a, b]) await home.exchange(shared);
      const sets = await setsOf(b, work);
      expect([kill, sets.map(({ by }) => by?.title)]).toEqual([kill, ['printf second > notes.txt', 'rm notes.txt']]);
      const before = sets.map(({ changes }) => changes[0]?.before ?? null);
      const changes = await work.open(b.store, 's1');
      expect([kill, changes.read(before).map(String)]).toEqual([kill, ['the first of all', 'second']]);
    }
  });
});

describe('a purge', () => {
  test.each([
    ['where it was noted', 0],
    ['where it came', 1],
  ])('%s takes a version with the text from all homes and from what is carried', async (_, where) => {
    const [a, b, work] = twoHomes();
    const homes = [a, b] as const;
    writeFileSync(join(work.root, '.env'), `PASSWORD=${SECRET}`);
    writeFileSync(join(work.root, 'notes.txt'), 'the first of all');
    await act(a, work, 'rm .env notes.txt');
    await settle(homes);
    for (const home of homes) expect([...filesWith(home.home, SECRET), ...filesWith(home.folder, SECRET)]).toHaveLength(2);
    const { disk, paths } = storeOf({ home: homes[where]?.home ?? '' });
    purge(disk, paths, SECRET);
    // What is carried is the same for both: a carrier that brings nothing back.
    const shared = a.target();
    for (const home of where === 0 ? [a, b, a] : [b, a, b]) await home.exchange(shared);
    for (const home of homes) expect(filesWith(home.home, SECRET)).toEqual([]);
    expect(filesWith(a.folder, SECRET)).toEqual([]);
    for (const home of homes) {
      expect(await home.exchange(shared)).toMatchObject({ unpurged: new Set(), waiting: new Set(), replaced: 0, obeyed: 0 });
      const changes = await work.open(home.store, 's1');
      expect(await former(changes, join(work.root, 'notes.txt'))).toBe('the first of all');
      expect(await former(changes, join(work.root, '.env'))).toBeUndefined();
      expect(home.unconfirmed()).toEqual([]);
    }
  });
});

test('a session that is deleted everywhere takes its versions along, also those that another machine noted', async () => {
  const [a, b, work] = twoHomes();
  const shared = a.target();
  writeFileSync(join(work.root, 'notes.txt'), 'kept by the laptop');
  await act(a, work, 'printf "kept by the desktop" > notes.txt');
  for (const home of [a, b]) await home.exchange(shared);
  await act(b, work, 'rm notes.txt');
  for (const home of [b, a]) await home.exchange(shared);
  expect(filesWith(a.folder, 'kept by').length).toBeGreaterThan(1);
  expect(b.remove('s1')).toBe('removed');
  for (const home of [b, a, b]) await home.exchange(shared);
  for (const home of [a, b]) expect([home.ids(), filesWith(home.home, 'kept by')]).toEqual([[], []]);
  expect(filesWith(a.folder, 'kept by')).toEqual([]);
});
