import { describe, expect, test } from 'vitest';
import type { Leases, SyncTarget } from '../../../src/sync/port.ts';
import { ACTS, breakOff, type Hub } from '../../contract/broken-hub.ts';
import { createMemoryHub } from '../../support/memory-target.ts';
import { isWhole } from '../../support/share.ts';
import type { SyncedHome } from '../../support/synced-homes.ts';

type Break = {
  readonly name: string;
  /** Which calls count. */
  readonly of: RegExp;
  /** Whether the hub has done what was asked before the answer is lost. */
  readonly isDone: boolean;
  /** Whether all calls after it fail too. */
  readonly isLasting: boolean;
  /** What happens instead. */
  readonly act?: (laptop: SyncedHome) => Promise<unknown>;
};

/** Each call of the hub is one word; the K-th breaks off. */
function breaking(hub: ReturnType<typeof createMemoryHub>, at: number, how: Break, laptop: SyncedHome) {
  let count = 0;
  let isBroken = false;
  const spoken = async <T>(name: string, call: () => Promise<T>): Promise<T> => {
    const isCounted = how.of.test(name);
    if (isBroken && how.isLasting && isCounted) throw new Error('broken off');
    if (!isCounted || ++count !== at) return call();
    isBroken = true;
    if (how.act !== undefined) await how.act(laptop);
    if (how.act !== undefined) return call();
    if (how.isDone) await call();
    throw new Error('broken off');
  };
  const wrapped = <T extends object>(port: T): T =>
    new Proxy(port, {
      get: (object, name, self) => {
        const value: unknown = Reflect.get(object, name, self);
        if (typeof value !== 'function') return value;
        if (name !== 'read') return (...args: unknown[]) => spoken(String(name), async () => value(...args));
        return async function* (chain: string, from: number) {
          for await (const segment of value(chain, from)) yield await spoken('read', async () => segment);
        };
      },
    });
  const through: Hub = (machine, work) => {
    const { target, leases } = hub.as(machine);
    return work({ target: wrapped<SyncTarget>(target), leases: wrapped<Leases>(leases) });
  };
  return { through, isCome: () => isBroken };
}

const WRITES = /^(?:put|append|replace|drop)$/;

const breaksOf = (hub: ReturnType<typeof createMemoryHub>, direct: Hub): readonly Break[] => [
  { name: 'the connection is cut', of: /./, isDone: false, isLasting: true },
  { name: 'an acknowledgement is lost', of: /./, isDone: true, isLasting: true },
  { name: 'writes are refused', of: WRITES, isDone: false, isLasting: true },
  { name: 'one write is refused', of: WRITES, isDone: false, isLasting: false },
  {
    ...{ name: 'its fence is stale, for another wrote the session', of: /./, isDone: true, isLasting: false },
    act: async (laptop) => {
      await hub.pass(60_000);
      laptop.write('s1', 'said on the laptop meanwhile');
      return direct('laptop', ({ target }) => laptop.exchange(target));
    },
  },
];

const NAMES = breaksOf(createMemoryHub(), (_, work) => work(createMemoryHub().as(''))).map(({ name }, which) => [name, which] as const);

/** Each word in `npm run test:acceptance`, else some of them. */
const stepOf = ({ of }: Break): number => (isWhole ? 1 : of === WRITES ? 3 : 9);

describe.each(ACTS)('$name loses nothing, and parts from nothing twice', (act) => {
  test.each(NAMES)('where %s at any word', async (name, which) => {
    let count = 0;
    for (let word = 1, came = true; came; ) {
      const hub = createMemoryHub();
      const direct: Hub = (machine, work) => work(hub.as(machine));
      const how = breaksOf(hub, direct)[which];
      if (how === undefined) throw new Error('unreachable');
      let isCome = (): boolean => false;
      const broken = (laptop: SyncedHome): Hub => {
        const begun = breaking(hub, word, how, laptop);
        isCome = begun.isCome;
        return begun.through;
      };
      const failed = await breakOff(act, { direct, broken, where: `${act.name}, word ${word}, ${name}` });
      came = isCome();
      if (how.act === undefined) expect(failed !== undefined, `word ${word}`).toBe(came);
      count += Number(came);
      word += stepOf(how);
    }
    expect(count).toBeGreaterThan(0);
  });
});
