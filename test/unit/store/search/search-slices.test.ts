import { expect, test } from 'vitest';
import { showHits } from '../../../../src/commands/search/search.ts';
import { createSearchContext, search } from '../../../../src/runtime/conversation/recall/recall.ts';
import { processEnvironment } from '../../../../src/runtime/environment.ts';
import { withSearchIndex } from '../../../../src/store/search/search-store.ts';
import { says, user } from '../../../support/build.ts';
import { storeOf } from '../files/world.ts';
import { recallIn, session } from './recall-world.ts';

const signal = new AbortController().signal;
const ids = ['20260101-000000-a', '20260102-000000-b', '20260103-000000-c', '20260104-000000-d'];

function homeOf(text: (id: string) => string, cwd: (id: string) => string = () => '/srv/app') {
  const made = storeOf();
  for (const id of ids) session(made, id, [user(text(id)), says(`done in ${id}`)], { cwd: cwd(id) }).close();
  return { made, recall: recallIn(made) };
}

/** Indexes so many batches, each of one session; which sessions are in the index then, oldest first. */
async function indexed({ recall }: ReturnType<typeof homeOf>, ms: number, first?: Parameters<typeof withSearchIndex>[0]['first']) {
  const deps = createSearchContext(recall.place);
  let clock = 0;
  const disk = { ...deps.disk, now: () => new Date(clock++) };
  return withSearchIndex(
    { ...deps, disk, first, limits: { ms, batchBytes: 2_000 } },
    (index, { sessionsLeft }) => ({
      sessionsLeft,
      sessions: index
        .sources()
        .map(({ session: id }) => id)
        .toSorted(),
    }),
    signal,
  );
}

test('where there is no time for all, the newest sessions are indexed first, and the next search goes on', async () => {
  const home = homeOf((id) => `the otter of ${id} ${'filler '.repeat(100)}`);
  expect(await indexed(home, 1)).toEqual({ sessionsLeft: 3, sessions: ids.slice(3) });
  expect(await indexed(home, 2)).toEqual({ sessionsLeft: 1, sessions: ids.slice(1) });
  expect(await indexed(home, 9)).toEqual({ sessionsLeft: 0, sessions: ids });
});

test('the session that is named is indexed to its end in any case, and those of the project before newer ones', async () => {
  const home = homeOf((id) => `the otter of ${id} ${'filler '.repeat(100)}`);
  const [a, b, c, d] = ids;
  expect(await indexed(home, 0, { named: [b ?? ''] })).toEqual({ sessionsLeft: 3, sessions: [b] });
  expect(await indexed(home, 1, { named: [], preferred: () => (id) => id === a })).toEqual({ sessionsLeft: 2, sessions: [a, b] });
  expect(await indexed(home, 1)).toEqual({ sessionsLeft: 1, sessions: [a, b, d] });
  expect(await indexed(home, 1)).toEqual({ sessionsLeft: 0, sessions: [a, b, c, d] });
});

test('of a word that is everywhere the newest come first, though they were indexed first', async () => {
  const home = homeOf((id) => `the otter of ${id} ${'filler '.repeat(100)}`);
  await indexed(home, 1);
  await indexed(home, 9);
  const order = await withSearchIndex(createSearchContext(home.recall.place), (index) => index.find('otter', { limit: 10 }), signal);
  expect(order.map(({ entry }) => entry)).toEqual(order.map(({ entry }) => entry).toSorted((one, other) => other - one));
  expect((await home.recall.refs('otter')).map((ref) => ref.split(':')[0])).toEqual(ids.toReversed());
});

test('a reference opens its text before its session was searched', async () => {
  const home = homeOf((id) => `the otter of ${id}`);
  expect((await home.recall.open(`${ids[0]}:1`))?.text).toBe(`the otter of ${ids[0]}`);
  expect((await indexed(home, 0)).sessions).toEqual([ids[0]]);
});

/** More than is indexed at once. */
const LARGE = 'filler '.repeat(700_000);

test('a search says what it has not searched and how to go on, on stderr; with --wait it searches all', async () => {
  const { made, recall } = homeOf((id) => (id === ids[3] ? `the otter ${LARGE}` : `the heron of ${id}`));
  let clock = 0;
  const now = () => {
    clock += 10_000;
    return new Date(clock);
  };
  const environment = { ...processEnvironment(), now };
  const run = async (wish: { readonly query: string; readonly wait?: boolean; readonly json?: boolean }) => {
    const seen = { out: '', err: [] as string[] };
    const io = {
      warn: ({ en }: { readonly en: string }) => void seen.err.push(en),
      ...{ columns: 100, colour: false, err: () => undefined },
      out: (text: string) => {
        seen.out += text;
      },
    };
    await showHits({ home: made.world.home, limit: 10, ...wish }, { environment, io });
    return seen;
  };
  const left = '4 sessions are not fully indexed yet and may hold more: search again to go on, or with --wait to index all of them first';
  const first = await run({ query: 'otter', json: true });
  expect(first.err).toEqual([left]);
  expect(JSON.parse(first.out)).toMatchObject([{ ref: `${ids[3]}:1` }, { ref: `${ids[3]}:1` }]);
  const whole = await run({ query: 'heron', wait: true });
  expect(whole.err).toEqual([]);
  for (const id of ids.slice(0, 3)) expect(whole.out).toContain(`${id}:1`);
  expect((await search(recall.place, { query: 'heron', limit: 10 }, signal)).sessionsLeft).toBe(0);
});
