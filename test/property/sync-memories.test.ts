import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fewRuns } from '../support/runs.ts';
import { carryFile, filesBelow, type SyncedHome, settle, syncedHome } from '../support/synced-homes.ts';

const step = fc.record({ kind: fc.constantFrom('remember', 'forget', 'write', 'exchange', 'carry'), home: fc.nat(1), which: fc.nat(5) });

const factOf = (which: number) => `The port of service ${which} is ${8000 + which}`;

function play(home: SyncedHome, { kind, which }: { readonly kind: string; readonly which: number }): void {
  const memories = home.store.memories('main');
  const entry = { kind: 'facts' as const, text: factOf(which), sessionId: 's1', messageId: `m${which}`, at: '2026-03-04T05:06:07.000Z' };
  if (kind === 'remember') memories.remember(entry);
  if (kind === 'forget') memories.forget(memories.list().flatMap(({ id, text }) => (text === factOf(which) ? id : [])));
  if (kind === 'write') writeFileSync(home.paths.extracted('main', 'facts'), `${home.facts() || '# Facts\n\n'}- by hand ${which}\n`);
}

test('memories that were written, struck out and edited apart come to the same pages, also with clocks that differ by an hour', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 24 }), async (steps) => {
      let tick = 1_000_000_000_000;
      const homes = [syncedHome('laptop', () => ++tick), syncedHome('desktop', () => ++tick - 3_600_000)] as const;
      for (const home of homes) home.store.memories('main').remember({ ...base, text: `The home of ${home.home} is small` });
      for (const each of steps) {
        const [own, other] = each.home === 0 ? homes : [homes[1], homes[0]];
        if (each.kind === 'exchange') await own.exchange();
        else if (each.kind === 'carry')
          for (const name of filesBelow(own.folder).slice(each.which)) carryFile(own.folder, other.folder, name);
        else play(own, each);
      }
      await settle(homes);
      expect(homes[0].facts()).toBe(homes[1].facts());
      for (const home of homes) expect(homes[0].facts()).toContain(`The home of ${home.home} is small`);
      await settle(homes);
      expect(homes[0].facts()).toBe(homes[1].facts());
    }),
    { numRuns: fewRuns(200) },
  );
});

const base = { kind: 'facts' as const, sessionId: 's0', messageId: 'm0', at: '2026-03-04T05:06:07.000Z' };
