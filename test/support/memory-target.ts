import {
  type AppendResult,
  type Fence,
  type Holder,
  type Leases,
  PREVIOUS_DIGITS,
  type SegmentName,
  type SyncTarget,
} from '../../src/sync/port.ts';
import { placeOf, replacedOf, type Segment } from '../../src/sync/segment.ts';

export const createMemoryTarget = (): SyncTarget => createMemoryHub().as('').target;

const LEASE_MS = 30_000;

/** What stands in memory for a hub: as strict as a server, one line of segments a chain and one holder of it. Its clock stands still. */
export function createMemoryHub() {
  let now = 0;
  const held = new Map<string, Holder & { until: number }>();
  const objects = new Map<string, Buffer>();
  const chains = new Map<string, Segment[]>();
  const epochs = new Map<string, number>();
  const chainOf = (chain: string): Segment[] => chains.get(chain) ?? [];
  const append = (segment: Segment, epoch: number): AppendResult => {
    const { hash } = placeOf(segment);
    const there = chainOf(segment.chain);
    if (there.some((other) => placeOf(other).hash === hash)) return { kind: 'known' };
    if (epoch !== epochs.get(segment.chain)) return { kind: 'refused', why: 'fenced' };
    const { previous } = segment;
    const last = there.at(-1);
    if (last !== undefined && (previous === null || previous.chain !== segment.chain)) return { kind: 'refused', why: 'parted' };
    const before = previous === null ? undefined : chainOf(previous.chain).find((other) => placeOf(other).hash === previous.hash);
    if (segment.seq !== (before?.seq ?? 0) + 1 || (previous !== null && before === undefined)) return { kind: 'refused', why: 'gap' };
    if (last !== undefined && last !== before) return { kind: 'refused', why: 'parted' };
    chains.set(segment.chain, [...there, segment]);
    return { kind: 'appended' };
  };
  const take = (chain: string, by: string): Fence | Holder => {
    const other = held.get(chain);
    if (other !== undefined && other.until > now && other.holder !== by) return { holder: other.holder, since: other.since };
    epochs.set(chain, (epochs.get(chain) ?? 0) + 1);
    return { chain, epoch: epochs.get(chain) ?? 0 };
  };
  const isCurrent = ({ chain, epoch }: Fence): boolean => epochs.get(chain) === epoch;
  const until = ({ chain }: Fence, time: number): void => {
    const lease = held.get(chain);
    if (lease !== undefined) lease.until = time;
  };
  const leasesOf = (by: string): Leases => ({
    hold: async (chain) => {
      const taken = take(chain, by);
      if ('epoch' in taken) held.set(chain, { holder: by, since: new Date(now), until: now + LEASE_MS });
      return taken;
    },
    renew: async (fence) => {
      if (isCurrent(fence)) until(fence, now + LEASE_MS);
      return isCurrent(fence);
    },
    release: async (fence) => {
      if (isCurrent(fence)) until(fence, now);
    },
    lastHolder: async (chain) => {
      const last = held.get(chain);
      return last && { holder: last.holder, since: last.since };
    },
    ms: async () => LEASE_MS,
  });
  const targetOf = (by: string): SyncTarget => ({
    replace: async (segment, { chain, hash }) => {
      const kept = { ...segment, bytes: Buffer.from(segment.bytes) };
      chains.set(
        chain,
        chainOf(chain).map((each) => (placeOf(each).hash === hash ? kept : each)),
      );
    },
    drop: async (sha256) => void objects.delete(sha256),
    put: async (sha256, bytes) => void objects.set(sha256, Buffer.from(bytes)),
    get: async (sha256) => objects.get(sha256),
    append: async (segment, { epoch }) => append({ ...segment, bytes: Buffer.from(segment.bytes) }, epoch),
    read: async function* (chain, from) {
      yield* chainOf(chain).filter(({ seq }) => seq >= from);
    },
    list: async () =>
      [...chains.values()].flatMap((segments) =>
        segments.map((segment): SegmentName => {
          const replaced = replacedOf(segment);
          const name = { ...placeOf(segment), ...(replaced !== undefined && { replaced }) };
          return {
            ...name,
            bytes: segment.bytes.length,
            seq: segment.seq,
            previous: segment.previous?.hash.slice(0, PREVIOUS_DIGITS) ?? '',
          };
        }),
      ),
    acquire: async (chain) => {
      const lease = held.get(chain);
      if (lease !== undefined && lease.until > now && lease.holder === by) return { chain, epoch: epochs.get(chain) ?? 0 };
      return take(chain, by);
    },
  });
  return {
    as: (by: string) => ({ target: targetOf(by), leases: leasesOf(by) }),
    pass: async (ms: number): Promise<void> => {
      now += ms;
    },
  };
}
