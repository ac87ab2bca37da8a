import { describe, expect, test } from 'vitest';
import { carryAll, settle, statesOf, syncedHome } from '../../support/synced-homes.ts';

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

const factOf = (text: string) => ({ kind: 'facts' as const, text, sessionId: 's1', messageId: 'm1', at: '2026-03-04T05:06:07.000Z' });
