import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256Of } from '../../src/store/session/bodies/body-text.ts';
import { readFileLines } from '../support/file-lines.ts';
import { workFolder } from '../support/kept-changes.ts';
import { fewRuns } from '../support/runs.ts';
import { carryFile, filesBelow, filesWith, type SyncedHome, settle, syncedHome } from '../support/synced-homes.ts';
import { newFolder } from '../unit/store/files/world.ts';

const step = fc.record({
  kind: fc.constantFrom('begin', 'write', 'edit', 'exchange', 'exchange', 'carry', 'carry', 'carry', 'delete'),
  home: fc.nat(1),
  which: fc.nat(40),
});

const saidAt = (at: number): string => `said at step ${at} of them`;
const heldAt = (at: number): string => `held at step ${at} of them`;

type Work = ReturnType<typeof workFolder>;

/** An edit of a file, as the last act of a session. */
async function edit({ store, log }: SyncedHome, work: Work, id: string, at: number): Promise<void> {
  const changes = await work.open(store, id);
  const content = Buffer.from(heldAt(at));
  const by = { id: `edit-${at}`, title: 'edit', record: readFileLines(log(id)).length - 1 };
  changes.edit(
    { path: `${work.root}/file`, before: { content, bytes: content.length, fingerprint: sha256Of(content) }, after: undefined },
    by,
  );
  changes.close();
}

/** A fork has the name of its session, and more. */
const stemOf = (id: string): string => id.replace(/-.*/, '');

test('what was deleted in one of two homes is in no home and not carried, unless it went on; all else is in both, with its versions of files', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), async (steps) => {
      const work = workFolder(newFolder());
      let tick = 1_000_000_000_000;
      const homes = [syncedHome('laptop', () => ++tick), syncedHome('desktop', () => ++tick)] as const;
      const noted: { readonly text: string; readonly stem: string }[] = [];
      const deleted = { stems: new Set<string>(), texts: new Set<string>() };
      for (const [at, { kind, home, which }] of steps.entries()) {
        const [own, other] = home === 0 ? homes : [homes[1], homes[0]];
        const names = kind === 'carry' ? filesBelow(own.folder) : own.ids();
        const name = names[which % Math.max(1, names.length)];
        if (kind === 'exchange') await own.exchange();
        if (kind === 'begin') own.write(`s${at}`, saidAt(at));
        if (kind === 'begin') noted.push({ text: saidAt(at), stem: `s${at}` });
        if (name === undefined) continue;
        if (kind === 'carry') carryFile(own.folder, other.folder, name);
        // A result follows an edit.
        if (kind === 'edit') await edit(own, work, name, at);
        if (kind === 'write' || kind === 'edit') own.write(name, saidAt(at));
        for (const text of kind === 'edit' ? [heldAt(at), saidAt(at)] : kind === 'write' ? [saidAt(at)] : [])
          noted.push({ text, stem: stemOf(name) });
        if (kind !== 'delete') continue;
        for (const { text } of noted) if (filesWith(own.paths.session(name), text).length > 0) deleted.texts.add(text);
        deleted.stems.add(stemOf(name));
        expect(own.remove(name)).toBe('removed');
      }
      await settle(homes);
      // What was carried back at the end goes at the next exchange.
      for (const home of homes) await home.exchange();
      for (const { text, stem } of noted) {
        const count = homes.filter(({ home }) => filesWith(home, text).length > 0).length;
        if (!deleted.texts.has(text)) expect([text, count > 0]).toEqual([text, true]);
        if (!deleted.stems.has(stem)) expect([text, count]).toEqual([text, 2]);
        for (const { folder } of count > 0 ? [] : homes) expect([text, filesWith(folder, text)]).toEqual([text, []]);
      }
      for (const home of homes) for (const id of home.ids()) expect(home.store.sessions.open(id).warnings).toEqual([]);
    }),
    { numRuns: fewRuns(1000) },
  );
});
