import { type MemoryKind, memoryKinds } from '../domain/memory.ts';
import type { MemoryLine } from '../domain/memory-line.ts';
import { hashedSense, parseHashedSense, type Sense, sameSense, senseOf } from '../domain/memory-sense.ts';

/**
 * Every entry that was ever written to L1, by its id, so that what a person deleted is not extracted again. Hashes of words only: what
 * was forgotten does not stand here.
 */
export type KnownMemories = ReadonlyMap<string, KnownMemory>;
export type KnownMemory = {
  readonly kind: MemoryKind;
  readonly sense: Sense;
  /** It left its page for one that contradicts it, or to make room: nobody deleted it. */
  readonly aside: boolean;
};

/** Older ones are forgotten: some 100 bytes each, looked through at every flush. */
const MOST_KNOWN = 6_000;

export function parseKnown(text: string): KnownMemories {
  const known = new Map<string, KnownMemory>();
  for (const line of text.split('\n')) {
    const [id, kindName, state, hashed = ''] = line.split(' ');
    const kind = memoryKinds.find((each) => each === kindName);
    const sense = parseHashedSense(hashed);
    if (id !== undefined && kind !== undefined && sense !== undefined) known.set(id, { kind, sense, aside: state === 'aside' });
  }
  return known;
}

export const printKnown = (known: KnownMemories): string =>
  [...known]
    .slice(-MOST_KNOWN)
    .map(([id, { kind, sense, aside }]) => `${id} ${kind} ${aside ? 'aside' : 'page'} ${printSense(sense)}\n`)
    .join('');

const printSense = ({ terms, exact, negated }: Sense): string => `${negated ? '-' : '+'}${terms.join('.')}|${exact.join('.')}`;

/** With what stands on a page now, and what has left it. Edited by hand, an entry keeps the sense it was written with. */
export function withLines(known: KnownMemories, on: readonly MemoryLine[], aside: readonly MemoryLine[]): KnownMemories {
  const next = new Map(known);
  for (const line of on) {
    const before = next.get(line.id);
    if (!line.byHand && before?.aside !== false) next.set(line.id, { ...(before ?? knownOf(line, false)), aside: false });
  }
  for (const line of aside) next.set(line.id, { ...(next.get(line.id) ?? knownOf(line, true)), aside: true });
  return next;
}

function knownOf({ kind, text }: MemoryLine, aside: boolean): KnownMemory {
  const sense = parseHashedSense(hashedSense(senseOf(text))) ?? { terms: [], exact: [], negated: false };
  return { kind, sense, aside };
}

/** True when a person deleted an entry that said the same. */
export function wasDeleted(
  known: KnownMemories,
  { kind, sense, live }: { readonly kind: MemoryKind; readonly sense: Sense; readonly live: ReadonlySet<string> },
): boolean {
  const hashed = parseHashedSense(hashedSense(sense));
  if (hashed === undefined) return false;
  for (const [id, entry] of known) if (!entry.aside && entry.kind === kind && !live.has(id) && sameSense(hashed, entry.sense)) return true;
  return false;
}
