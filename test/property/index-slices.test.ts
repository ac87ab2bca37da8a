import { rmSync } from 'node:fs';
import fc from 'fast-check';
import Database from 'libsql';
import { expect, test } from 'vitest';
import type { Message } from '../../src/domain/session/message.ts';
import { createSearchContext } from '../../src/runtime/conversation/recall/recall.ts';
import { withSearchIndex } from '../../src/store/search/search-store.ts';
import type { IndexLimits } from '../../src/store/search/search-update.ts';
import { answers, calls, contextOf, says, user } from '../support/build.ts';
import { runs } from '../support/runs.ts';
import { storeOf } from '../unit/store/files/world.ts';
import { recallIn, session } from '../unit/store/search/recall-world.ts';

const WORDS = ['otter', 'heron', 'src/lamp.ts', '数据库', 'retryDelay', 'badger'];
const words = fc.array(fc.constantFrom(...WORDS, 'filler '.repeat(20)), { minLength: 1, maxLength: 5 }).map((all) => all.join(' '));
const exchange = fc.oneof(
  words.map((text): readonly Message[] => [user(text)]),
  words.map((text) => [says(text)]),
  fc.tuple(words, words, fc.boolean()).map(([command, content, isError]): readonly Message[] => {
    const id = `t${command.length}${content.length}`;
    return [calls({ id, name: 'run_command', input: { command } }), answers({ id, content, isError })];
  }),
  words.map((text): readonly Message[] => [{ ...user(text), origin: 'summary' }]),
);
const talk = fc.record({
  exchanges: fc.array(exchange, { minLength: 1, maxLength: 3 }),
  project: fc.constantFrom('/srv/a', '/srv/b'),
  isCompacted: fc.boolean(),
});
const talks = fc.array(talk, { minLength: 1, maxLength: 6 });
/** How many batches, of which size: some cut sessions in two. */
const slice = fc.record({ ms: fc.integer({ min: 1, max: 3 }), batchBytes: fc.integer({ min: 1, max: 6_000 }), prefers: fc.boolean() });
/** No session is larger than the smallest of these. */
const wholeSessions = fc.integer({ min: 14_000, max: 30_000 });

const idOf = (n: number): string => `20260102-030405-${String(n).padStart(4, '0')}`;

type World = { readonly made: ReturnType<typeof storeOf>; readonly recall: ReturnType<typeof recallIn> };

type Talk = { readonly exchanges: readonly (readonly Message[])[]; readonly project: string; readonly isCompacted: boolean };

function worldWith(sessions: readonly Talk[]): World {
  const made = storeOf();
  for (const [n, { exchanges, project, isCompacted }] of sessions.entries()) {
    const messages = exchanges.flat();
    const open = session(made, idOf(n), messages, { cwd: project });
    if (isCompacted) open.append({ type: 'checkpoint', reason: 'compaction', context: contextOf(messages) });
    open.close();
  }
  return { made, recall: recallIn(made) };
}

/** Indexes within limits, by a clock that goes on each time it is read. Resolves with how many sessions are left. */
async function indexSlice({ recall }: World, limits: IndexLimits, prefers: boolean): Promise<number> {
  const deps = createSearchContext(recall.place);
  let ms = 0;
  const disk = { ...deps.disk, now: () => new Date(ms++) };
  const first = { named: [], preferred: prefers ? () => (id: string) => Number(id.slice(-1)) % 2 === 0 : undefined };
  return withSearchIndex({ ...deps, disk, first, limits }, (_, { sessionsLeft }) => sessionsLeft, new AbortController().signal);
}

/** All that is in the index, but for the numbers that entries have in it. */
function contentOf({ recall }: World): readonly unknown[] {
  const db = new Database(recall.index);
  const rows = db
    .prepare(
      'SELECT path, session, folder, done, n, part, block, key, kind, tool, failed, at, place, slices FROM entries JOIN sources ON sources.id = source ORDER BY path, n, part, block, place',
    )
    .all();
  db.close();
  return rows;
}

const found = ({ recall }: World) =>
  Promise.all([...WORDS, 'otter heron', 'badger src/lamp.ts'].map((query) => recall.find(query, { limit: 200 })));

const refsOf = (hits: Awaited<ReturnType<typeof found>>) =>
  hits.map((all) => all.flatMap(({ ref, copies }) => [ref, ...copies]).toSorted());

async function compare(sessions: readonly Talk[], indexInSlices: (world: World) => Promise<void>) {
  const world = worldWith(sessions);
  const whole = { hits: await found(world), content: contentOf(world) };
  rmSync(world.recall.index);
  await indexInSlices(world);
  const sliced = { hits: await found(world), content: contentOf(world) };
  rmSync(world.made.world.home, { recursive: true });
  return { whole, sliced };
}

test('an index made in slices of any number and size holds what one made in one pass holds, and finds the same [O30]', async () => {
  await fc.assert(
    fc.asyncProperty(talks, fc.array(slice, { minLength: 1, maxLength: 20 }), async (sessions, slices) => {
      const { whole, sliced } = await compare(sessions, async (world) => {
        for (const { prefers, ...limits } of slices) await indexSlice(world, limits, prefers);
      });
      expect(sliced.content).toEqual(whole.content);
      expect(refsOf(sliced.hits)).toEqual(refsOf(whole.hits));
    }),
    { numRuns: runs(15) },
  );
});

test('where no session is cut in two, also in the same order [O30]', async () => {
  await fc.assert(
    fc.asyncProperty(talks, wholeSessions, fc.integer({ min: 1, max: 3 }), async (sessions, batchBytes, ms) => {
      const { whole, sliced } = await compare(sessions, async (world) => {
        const left: number[] = [sessions.length + 1];
        while (left.at(-1) !== 0) left.push(await indexSlice(world, { ms, batchBytes }, false));
        expect(left.at(-1)).toBeLessThan(left.at(-2) ?? 0);
      });
      expect(sliced).toEqual(whole);
    }),
    { numRuns: runs(15) },
  );
});
