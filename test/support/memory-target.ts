import { type AppendResult, PREVIOUS_DIGITS, type SegmentName, type SyncTarget } from '../../src/sync/port.ts';
import { placeOf, replacedOf, type Segment } from '../../src/sync/segment.ts';

/** What stands in memory for a target: as strict as a server, one line of segments a chain and one holder of it. */
export function createMemoryTarget(): SyncTarget {
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
  return {
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
          return { ...name, seq: segment.seq, previous: segment.previous?.hash.slice(0, PREVIOUS_DIGITS) ?? '' };
        }),
      ),
    acquire: async (chain) => {
      const epoch = (epochs.get(chain) ?? 0) + 1;
      epochs.set(chain, epoch);
      return { chain, epoch };
    },
  };
}
