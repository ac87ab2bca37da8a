import { PREVIOUS_DIGITS, type SegmentName } from './port.ts';
import { forkName } from './segment.ts';

export type Tree = Readonly<ReturnType<typeof treeOf>>;

/** The segments of a target by what they follow. Where two follow one, a log parted there. */
export function treeOf(names: readonly SegmentName[]) {
  const byHash = new Map<string, SegmentName>();
  const byDigits = new Map<string, SegmentName>();
  const following = new Map<string, SegmentName[]>();
  const add = (name: SegmentName): void => {
    if (byHash.has(name.hash)) return;
    byHash.set(name.hash, name);
    byDigits.set(name.hash.slice(0, PREVIOUS_DIGITS), name);
    following.set(name.previous, [...(following.get(name.previous) ?? []), name]);
  };
  for (const name of names.toSorted(inOrder)) add(name);
  const before = (name: SegmentName): SegmentName | undefined => byDigits.get(name.previous);
  return {
    add,
    has: (hash: string) => byHash.has(hash),
    before,
    all: (): readonly SegmentName[] => [...byHash.values()].sort(inOrder),
    after: (hash: string): readonly SegmentName[] => following.get(hash.slice(0, PREVIOUS_DIGITS)) ?? [],
    /** Where a log of this name, or the one that it is a fork of, begins. */
    beginnings: (log: string): readonly SegmentName[] =>
      (following.get('') ?? []).filter(({ chain }) => log === chain || log.startsWith(`${chain.slice(0, 54)}-`)),
    /** A segment and all before it, as far as they are there. */
    upTo: (hash: string): ReadonlySet<string> => {
      const hashes = new Set<string>();
      for (let at = byHash.get(hash); at !== undefined && !hashes.has(at.hash); at = before(at)) hashes.add(at.hash);
      return hashes;
    },
    /** The segment with which a fork of this name goes its own way. */
    partingOf: (log: string): SegmentName | undefined =>
      [...byHash.values()].find((name) => nameFor(name, before(name)) === log && name.previous !== ''),
  };
}

const inOrder = (a: SegmentName, b: SegmentName): number =>
  a.seq - b.seq || (a.chain < b.chain ? -1 : a.chain > b.chain ? 1 : a.hash < b.hash ? -1 : 1);

/** The name of the session that begins to be another with this segment. */
export const nameFor = (name: SegmentName, before: SegmentName | undefined): string =>
  name.previous === '' || before?.chain !== name.chain ? name.chain : forkName(name.chain, name.hash);
