import { describe, expect, test } from 'vitest';
import { carryAll, settle, statesOf, syncedHome } from '../../support/synced-homes.ts';

describe('an exchange that is killed', () => {
  test('at each of its steps on the disk loses nothing, and the next one ends as if it had never been', async () => {
    for (let kill = 1, ended = false; !ended; kill++) {
      const [a, b] = [syncedHome('laptop'), syncedHome('desktop')];
      a.write('s1', 'together');
      await settle([a, b]);
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
      expect(statesOf({ ...b, ids: () => ['s1'] })[0]).toContain('on the desktop');
    }
  });
});
