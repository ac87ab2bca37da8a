import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fewRuns } from '../support/runs.ts';
import { carryFile, filesBelow, type SyncedHome, settle, statesOf, syncedHome } from '../support/synced-homes.ts';

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('write' as const), home: fc.nat(1), session: fc.nat(1) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('exchange' as const), home: fc.nat(1) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('carry' as const), home: fc.nat(1), which: fc.nat(), part: fc.constantFrom(1, 1, 0.5, 0) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function play(homes: readonly [SyncedHome, SyncedHome], what: Step, at: number): Promise<string | undefined> {
  const own = what.home === 0 ? homes[0] : homes[1];
  const other = what.home === 0 ? homes[1] : homes[0];
  if (what.kind === 'exchange') await own.exchange();
  if (what.kind === 'carry') {
    const names = filesBelow(own.folder);
    const name = names[what.which % Math.max(1, names.length)];
    if (name !== undefined) carryFile(own.folder, other.folder, name, what.part);
  }
  if (what.kind !== 'write') return undefined;
  const text = `step ${at} on ${what.home}`;
  own.write(`s${what.session}`, text);
  return text;
}

test('two homes that wrote apart end with the same states, whatever a carrier does on the way, and nothing that was said is lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 24 }), async (steps) => {
      const homes = [syncedHome('laptop'), syncedHome('desktop')] as const;
      const texts: string[] = [];
      for (const [at, what] of steps.entries()) texts.push(...[await play(homes, what, at)].flatMap((text) => text ?? []));
      const own = homes.map((home) => new Map(home.ids().map((id) => [id, statesOf({ ...home, ids: () => [id] })[0] ?? ''])));
      await settle(homes);
      expect(statesOf(homes[0])).toEqual(statesOf(homes[1]));
      expect(new Set(statesOf(homes[0])).size).toBe(statesOf(homes[0]).length);
      const all = statesOf(homes[0]).join('\n');
      for (const text of texts) expect(all).toContain(`"${text}"`);
      // Whatever stood under a name here is still the beginning of what stands under it.
      for (const [index, home] of homes.entries())
        for (const [id, before] of own[index] ?? []) expect(statesOf({ ...home, ids: () => [id] })[0]?.startsWith(before)).toBe(true);
      for (const home of homes) for (const id of home.ids()) expect(home.store.sessions.open(id).warnings).toEqual([]);
    }),
    { numRuns: fewRuns(1000) },
  );
});
