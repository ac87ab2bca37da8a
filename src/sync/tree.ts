import { PREVIOUS_DIGITS, type SegmentName } from './port.ts';
import { DELETED, forkName, forkStem, hashBytes } from './segment.ts';

export type Tree = Readonly<ReturnType<typeof treeOf>>;

/** The segments of a target by what they follow. Where two follow one, a log parted there. */
export function treeOf(names: readonly SegmentName[]) {
  const byHash = new Map<string, SegmentName>();
  const byDigits = new Map<string, SegmentName>();
  const following = new Map<string, SegmentName[]>();
  const partings = new Map<string, SegmentName>();
  const purged: SegmentName[] = [];
  /** Names come from a folder that others may write: none follows one with a greater number, so that no way back is endless. */
  const before = (name: SegmentName): SegmentName | undefined => {
    const found = byDigits.get(name.previous);
    return found !== undefined && found.seq < name.seq ? found : undefined;
  };
  const add = (name: SegmentName): void => {
    if (name.replaced !== undefined) purged.push(name);
    if (byHash.has(name.hash)) {
      // Two machines purged apart.
      if (name.replaced !== undefined) following.set(name.previous, [...(following.get(name.previous) ?? []), name]);
      return;
    }
    if (name.previous !== '') partings.set(nameFor(name, before(name)), name);
    byHash.set(name.hash, name);
    byDigits.set(name.hash.slice(0, PREVIOUS_DIGITS), name);
    following.set(name.previous, [...(following.get(name.previous) ?? []), name]);
  };
  const deleted = new Set(names.flatMap(({ hash, replaced }) => (replaced === DELETED ? [hash] : [])));
  // A carrier may bring the lines again.
  for (const name of names.toSorted(inOrder)) if (!deleted.has(name.hash) || name.replaced === DELETED) add(name);
  function* backFrom(hash: string): Generator<SegmentName> {
    for (let at = byHash.get(hash); at !== undefined; at = before(at)) yield at;
  }
  return {
    add,
    has: (hash: string) => byHash.has(hash),
    before,
    all: (): readonly SegmentName[] => [...byHash.values()].sort(inOrder),
    after: (hash: string): readonly SegmentName[] => following.get(hash.slice(0, PREVIOUS_DIGITS)) ?? [],
    /** Where a log of this name, or the one that it is a fork of, begins. */
    beginnings: (log: string): readonly SegmentName[] =>
      (following.get('') ?? []).filter(({ chain }) => log === chain || log.startsWith(`${forkStem(chain)}-`)),
    /** A segment and all before it, the newest first, as far as they are there. */
    backFrom,
    purged: (): readonly SegmentName[] => purged,
    isDeleted: (hash: string): boolean => byHash.get(hash)?.replaced === DELETED,
    /** A segment was replaced. */
    exchange: (old: SegmentName, name: SegmentName): void => {
      const isOther = (each: SegmentName): boolean => each.hash !== old.hash || each.replaced !== old.replaced;
      following.set(name.previous, [...(following.get(name.previous) ?? []).filter(isOther), name]);
      purged.splice(0, purged.length, ...purged.filter(isOther), name);
      byHash.set(name.hash, name);
    },
    /** What was purged of a segment and all before it; undefined for nothing. */
    purgedOf: (hash: string): string | undefined => {
      if (purged.length === 0) return undefined;
      const hashes = new Set([...backFrom(hash)].map((name) => name.hash));
      const marks = purged.flatMap((name) => (hashes.has(name.hash) ? [`${name.hash} ${name.replaced}`] : []));
      return marks.length === 0 ? undefined : hashBytes(Buffer.from(marks.sort().join('\n')));
    },
    /** The segment with which a fork of this name goes its own way. */
    partingOf: (log: string): SegmentName | undefined => partings.get(log),
  };
}

const inOrder = (a: SegmentName, b: SegmentName): number =>
  a.seq - b.seq || (a.chain < b.chain ? -1 : a.chain > b.chain ? 1 : a.hash < b.hash ? -1 : 1);

/** The name of the session that begins to be another with this segment. */
export const nameFor = (name: SegmentName, before: SegmentName | undefined): string =>
  name.previous === '' || before?.chain !== name.chain ? name.chain : forkName(name.chain, name.hash);
