import { expect } from 'vitest';
import { purge } from '../../src/store/purge/purge.ts';
import { exchangeSession } from '../../src/sync/fetch.ts';
import { parseAgreed } from '../../src/sync/home.ts';
import { followSession } from '../../src/sync/live.ts';
import type { Leases, SyncTarget } from '../../src/sync/port.ts';
import { user } from '../support/build.ts';
import { filesWith, type SyncedHome, statesOf, syncedHome } from '../support/synced-homes.ts';
import { storeOf } from '../unit/store/files/world.ts';

type OpenHub = { readonly target: SyncTarget; readonly leases: Leases };

/** Calls `work` while connected to a hub, by the name of a machine. */
export type Hub = <T>(machine: string, work: (hub: OpenHub) => Promise<T>) => Promise<T>;

/** What a home does with a hub; the next exchanges finish it where it breaks off. `gone`: what stands nowhere afterwards. */
type Act = {
  readonly name: string;
  readonly run: (home: SyncedHome, hub: Hub) => Promise<unknown>;
  readonly sessions: number;
  readonly gone: readonly string[];
};

const SECRET = 'hunter2-long-secret';
const DELETED = 'a session to be deleted';

/** With the hub the home is the desktop. */
export const ACTS: readonly Act[] = [
  { name: 'an exchange', sessions: 5, gone: [], run: (home, hub) => hub('desktop', ({ target }) => home.exchange(target)) },
  {
    ...{ name: 'a session that is open', sessions: 5, gone: [] },
    run: async (home, hub) => {
      home.write('s1', 'said while it is open');
      await hub('desktop', async ({ target, leases }) => {
        const known = parseAgreed(home.side().agreementsWith('t').read()).logs.s1;
        const live = followSession({ home: home.side(), target, leases, log: 's1', known, onFork: () => undefined });
        await live.hold();
        await live.push();
        await live.renew();
        await live.release();
      });
      return hub('desktop', ({ target }) => home.exchange(target));
    },
  },
  {
    ...{ name: 'a session that is fetched', sessions: 5, gone: [] },
    run: (home, hub) =>
      hub('desktop', async ({ target, leases }) => {
        const fence = await leases.hold('s1');
        await exchangeSession(home.side(), target, home.side().agreementsWith('t'), 's1');
        if ('epoch' in fence) await leases.release(fence);
      }),
  },
  {
    ...{ name: 'a purge and a deletion', sessions: 4, gone: [SECRET, DELETED] },
    run: (home, hub) => {
      const { disk, paths } = storeOf({ home: home.home });
      purge(disk, paths, SECRET);
      home.remove('s4');
      return hub('desktop', ({ target }) => home.exchange(target));
    },
  },
];

const SAID = ['hello', 'only on the laptop', 'another of the laptop', 'only on the desktop', 'another of the desktop'];

/** `parted`: the sessions of which somebody was told that they went on elsewhere too. */
function tellingHome(name: string) {
  const home = syncedHome(name);
  const parted: string[] = [];
  const exchange: SyncedHome['exchange'] = async (target) => {
    const report = await home.exchange(target);
    parted.push(...report.forks.map(({ of }) => of));
    return report;
  };
  return { ...home, name, parted, exchange };
}

/** Two homes that parted offline, and a hub that has the state of the first. */
async function partedHomes(direct: Hub) {
  const [laptop, desktop] = [tellingHome('laptop'), tellingHome('desktop')];
  laptop.write('s1', 'hello');
  laptop.write('s1', `the password is ${SECRET}`);
  laptop.write('s4', DELETED);
  await direct('laptop', ({ target }) => laptop.exchange(target));
  await direct('desktop', ({ target }) => desktop.exchange(target));
  laptop.write('s1', 'only on the laptop');
  laptop.write('s2', 'another of the laptop');
  desktop.write('s1', 'only on the desktop');
  desktop.write('s3', 'another of the desktop');
  const result = desktop.store.bodies('s3').save('a large result');
  const { log } = desktop.store.sessions.open('s3');
  const stubs = result === undefined ? [] : [{ toolUseId: 't1', tool: 'read_file', body: result.ref }];
  log.append({ type: 'message', message: { ...user('look'), stubs } });
  log.close();
  await direct('laptop', ({ target }) => laptop.exchange(target));
  return { laptop, desktop };
}

type Trial = {
  /** A connection that never breaks. */
  readonly direct: Hub;
  readonly broken: (laptop: SyncedHome) => Hub;
  readonly where: string;
};

/**
 * Lets an act break off, and expects of the exchanges after it that nothing is lost, that the session went on twice and no more, and that each
 * home was told of that once. Resolves to what the act rejected with.
 */
export async function breakOff(act: Act, { direct, broken, where }: Trial): Promise<unknown> {
  const { laptop, desktop } = await partedHomes(direct);
  const failed = await act.run(desktop, broken(laptop)).then(
    () => undefined,
    (error: unknown) => error,
  );
  // What was purged may take both homes one exchange more.
  for (const at of [0, 1, 2])
    for (const home of [desktop, laptop]) {
      const { elsewhere, waiting, unpurged } = await direct(home.name, ({ target }) => home.exchange(target));
      if (at > 0) expect([elsewhere, waiting, unpurged], where).toEqual([[], new Set(), new Set()]);
    }
  for (const home of [desktop, laptop]) expect(home.parted, where).toEqual(['s1']);
  expect(statesOf(laptop), where).toEqual(statesOf(desktop));
  expect([laptop.ids().length, desktop.ids().length], where).toEqual([act.sessions, act.sessions]);
  const all = statesOf(desktop).join('\n');
  for (const text of SAID) expect(all, `${where}: ${text}`).toContain(text);
  const kept = await textsIn(direct);
  for (const text of act.gone) {
    expect(kept, where).not.toContain(text);
    for (const { home } of [laptop, desktop]) expect(filesWith(home, text), where).toEqual([]);
  }
  return failed;
}

/** All that stands in the logs there. */
export async function textsIn(direct: Hub): Promise<string> {
  const texts: string[] = [];
  await direct('desktop', async ({ target }) => {
    for (const chain of new Set((await target.list()).map((name) => name.chain)))
      for await (const segment of target.read(chain, 1)) texts.push(segment.bytes.toString());
  });
  return texts.join('');
}
