import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { diagnose } from '../../../src/store/doctor/doctor.ts';
import { purge } from '../../../src/store/purge/purge.ts';
import { searchSessions } from '../../../src/store/search/search-sessions.ts';
import { allRecords } from '../../../src/store/session/peek-session.ts';
import { completeSession, exchangeSession } from '../../../src/sync/fetch.ts';
import { followSession } from '../../../src/sync/live.ts';
import type { SyncTarget } from '../../../src/sync/port.ts';
import { contextOf, user } from '../../support/build.ts';
import { createMemoryHub } from '../../support/memory-target.ts';
import { filesWith, type SyncedHome, syncedHome } from '../../support/synced-homes.ts';
import { said, storeOf, thrownBy, worldOf } from '../store/files/world.ts';
import { recallIn } from '../store/search/recall-world.ts';

const stubOf = (home: SyncedHome, text: string) => {
  const saved = home.store.bodies('s1').save(text);
  if (saved === undefined) throw new Error('unreachable');
  return { toolUseId: 't1', tool: 'read_file', body: saved.ref };
};

/** A session of some segments in a hub, with an old result, a checkpoint that refers to a newer one, and two messages after it. */
async function longSession() {
  const [hub, a] = [createMemoryHub(), syncedHome('laptop')];
  const send = () => a.exchange(hub.as('laptop').target);
  a.write('s1', 'the first words');
  await send();
  const old = stubOf(a, 'an old result\n'.repeat(300));
  const newer = stubOf(a, 'a newer result\n'.repeat(300));
  for (let part = 0; part < 3; part++) {
    const { log } = a.store.sessions.open('s1');
    if (part === 0) log.append({ type: 'title', title: 'nightly' });
    for (let i = 0; i < 10; i++) log.append(said(`part ${part} message ${i} ${'x'.repeat(20_000)}`));
    if (part === 1) log.append({ type: 'message', message: { ...user('look'), stubs: [old] } });
    log.close();
    await send();
  }
  const { log } = a.store.sessions.open('s1');
  log.append(said('before the checkpoint'));
  log.append({ type: 'checkpoint', reason: 'compaction', context: contextOf([{ ...user('kept'), stubs: [newer] }]) });
  log.append(said('after it'));
  log.close();
  a.write('s1', 'the last words');
  await send();
  return { hub, a, old: old.body, newer: newer.body };
}

/** Counts what is read of segments and objects. */
function counted(target: SyncTarget) {
  const read = { bytes: 0 };
  const get: SyncTarget['get'] = async (sha256) => {
    const bytes = await target.get(sha256);
    read.bytes += bytes?.length ?? 0;
    return bytes;
  };
  return {
    read,
    target: {
      ...target,
      get,
      read: async function* (chain: string, from: number) {
        for await (const segment of target.read(chain, from)) {
          read.bytes += segment.bytes.length;
          yield segment;
        }
      },
    },
  };
}

const bringEndTo = async (home: SyncedHome, target: SyncTarget) => {
  const side = home.side();
  return exchangeSession(side, target, side.agreementsWith('t'), 's1', { endFirst: true });
};
const restOf = (home: SyncedHome) => home.side().rest('s1');
const logOf = (home: SyncedHome) => readFileSync(home.log('s1'));

describe('a session that is fetched for its context alone', () => {
  test('is its header, its newest checkpoint, what follows and what these refer to, and opens as the whole', async () => {
    const { hub, a, old, newer } = await longSession();
    const b = syncedHome('runner');
    const { read, target } = counted(hub.as('runner').target);
    expect(await bringEndTo(b, target)).toMatchObject({ received: 1, waiting: new Set() });
    expect(read.bytes).toBeLessThan(statSync(a.log('s1')).size / 10);
    expect(statSync(b.log('s1')).size).toBe(statSync(a.log('s1')).size);
    const opened = [a, b].map(({ store }) => store.sessions.open('s1'));
    for (const { log } of opened) log.close();
    expect(opened[1]?.records).toEqual(opened[0]?.records);
    expect(opened[1]?.warnings).toEqual([]);
    const bodies = b.store.bodies('s1');
    expect([bodies.read(newer) === undefined, bodies.read(old)]).toEqual([false, undefined]);
    expect(diagnose(worldOf({ home: b.home }).world, { sessionId: undefined, repair: false }).findings).toEqual([]);
  });

  test('says where a whole one is needed that the rest is in a hub, and finds what is here', async () => {
    const { hub } = await longSession();
    const b = syncedHome('runner');
    await bringEndTo(b, hub.as('runner').target);
    const refused = { code: 'refused', message: expect.stringContaining('the rest is in a hub') };
    const { disk } = worldOf({ home: b.home });
    expect(thrownBy(() => purge(disk, b.paths, 'the last words'))).toMatchObject(refused);
    expect(thrownBy(() => [...allRecords(b.paths, 's1')])).toMatchObject(refused);
    expect([...searchSessions(b.paths, 'the last words')]).toHaveLength(1);
    expect([...searchSessions(b.paths, 'the first words')]).toEqual([]);
  });

  test('goes on, and is filled in while it is open; then it is the same to the byte', async () => {
    const { hub, a, old } = await longSession();
    const b = syncedHome('runner');
    const { target, leases } = hub.as('runner');
    await bringEndTo(b, target);
    const side = b.side();
    const known = Object(side.agreementsWith('t').read()).logs.s1;
    const live = followSession({ home: side, target, leases, log: 's1', known, onFork: () => expect.fail('a fork') });
    const { log } = b.store.sessions.open('s1');
    log.append(said('on the runner'));
    expect(await live.push()).toBe(true);
    expect(await completeSession(side, target, side.agreementsWith('t'), 's1')).toBe(true);
    log.append(said('and once more'));
    expect(await live.push()).toBe(true);
    log.close();
    await live.release();
    expect(restOf(b)).toBeUndefined();
    expect(b.store.bodies('s1').read(old)).toContain('an old result');
    expect(readFileSync(b.paths.title('s1'), 'utf8')).toBe('nightly');
    await a.exchange(hub.as('laptop').target);
    expect(logOf(a).equals(logOf(b))).toBe(true);
    expect(a.ids()).toEqual(['s1']);
    expect([...searchSessions(b.paths, 'the first words')]).toHaveLength(1);
    expect(diagnose(worldOf({ home: b.home }).world, { sessionId: undefined, repair: false }).findings).toEqual([]);
  });

  test('is fetched as a whole before something in it is looked up, and then found', async () => {
    const { hub } = await longSession();
    const b = syncedHome('runner');
    const { target } = hub.as('runner');
    await bringEndTo(b, target);
    const made = storeOf({ home: b.home });
    const before = recallIn(made);
    expect(await before.refs('words', { beside: { sessionId: 's1', texts: new Set() } })).toHaveLength(1);
    const side = b.side();
    const brought: string[] = [];
    const bringRest = async (id: string): Promise<void> => {
      brought.push(id);
      await completeSession(side, target, side.agreementsWith('t'), id);
    };
    const after = recallIn(made, 'main', undefined, bringRest);
    const [ref = '', ...others] = await after.refs('words', { beside: { sessionId: 's1', texts: new Set() } });
    expect(others).toHaveLength(1);
    expect((await after.open(ref))?.text).toContain('words');
    expect(brought).toEqual(['s1', 's1']);
  });

  test('comes whole with the next exchange, wherever that is killed, and parts from nothing', async () => {
    const { hub, a } = await longSession();
    for (let step = 0; ; step++) {
      const b = syncedHome('runner');
      await bringEndTo(b, hub.as('runner').target);
      let left = step;
      b.faults((point) => {
        if ((point.startsWith('rest') || point.startsWith('body')) && left-- <= 0) throw new Error('killed');
        return undefined;
      });
      const killed = await b.exchange(hub.as('runner').target).then(
        () => false,
        () => true,
      );
      b.faults(undefined);
      const { forks, waiting } = await b.exchange(hub.as('runner').target);
      expect([forks, [...waiting], restOf(b), b.ids()], `step ${step}`).toEqual([[], [], undefined, ['s1']]);
      expect(logOf(b).equals(logOf(a)), `step ${step}`).toBe(true);
      if (!killed) return expect(step).toBeGreaterThan(5);
    }
  });

  test('whose agreement was lost is compared as a whole, and sent nowhere as it is', async () => {
    const { hub, a } = await longSession();
    const b = syncedHome('runner');
    await bringEndTo(b, hub.as('runner').target);
    b.side().agreementsWith('t').write({ logs: {}, purges: [] });
    b.write('s1', 'on the runner');
    // Another target, which has nothing of it.
    const other = createMemoryHub().as('runner').target;
    expect([...(await b.exchange(other)).waiting]).toEqual(['s1']);
    expect((await other.list()).filter(({ chain }) => chain === 's1')).toEqual([]);
    expect(await b.exchange(hub.as('runner').target)).toMatchObject({ forks: [], waiting: new Set() });
    await a.exchange(hub.as('laptop').target);
    expect([a.ids(), logOf(a).equals(logOf(b))]).toEqual([['s1'], true]);
  });

  test('of which something was purged elsewhere meanwhile comes anew, after what was said here', async () => {
    const { hub, a } = await longSession();
    const b = syncedHome('runner');
    await bringEndTo(b, hub.as('runner').target);
    purge(worldOf({ home: a.home }).disk, a.paths, 'the first words');
    await a.exchange(hub.as('laptop').target);
    b.write('s1', 'on the runner');
    await b.exchange(hub.as('runner').target);
    await a.exchange(hub.as('laptop').target);
    expect(restOf(b)).toBeUndefined();
    expect([a.ids(), b.ids()]).toEqual([['s1'], ['s1']]);
    expect(logOf(b).toString()).toMatch(/\[purged\].*on the runner/s);
    expect(logOf(b).equals(logOf(a))).toBe(true);
  });

  test.each([
    ['before the agreement was written down', 'agreements', 0],
    ['while the rest was written into it', 'rest', 0],
    ['before the rest was on disk', 'rest.sync', 0],
    ['before the agreement on the whole was written down', 'agreements', 1],
  ])('and was killed %s comes anew where something was purged elsewhere, after what was said here', async (_, point, times) => {
    const { hub, a } = await longSession();
    const b = syncedHome('runner');
    const { target, leases } = hub.as('runner');
    let left = times;
    const killAt = (): void =>
      b.faults((at) => {
        if (at.startsWith(point) && left-- <= 0) throw new Error('killed');
        return undefined;
      });
    if (point === 'agreements') killAt();
    const begun = bringEndTo(b, target);
    if (point === 'agreements' && times === 0) await expect(begun).rejects.toThrow('killed');
    await begun.catch(() => undefined);
    b.faults(undefined);
    const known = Object(b.side().agreementsWith('t').read()).logs?.s1;
    const live = followSession({ home: b.side(), target, leases, log: 's1', known, onFork: () => expect.fail('a fork') });
    b.write('s1', 'the first words on the runner');
    if (known !== undefined) expect(await live.push()).toBe(true);
    await live.release();
    if (!(point === 'agreements' && times === 0)) {
      killAt();
      await expect(completeSession(b.side(), target, b.side().agreementsWith('t'), 's1')).rejects.toThrow('killed');
      b.faults(undefined);
    }
    await a.exchange(hub.as('laptop').target);
    purge(worldOf({ home: a.home }).disk, a.paths, 'the first words');
    await a.exchange(hub.as('laptop').target);
    b.write('s1', 'and once more');
    b.write('s2', 'the first words are here alone');
    await b.exchange(target);
    await b.exchange(target);
    await a.exchange(hub.as('laptop').target);
    expect(restOf(b)).toBeUndefined();
    expect([a.ids(), b.ids()]).toEqual([
      ['s1', 's2'],
      ['s1', 's2'],
    ]);
    expect(logOf(b).toString()).toMatch(/\[purged\].* on the runner.*and once more/s);
    // What nobody else had when it was purged is new.
    if (known !== undefined) for (const { home } of [a, b]) expect(filesWith(home, 'the first words')).toEqual([]);
    expect(logOf(b).equals(logOf(a))).toBe(true);
  });

  test.each(['a short one', 'one without a checkpoint'])('comes whole where it is %s', async (kind) => {
    const [hub, a, b] = [createMemoryHub(), syncedHome('laptop'), syncedHome('runner')];
    for (let i = 0; i < (kind === 'a short one' ? 1 : 20); i++)
      a.write('s1', `message ${i} ${'x'.repeat(kind === 'a short one' ? 1 : 20_000)}`);
    if (kind === 'a short one') {
      const { log } = a.store.sessions.open('s1');
      log.append({ type: 'checkpoint', reason: 'compaction', context: contextOf([]) });
      log.close();
    }
    await a.exchange(hub.as('laptop').target);
    await bringEndTo(b, hub.as('runner').target);
    expect(logOf(b).equals(logOf(a))).toBe(true);
    expect(existsSync(join(b.paths.session('s1'), 'rest.json'))).toBe(false);
  });
});
