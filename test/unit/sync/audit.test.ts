import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { purge } from '../../../src/store/purge/purge.ts';
import { createMemoryTarget } from '../../support/memory-target.ts';
import { carryAll, filesBelow, filesWith, type SyncedHome, settle, statesOf, syncedHome } from '../../support/synced-homes.ts';
import { START, storeOf } from '../store/files/world.ts';

const SECRET = 'hunter2-long-secret';

/** Clocks that never say the same twice. */
const twoHomes = () => {
  let tick = START.getTime();
  const now = (): number => ++tick;
  return [syncedHome('laptop', now), syncedHome('desktop', now)] as const;
};

const snapshotsOf = ({ store }: SyncedHome, id: string) => store.snapshots.list(id).map((meta) => meta.id);

describe('what a home has of a session beside its log', () => {
  test('lines of the audit log are read on the other machine by time among its own, each once, and come once', async () => {
    const [a, b] = twoHomes();
    a.write('s1', 'hello');
    a.tell('s1', 'one');
    await settle([a, b]);
    b.tell('s1', 'two');
    a.tell('s1', 'three');
    a.tell('s2', 'of a session that was deleted here');
    await settle([a, b]);
    for (const home of [a, b]) expect(home.told('s1')).toEqual(['one', 'two', 'three']);
    expect(b.told('s2')).toEqual([]);
    const names = filesBelow(a.folder);
    rmSync(a.paths.audited);
    await settle([a, b]);
    expect(filesBelow(a.folder)).toEqual(names);
  });

  test('a snapshot is restored on the other machine, with what became of it later, and is sent by one of them', async () => {
    const [a, b] = twoHomes();
    a.write('s1', 'hello');
    const { id } = a.snap('s1', 'what was said before');
    await settle([a, b]);
    const outcome = { at: START.toISOString(), messages: 1, tokensAfter: 3, line: 'went well' };
    a.store.snapshots.recordOutcome(id, outcome);
    await settle([a, b]);
    expect(b.store.snapshots.read(id)).toEqual(a.store.snapshots.read(id));
    expect(b.store.snapshots.read(id)).toMatchObject({ kind: 'found', meta: { outcome } });
    expect(filesBelow(a.folder).filter((name) => name.includes('~s1~'))).toHaveLength(2);
  });

  test('a snapshot that retention took away goes from what is carried, stays where it is, and nobody waits for it', async () => {
    const [a, b] = twoHomes();
    const shared = a.target();
    a.write('s1', 'hello');
    const first = a.snap('s1', 'the first of all');
    for (const home of [a, b]) await home.exchange(shared);
    const second = a.snap('s1', 'the second of all');
    a.store.snapshots.retain({ days: 0, maxBytes: 1, keep: new Set() });
    expect(snapshotsOf(a, 's1')).toEqual([second.id]);
    for (const home of [a, b]) await home.exchange(shared);
    expect(filesWith(a.folder, 'the first of all')).toEqual([]);
    expect(snapshotsOf(b, 's1')).toEqual([first.id, second.id]);
    const c = syncedHome('tablet');
    expect(await c.exchange(shared)).toMatchObject({ waiting: new Set() });
    expect(snapshotsOf(c, 's1')).toEqual([second.id]);
    // What its own retention took of another's is told to nobody.
    b.store.snapshots.retain({ days: 0, maxBytes: 1, keep: new Set() });
    for (const home of [b, a]) await home.exchange(shared);
    expect(filesWith(a.folder, 'the second of all')).not.toEqual([]);
  });

  test('a home that was copied before tells each line once', async () => {
    const [a, b] = twoHomes();
    a.write('s1', 'hello');
    a.tell('s1', 'before the copy');
    a.snap('s1', 'before the copy too');
    cpSync(a.home, b.home, { recursive: true });
    b.tell('s1', 'after it');
    await settle([a, b]);
    for (const home of [a, b]) expect(home.told('s1')).toEqual(['before the copy', 'after it']);
    expect(snapshotsOf(b, 's1')).toHaveLength(1);
  });

  test('a journal that another machine wrote brings no snapshot of another session, and none that is not whole', async () => {
    const [a, b] = twoHomes();
    a.write('s1', 'hello');
    a.write('s2', 'hello');
    const { id } = a.snap('s1', 'of the first session');
    await a.exchange();
    const lines = join(a.paths.journals, 's1~laptop.jsonl');
    const other = join(a.paths.journals, 's2~mallory.jsonl');
    cpSync(lines, other);
    rmSync(lines);
    rmSync(join(a.folder, 'chains', '~s1~laptop'), { recursive: true });
    rmSync(a.paths.snapshotMeta('main', id));
    await a.exchange();
    carryAll(a, b);
    await b.exchange();
    expect(readdirSync(b.paths.journals)).toContain('s2~mallory.jsonl');
    expect(snapshotsOf(b, 's1')).toEqual([]);
  });
});

describe('a purge', () => {
  test.each(['here', 'on the other machine'])('%s takes a text out of audit lines and snapshots everywhere', async (where) => {
    const [a, b] = twoHomes();
    a.write('s1', `the password is ${SECRET}`);
    a.tell('s1', `said ${SECRET}`);
    a.snap('s1', `before: ${SECRET}`);
    await settle([a, b]);
    expect(filesWith(b.folder, SECRET)).toHaveLength(3);
    const { disk, paths } = storeOf({ home: (where === 'here' ? a : b).home });
    purge(disk, paths, SECRET);
    await settle([a, b]);
    for (const home of [a, b]) await home.exchange();
    for (const home of [a, b]) expect([...filesWith(home.home, 'hunter2'), ...filesWith(home.folder, 'hunter2')]).toEqual([]);
    for (const home of [a, b]) expect(home.told('s1')).toEqual(['said [purged]']);
    for (const home of [a, b]) expect(snapshotsOf(home, 's1').map((id) => home.store.snapshots.read(id).kind)).toEqual(['found']);
    expect(filesBelow(a.folder).filter((name) => name.includes('~s1~'))).toHaveLength(1);
    expect(await b.exchange()).toMatchObject({ unpurged: new Set(), waiting: new Set() });
    expect(a.unconfirmed()).toEqual([]);
  });

  test('reaches a text that stands in a snapshot alone', async () => {
    const [a, b] = twoHomes();
    a.write('s1', 'hello');
    a.snap('s1', `before: ${SECRET}`);
    await settle([a, b]);
    const { disk, paths } = storeOf({ home: a.home });
    purge(disk, paths, SECRET);
    await settle([a, b]);
    for (const home of [a, b]) expect([...filesWith(home.home, SECRET), ...filesWith(home.folder, SECRET)]).toEqual([]);
    expect(snapshotsOf(b, 's1').map((id) => b.store.snapshots.read(id).kind)).toEqual(['found']);
  });
});

describe('a session that is deleted everywhere', () => {
  test('takes its audit lines and snapshots with it, also those of which the one that deletes knew nothing', async () => {
    const [a, b] = twoHomes();
    const shared = a.target();
    a.write('s1', 'hello');
    a.tell('s1', 'told by the laptop');
    a.snap('s1', 'kept by the laptop');
    for (const home of [a, b]) await home.exchange(shared);
    b.tell('s1', 'told by the desktop');
    b.snap('s1', 'kept by the desktop');
    await b.exchange(shared);
    expect(a.remove('s1')).toBe('removed');
    expect(await a.exchange(shared)).toMatchObject({ deletedThere: 1 });
    expect(filesWith(a.folder, 'by the laptop')).toEqual([]);
    for (const home of [b, a, b]) await home.exchange(shared);
    for (const home of [a, b]) expect([home.ids(), snapshotsOf(home, 's1')]).toEqual([[], []]);
    for (const text of ['kept by', 'told by']) expect(filesWith(a.folder, text)).toEqual([]);
    expect(a.told('s1')).toEqual(['told by the laptop']);
    for (const home of [a, b]) expect(home.unconfirmed()).toEqual([]);
  });

  test('keeps them where it went on meanwhile', async () => {
    const [a, b] = twoHomes();
    a.write('s1', 'together');
    a.tell('s1', 'told by the laptop');
    a.snap('s1', 'kept by the laptop');
    await settle([a, b]);
    b.write('s1', 'gone on with');
    a.remove('s1');
    await a.exchange();
    carryAll(a, b);
    for (let time = 0; time < 2; time++) expect(await b.exchange()).toMatchObject({ kept: new Set(['s1']), sent: 0 });
    expect(snapshotsOf(b, 's1')).toHaveLength(1);
    expect(b.told('s1')).toEqual(['told by the laptop']);
  });
});

test('an exchange through a target that is as strict as a server brings them too, and leaves nothing to send', async () => {
  const [a, b] = twoHomes();
  const target = createMemoryTarget();
  for (let round = 0; round < 40; round++) a.snap('s1', `state ${round}`);
  a.write('s1', 'hello');
  a.tell('s1', 'told');
  for (const home of [a, b, a]) await home.exchange(target);
  expect(snapshotsOf(b, 's1')).toEqual(snapshotsOf(a, 's1'));
  expect(b.told('s1')).toEqual(['told']);
  const most = (await target.list()).filter(({ chain }) => chain === '~s1~laptop');
  expect(most.length).toBeGreaterThan(1);
  expect(statesOf(b)).toEqual(statesOf(a));
});
