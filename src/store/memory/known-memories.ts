import { type MemoryKind, memoryKinds } from '../../domain/memory/memory.ts';
import type { MemoryLine } from '../../domain/memory/memory-line.ts';
import { hashSense, parseHashedSense, type Sense, sameSense, senseOf } from '../../domain/memory/memory-sense.ts';

/** Every entry ever written to L1, by its id, so that one deleted by a person is not extracted again. Holds hashes of words only. */
export type KnownMemories = ReadonlyMap<string, KnownMemory>;
export type KnownMemory = {
  readonly kind: MemoryKind;
  readonly sense: Sense;
  /** True when it left its page for an entry that contradicts it, or to make room: nobody deleted it. */
  readonly aside: boolean;
  /** When it was said, ISO 8601; only the day when nothing finer is known. */
  readonly at: string;
};

/** Older ones are dropped: each takes some 100 bytes, and all are searched at every flush. */
const MAX_KNOWN = 6_000;

export function parseKnown(text: string): KnownMemories {
  const known = new Map<string, KnownMemory>();
  for (const line of text.split('\n')) {
    const [id, kindName, state, senseText = '', at = ''] = line.split(' ');
    const kind = memoryKinds.find((each) => each === kindName);
    const sense = parseHashedSense(senseText);
    if (id !== undefined && kind !== undefined && sense !== undefined) known.set(id, { kind, sense, aside: state === 'aside', at });
  }
  return known;
}

export const printKnown = (known: KnownMemories): string =>
  [...known]
    .slice(-MAX_KNOWN)
    .map(([id, { kind, sense, aside, at }]) => `${id} ${kind} ${aside ? 'aside' : 'page'} ${printSense(sense)} ${at}\n`)
    .join('');

const printSense = ({ terms, exact, negated }: Sense): string => `${negated ? '-' : '+'}${terms.join('.')}|${exact.join('.')}`;

export type PageState = {
  readonly current: readonly MemoryLine[];
  readonly aside: readonly MemoryLine[];
  /** When the new entries were said, by id. */
  readonly times?: ReadonlyMap<string, string>;
};

/** Adds the entries that are on a page now, and those that have left it. An entry edited by hand keeps the sense it was written with. */
export function withLines(known: KnownMemories, { current, aside, times }: PageState): KnownMemories {
  const next = new Map(known);
  for (const line of current) {
    const before = next.get(line.id);
    if (!line.byHand && before?.aside !== false) next.set(line.id, { ...(before ?? knownMemoryOf(line, times)), aside: false });
  }
  for (const line of aside) next.set(line.id, { ...(next.get(line.id) ?? knownMemoryOf(line, times)), aside: true });
  return next;
}

function knownMemoryOf({ id, kind, text, day }: MemoryLine, times: PageState['times']): KnownMemory {
  const sense = parseHashedSense(hashSense(senseOf(text))) ?? { terms: [], exact: [], negated: false };
  return { kind, sense, aside: false, at: times?.get(id) ?? day ?? '' };
}

/** True when a person deleted an entry that said the same. */
export function wasDeleted(
  known: KnownMemories,
  { kind, sense, live }: { readonly kind: MemoryKind; readonly sense: Sense; readonly live: ReadonlySet<string> },
): boolean {
  const target = parseHashedSense(hashSense(sense));
  if (target === undefined) return false;
  for (const [id, entry] of known) if (!entry.aside && entry.kind === kind && !live.has(id) && sameSense(target, entry.sense)) return true;
  return false;
}
