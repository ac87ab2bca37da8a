import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { purge } from '../../../src/store/purge/purge.ts';
import { user } from '../../support/build.ts';
import { createMemoryTarget } from '../../support/memory-target.ts';
import { carryAll, filesWith, type SyncedHome, settle, statesOf, syncedHome } from '../../support/synced-homes.ts';
import { storeOf } from '../store/files/world.ts';

const keepBody = ({ store }: SyncedHome, id: string, text: string): void => {
  const saved = store.bodies(id).save(text);
  if (saved === undefined) throw new Error('not saved');
  const { log } = store.sessions.open(id);
  log.append({ type: 'message', message: { ...user('x'), stubs: [{ toolUseId: 't1', tool: 'read_file', body: saved.ref }] } });
  log.close();
};

describe('a session that is deleted everywhere', () => {
  test('is gone from the folder and from the other home, comes back by no carrier and no lost list, and its place is confirmed', async () => {
    const [a, b] = [syncedHome('laptop'), syncedHome('desktop')];
    a.write('s1', 'to be deleted');
    keepBody(a, 's1', 'only its own result');
    a.write('s2', 'another one');
    await settle([a, b]);
    carryAll(a, b);
    const before = syncedHome('before');
    carryAll(b, before);
    expect(a.remove('s1')).toBe('removed');
    expect(await a.exchange()).toMatchObject({ deletedThere: 1, received: 0 });
    expect(a.unconfirmed()).toEqual(['desktop']);
    for (const text of ['to be deleted', 'only its own result']) expect(filesWith(a.folder, text)).toEqual([]);
    carryAll(a, b);
    expect(await b.exchange()).toMatchObject({ deleted: new Set(['s1']), forks: [], waiting: new Set() });
    carryAll(b, a);
    await a.exchange();
    expect(a.unconfirmed()).toEqual([]);
    for (const home of [a, b]) {
      carryAll(before, home);
      rmSync(join(home.home, 'sync', 't.json'), { force: true });
      await home.exchange();
      expect(home.ids()).toEqual(['s2']);
      for (const text of ['to be deleted', 'only its own result']) expect(filesWith(home.folder, text)).toEqual([]);
      expect(await home.exchange()).toMatchObject({ sent: 0, received: 0, deletedThere: 0 });
    }
  });

  test('stays where it went on meanwhile, which is told, and goes back to nobody', async () => {
    const [a, b] = [syncedHome('laptop'), syncedHome('desktop')];
    a.write('s1', 'together');
    await settle([a, b]);
    b.write('s1', 'gone on with');
    a.remove('s1');
    await a.exchange();
    carryAll(a, b);
    for (let time = 0; time < 2; time++) expect(await b.exchange()).toMatchObject({ kept: new Set(['s1']), sent: 0, forks: [] });
    expect(statesOf(b)[0]).toContain('gone on with');
    await settle([a, b]);
    expect(a.ids()).toEqual([]);
  });

  test('leaves to its fork what both have', async () => {
    const [a, b] = [syncedHome('laptop'), syncedHome('desktop')];
    a.write('s1', 'together');
    await settle([a, b]);
    a.write('s1', 'on the laptop');
    b.write('s1', 'on the desktop');
    await settle([a, b]);
    expect(a.remove('s1')).toBe('removed');
    await settle([a, b]);
    for (const home of [a, b]) {
      expect(statesOf(home)).toEqual([expect.stringMatching(/together.*on the desktop/s)]);
      expect(filesWith(home.folder, 'on the laptop')).toEqual([]);
    }
    for (const id of a.ids()) a.remove(id);
    await settle([a, b]);
    for (const home of [a, b]) expect([home.ids(), filesWith(home.folder, 'together')]).toEqual([[], []]);
  });

  test('leaves a result that another session has too, also one that was sent at the same time', async () => {
    const [a, b] = [syncedHome('laptop'), syncedHome('desktop')];
    for (const id of ['s1', 's2']) {
      a.write(id, `of ${id}`);
      keepBody(a, id, 'a result of both');
    }
    await settle([a, b]);
    a.remove('s1');
    b.write('s3', 'of s3');
    keepBody(b, 's3', 'a result of both');
    await b.exchange();
    a.remove('s2');
    await a.exchange();
    expect(filesWith(a.folder, 'a result of both')).toEqual([]);
    // The carrier takes it away there too.
    rmSync(join(b.folder, 'objects'), { recursive: true });
    await settle([a, b]);
    expect(statesOf(a)).toEqual(statesOf(b));
    expect(a.ids()).toEqual(['s3']);
  });

  test('is gone too where a text of it was purged before', async () => {
    const [a, b] = [syncedHome('laptop'), syncedHome('desktop')];
    a.write('s1', 'hunter2-long-secret, and on');
    await settle([a, b]);
    b.write('s1', 'more of hunter2-long-secret');
    await settle([a, b]);
    const { disk, paths } = storeOf({ home: a.home });
    purge(disk, paths, 'hunter2-long-secret');
    await settle([a, b]);
    a.remove('s1');
    await a.exchange();
    carryAll(a, b);
    expect(await b.exchange()).toMatchObject({ deleted: new Set(['s1']) });
  });

  test('is waited for by no machine that was forgotten, until that one speaks again', async () => {
    const [a, b, c] = [syncedHome('laptop'), syncedHome('desktop'), syncedHome('lost')];
    const shared = a.target();
    a.write('s1', 'hello');
    for (const home of [a, b, c, a]) await home.exchange(shared);
    a.remove('s1');
    for (const home of [a, b, a]) await home.exchange(shared);
    expect(a.unconfirmed()).toEqual(['lost']);
    expect(a.forget('los')).toEqual(['desktop', 'lost']);
    expect(a.forget('lost')).toBeUndefined();
    expect(a.unconfirmed()).toEqual([]);
    expect(b.unconfirmed()).toEqual(['lost']);
    for (const home of [a, b]) await home.exchange(shared);
    expect(b.unconfirmed()).toEqual([]);
    c.store.memories('main').remember(c.fact('The office has two doors'));
    c.write('s1', 'gone on with');
    for (const home of [c, a]) await home.exchange(shared);
    expect(a.unconfirmed()).toEqual(['lost']);
  });

  test('that is open elsewhere goes once it is closed', async () => {
    const [a, b] = [syncedHome('laptop'), syncedHome('desktop')];
    const target = createMemoryTarget();
    a.write('s1', 'hello');
    for (const home of [a, b]) await home.exchange(target);
    a.remove('s1');
    await a.exchange(target);
    const { log } = b.store.sessions.open('s1');
    expect(await b.exchange(target)).toMatchObject({ busy: new Set(['s1']), deleted: new Set() });
    log.close();
    expect(await b.exchange(target)).toMatchObject({ deleted: new Set(['s1']) });
    expect(b.ids()).toEqual([]);
  });

  test('a deletion that is killed at any step is whole after the next exchange', async () => {
    for (let kill = 1, isKilled = true; isKilled; kill++) {
      const a = syncedHome('laptop');
      a.write('s1', 'to be deleted');
      keepBody(a, 's1', 'only its own result');
      await a.exchange();
      let step = 0;
      isKilled = false;
      a.faults(() => {
        step += 1;
        isKilled ||= step === kill;
        if (step >= kill) throw Object.assign(new Error('the disk fails'), { code: 'EIO' });
        return undefined;
      });
      try {
        a.remove('s1');
        await a.exchange();
      } catch {
        // The disk fails from this step on.
      }
      a.faults(undefined);
      if (a.ids().includes('s1')) a.remove('s1');
      await a.exchange();
      expect(
        a.ids().filter((id) => !id.startsWith('.')),
        `at step ${kill}`,
      ).toEqual([]);
      for (const text of ['to be deleted', 'only its own result']) expect(filesWith(a.folder, text), `at step ${kill}`).toEqual([]);
    }
  });
});
