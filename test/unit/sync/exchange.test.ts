import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { user } from '../../support/build.ts';
import { createMemoryTarget } from '../../support/memory-target.ts';
import { carryAll, carryFile, filesBelow, settle, statesOf, syncedHome } from '../../support/synced-homes.ts';
import { START } from '../store/files/world.ts';

const twoHomes = () => [syncedHome('laptop'), syncedHome('desktop')] as const;

describe('two homes and a folder', () => {
  test('a session that was written here is there after an exchange on both sides, to the byte, and goes on there', async () => {
    const [a, b] = twoHomes();
    a.write('s1', 'hello');
    expect(await a.exchange()).toMatchObject({ sent: 1, received: 0 });
    expect(await a.exchange()).toMatchObject({ sent: 0, received: 0 });
    carryAll(a, b);
    expect(await b.exchange()).toMatchObject({ sent: 0, received: 1, forks: [] });
    expect(statesOf(b)).toEqual(statesOf(a));
    // It was used when it was written, not when it came.
    expect(b.store.sessions.list().map(({ updatedAt }) => updatedAt)).toEqual([START.toISOString()]);
    b.write('s1', 'from the other machine');
    await b.exchange();
    carryAll(b, a);
    expect(await a.exchange()).toMatchObject({ received: 1, forks: [] });
    expect(a.store.sessions.list().map(({ updatedAt }) => updatedAt)).toEqual([START.toISOString()]);
    expect(a.ids()).toEqual(['s1']);
    expect(statesOf(a)[0]).toContain('from the other machine');
  });

  test('a session that went on on both stays as it is on each, and each gets that of the other as a fork that says where it parted', async () => {
    const [a, b] = twoHomes();
    a.write('s1', 'together');
    await settle([a, b]);
    a.write('s1', 'on the laptop');
    b.write('s1', 'on the desktop');
    await a.exchange();
    carryAll(a, b);
    const { forks } = await b.exchange();
    expect(forks).toEqual([{ session: expect.stringMatching(/^s1-[0-9a-f]{8}$/), of: 's1', writer: 'laptop', first: 2 }]);
    await settle([a, b]);
    for (const [home, own] of [
      [a, 'on the laptop'],
      [b, 'on the desktop'],
    ] as const) {
      expect(home.ids()).toHaveLength(2);
      expect(statesOf({ ...home, ids: () => ['s1'] })[0]).toContain(own);
      expect(home.store.sessions.open(home.ids()[1] ?? '').header).toMatchObject({ parent: 's1' });
    }
    expect(statesOf(a)).toEqual(statesOf(b));
  });

  test('a fork that is continued where it was brought comes back to the session it is', async () => {
    const [a, b] = twoHomes();
    a.write('s1', 'together');
    await settle([a, b]);
    a.write('s1', 'on the laptop');
    b.write('s1', 'on the desktop');
    await settle([a, b]);
    b.write(b.ids()[1] ?? '', 'the laptop state, gone on with');
    await settle([a, b]);
    expect(a.ids()).toHaveLength(2);
    expect(statesOf({ ...a, ids: () => ['s1'] })[0]).toContain('gone on with');
    expect(statesOf(a)).toEqual(statesOf(b));
  });

  test('bodies come before the lines that name them, and are found by the path that the other machine wrote', async () => {
    const [a, b] = twoHomes();
    a.write('s1', 'hello');
    const saved = a.store.bodies('s1').save('a large result');
    if (saved === undefined) throw new Error('not saved');
    const { log } = a.store.sessions.open('s1');
    const stub = { toolUseId: 't1', tool: 'read_file', body: saved.ref };
    log.append({ type: 'message', message: { ...user('x'), stubs: [stub] } });
    log.close();
    await a.exchange();
    const [chains, objects] = [filesBelow(a.folder).filter((name) => name.startsWith('chains')), filesBelow(a.folder)];
    for (const name of chains) carryFile(a.folder, b.folder, name);
    expect([...(await b.exchange()).waiting]).toEqual(['s1']);
    expect(b.ids()).toEqual([]);
    for (const name of objects) carryFile(a.folder, b.folder, name);
    await b.exchange();
    expect(b.store.bodies('s1').readPath(saved.path)).toBe('a large result');
    expect(statesOf(b)).toEqual(statesOf(a));
  });

  test('what a carrier has brought in part is waited for, and nothing is sent in its place', async () => {
    const [a, b] = twoHomes();
    a.write('s1', 'hello');
    await a.exchange();
    const [name = ''] = filesBelow(a.folder);
    carryFile(a.folder, b.folder, name, 0.5);
    const waiting = await b.exchange();
    expect([...waiting.waiting]).toEqual(['s1']);
    expect(b.ids()).toEqual([]);
    carryAll(a, b);
    expect([...(await b.exchange()).waiting]).toEqual([]);
    expect(b.ids()).toEqual(['s1']);
  });

  test('copies that a carrier makes of a conflict, and files of others, are no part of it', async () => {
    const [a] = twoHomes();
    a.write('s1', 'hello');
    await a.exchange();
    const [name = ''] = filesBelow(a.folder);
    writeFileSync(join(a.folder, name.replace('.gz', '.sync-conflict-20261126.gz')), 'x');
    expect(await a.exchange()).toMatchObject({ sent: 0, received: 0, forks: [] });
  });

  test('a session that was deleted here does not come back, also when it goes on elsewhere', async () => {
    const [a, b] = twoHomes();
    a.write('s1', 'hello');
    await settle([a, b]);
    rmSync(b.paths.session('s1'), { recursive: true });
    a.write('s1', 'more');
    await settle([a, b]);
    expect(b.ids()).toEqual([]);
    expect(a.ids()).toEqual(['s1']);
  });

  test('a session that is open is sent as far as it is written, and continued once it is closed', async () => {
    const [a, b] = twoHomes();
    a.write('s1', 'hello');
    await settle([a, b]);
    const { log } = b.store.sessions.open('s1');
    a.write('s1', 'more');
    await a.exchange();
    carryAll(a, b);
    expect([...(await b.exchange()).busy]).toEqual(['s1']);
    log.close();
    expect(await b.exchange()).toMatchObject({ received: 1 });
    expect(statesOf(a)).toEqual(statesOf(b));
  });

  test('homes with the same sessions by a copied folder join without a second state, also when what was agreed is lost', async () => {
    const [a, b] = twoHomes();
    a.write('s1', 'before there was a target');
    cpSync(a.home, b.home, { recursive: true });
    b.write('s1', 'more');
    await settle([a, b]);
    expect(a.ids()).toEqual(['s1']);
    writeFileSync(join(a.home, 'sync', 't.json'), 'damaged');
    expect(await a.exchange()).toMatchObject({ sent: 0, received: 0 });
    expect(statesOf(a)).toEqual(statesOf(b));
  });

  test('a folder that was put back to an earlier state gets again what it had lost', async () => {
    const [a, b] = twoHomes();
    const target = a.target();
    a.write('s1', 'one');
    for (const home of [a, b]) await home.exchange(target);
    const kept = join(a.home, 'kept');
    cpSync(a.folder, kept, { recursive: true });
    a.write('s1', 'two');
    a.write('s2', 'three');
    for (const home of [a, b]) await home.exchange(target);
    rmSync(a.folder, { recursive: true });
    cpSync(kept, a.folder, { recursive: true });
    expect(await a.exchange(target)).toMatchObject({ sent: 2 });
    const third = syncedHome('third');
    await third.exchange(target);
    expect(statesOf(third)).toEqual(statesOf(a));
  });

  test('a target as strict as a server gives the same', async () => {
    const [a, b] = twoHomes();
    const target = createMemoryTarget();
    a.write('s1', 'together');
    for (const home of [a, b]) await home.exchange(target);
    a.write('s1', 'on the laptop');
    b.write('s1', 'on the desktop');
    for (const home of [a, b, a, b]) await home.exchange(target);
    expect(a.ids()).toHaveLength(2);
    expect(statesOf(a)).toEqual(statesOf(b));
  });
});
