import { describe, expect, test } from 'vitest';
import { purge } from '../../../src/store/purge/purge.ts';
import { user } from '../../support/build.ts';
import { carryAll, filesWith, settle, statesOf, syncedHome } from '../../support/synced-homes.ts';
import { storeOf } from '../../unit/store/files/world.ts';

describe('an exchange that is killed', () => {
  test('at each of its steps on the disk loses nothing, and the next one ends as if it had never been', async () => {
    for (let kill = 1, ended = false; !ended; kill++) {
      const [a, b] = [syncedHome('laptop'), syncedHome('desktop')];
      a.write('s1', 'together');
      b.store.memories('main').remember(factOf('The server runs Debian 12'));
      b.store.memories('main').remember(factOf('The office has two doors'));
      await settle([a, b]);
      a.store.memories('main').remember(factOf('The database listens on 5433'));
      b.store.memories('main').forget(
        b.store
          .memories('main')
          .list()
          .slice(0, 1)
          .map(({ id }) => id),
      );
      b.store.memories('main').remember(factOf('The printer is on the third floor'));
      a.write('s1', 'on the laptop');
      a.write('s2', 'a new one');
      b.write('s1', 'on the desktop');
      await a.exchange();
      carryAll(a, b);
      let steps = 0;
      b.faults(() => {
        if (++steps >= kill) throw new Error('killed');
        return undefined;
      });
      ended = await b.exchange().then(
        () => true,
        () => false,
      );
      b.faults(undefined);
      await settle([a, b]);
      expect(b.ids()).toHaveLength(3);
      expect(statesOf(a), `killed at step ${kill}`).toEqual(statesOf(b));
      const texts = b.store
        .memories('main')
        .list()
        .map(({ text }) => text);
      expect(texts.toSorted(), `killed at step ${kill}`).toEqual([
        'The database listens on 5433',
        'The office has two doors',
        'The printer is on the third floor',
      ]);
      expect(a.facts()).toBe(b.facts());
      expect(statesOf({ ...b, ids: () => ['s1'] })[0]).toContain('on the desktop');
    }
  });
});

describe('a purge that is killed', () => {
  test.each(['laptop', 'desktop'])('in the exchange of the %s at each of its steps on the disk is obeyed by the next', async (killed) => {
    for (let kill = 1, ended = false; !ended; kill++) {
      const [a, b] = [syncedHome('laptop'), syncedHome('desktop')];
      a.write('s1', 'the password is hunter2-long-secret');
      a.write('s2', 'hunter2-long-secret');
      const saved = a.store.bodies('s2').save('x\nhunter2-long-secret\n');
      const { log } = a.store.sessions.open('s2');
      if (saved !== undefined)
        log.append({ type: 'message', message: { ...user('x'), stubs: [{ toolUseId: 't', tool: 'bash', body: saved.ref }] } });
      log.close();
      a.store.memories('main').remember(factOf('The password is hunter2-long-secret'));
      await settle([a, b]);
      b.write('s1', 'on the desktop');
      await b.exchange();
      const { disk, paths } = storeOf({ home: a.home });
      purge(disk, paths, 'hunter2-long-secret');
      const home = killed === 'laptop' ? a : b;
      if (home === b) await a.exchange();
      carryAll(home === b ? a : b, home);
      let steps = 0;
      home.faults(() => {
        if (++steps >= kill) throw new Error('killed');
        return undefined;
      });
      ended = await home.exchange().then(
        () => true,
        () => false,
      );
      home.faults(undefined);
      await settle([a, b]);
      // What was carried back in the meantime goes too.
      for (const each of [a, b]) await each.exchange();
      for (const each of [a, b])
        for (const folder of [each.home, each.folder]) expect(filesWith(folder, 'hunter2'), `killed at step ${kill}`).toEqual([]);
      expect(statesOf(a), `killed at step ${kill}`).toEqual(statesOf(b));
      expect(a.ids(), `killed at step ${kill}`).toEqual(['s1', 's2']);
      expect(a.facts()).toBe(b.facts());
    }
  });
});

const factOf = (text: string) => ({ kind: 'facts' as const, text, sessionId: 's1', messageId: 'm1', at: '2026-03-04T05:06:07.000Z' });
