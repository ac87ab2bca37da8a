import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { purge } from '../../src/store/purge/purge.ts';
import { fewRuns } from '../support/runs.ts';
import { carryFile, filesBelow, filesWith, type SyncedHome, settle, statesOf, syncedHome } from '../support/synced-homes.ts';
import { storeOf } from '../unit/store/files/world.ts';

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('write' as const), home: fc.nat(1), session: fc.nat(1) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('exchange' as const), home: fc.nat(1) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('carry' as const), home: fc.nat(1), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('purge' as const), home: fc.nat(1), which: fc.nat() }) },
);

const secretOf = (at: number): string => `secret-number-${at}-of-them`;

function purgeIn({ home }: SyncedHome, secret: string): boolean {
  if (!existsSync(home) || filesWith(home, secret).length === 0) return false;
  const { disk, paths } = storeOf({ home });
  purge(disk, paths, secret);
  return true;
}

test('what was purged in one of two homes is gone from both and from what carries, whatever a carrier does, and all else is there', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 24 }), async (steps) => {
      const homes = [syncedHome('laptop'), syncedHome('desktop')] as const;
      const written: string[] = [];
      const purged = new Set<string>();
      for (const [at, what] of steps.entries()) {
        const [own, other] = what.home === 0 ? homes : [homes[1], homes[0]];
        if (what.kind === 'exchange') await own.exchange();
        if (what.kind === 'write') {
          own.write(`s${what.session}`, `step ${at}: ${secretOf(at)}, and on`);
          if (at % 2 === 0) own.tell(`s${what.session}`, `told at step ${at}: ${secretOf(at)}`);
          if (at % 3 === 0) own.snap(`s${what.session}`, `kept at step ${at}: ${secretOf(at)}`);
          written.push(secretOf(at));
        }
        const names = what.kind === 'carry' ? filesBelow(own.folder) : [];
        const name = what.kind === 'carry' ? names[what.which % Math.max(1, names.length)] : undefined;
        if (name !== undefined) carryFile(own.folder, other.folder, name);
        const secret = what.kind === 'purge' ? written[what.which % Math.max(1, written.length)] : undefined;
        if (secret !== undefined && purgeIn(own, secret)) purged.add(secret);
      }
      await settle(homes);
      // What was carried back at the end goes at the next exchange.
      for (const home of homes) await home.exchange();
      for (const home of homes)
        for (const secret of purged) expect([...filesWith(home.home, secret), ...filesWith(home.folder, secret)], secret).toEqual([]);
      expect(statesOf(homes[0])).toEqual(statesOf(homes[1]));
      const all = statesOf(homes[0]).join('\n');
      for (const secret of written) expect(all.includes(`${secret}, and on`), secret).toBe(!purged.has(secret));
      for (const home of homes) for (const id of home.ids()) expect(home.store.sessions.open(id).warnings).toEqual([]);
    }),
    { numRuns: fewRuns(1000) },
  );
});
