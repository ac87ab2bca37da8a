import { isObject } from '../domain/value/json.ts';
import { encodeRecord, readRecord } from '../store/files/record-line.ts';
import { isDeletion, usedObjects } from './delete.ts';
import { beginningOf, type ExchangeState, HEADER_ROOM } from './exchange-state.ts';
import type { Agreement, SyncHome } from './home.ts';
import { isDropped, isJournal } from './journal.ts';
import type { SegmentName, SyncTarget } from './port.ts';
import { compareTexts, type PurgeDifference, purgeDifference, purgedTexts } from './purged-form.ts';
import { replacedOf, replacing, type Segment } from './segment.ts';

/** `later`: an object has not come yet. `parted`: other lines than these. */
type PurgeOutcome =
  | { readonly kind: 'parted' | 'later' | 'obeyed' | 'busy' | 'refused' }
  | { readonly kind: 'owed'; readonly bytes: number }
  /** `bytes`: the lines here, all of the segment unless it `isPart`. */
  | { readonly kind: 'replaced'; readonly bytes: number; readonly isPart: boolean; readonly name: SegmentName };

type Place = {
  readonly log: string;
  readonly at: number;
  readonly segment: Segment;
  readonly name: SegmentName;
  readonly owed?: Set<string> | undefined;
};

/**
 * Brings lines here and those of a segment together when one side was purged: what was purged here is replaced there, and what was purged
 * there is purged in this home, wherever it stands. Both sides are compared text by text, so that the secret itself is nowhere written.
 */
async function settlePurge(home: SyncHome, target: SyncTarget, place: Place): Promise<PurgeOutcome> {
  const { log, at, segment } = place;
  const remote = linesOf(segment.bytes);
  const local = linesOf(home.read(log, at, segment.bytes.length * 2 + HEADER_ROOM)?.bytes ?? Buffer.alloc(0)).slice(0, remote.length);
  const found = local.length === 0 ? undefined : purgeDifference(local, remote);
  if (found === undefined) return { kind: 'parted' };
  if (!(await compareObjects(home, target, { found, place }))) return { kind: 'later' };
  if (found.there) {
    const texts = purgedTexts(found);
    for (const text of texts) place.owed?.add(text);
    if (texts.length > 0 && place.owed !== undefined) return { kind: 'owed', bytes: bytesOf(local) };
    return { kind: texts.length === 0 ? 'refused' : home.purge(texts) };
  }
  if (found.conflict || (segment.replaced !== undefined && !found.here)) return { kind: 'refused' };
  return found.here ? replace(home, target, { ...place, local, remote, refs: found.refs }) : { kind: 'parted' };
}

function linesOf(bytes: Buffer): readonly Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0, end = bytes.indexOf(0x0a); end >= 0; from = end + 1, end = bytes.indexOf(0x0a, from))
    lines.push(bytes.subarray(from, end + 1));
  return lines;
}

const bytesOf = (lines: readonly Buffer[]): number => lines.reduce((sum, line) => sum + line.length, 0);

type Compared = { readonly found: PurgeDifference; readonly place: Place };

/** False while an object is missing that the segment has. */
async function compareObjects(home: SyncHome, target: SyncTarget, { found, place: { log, segment } }: Compared): Promise<boolean> {
  for (const [own, other] of found.refs) {
    const here = home.object(log, own);
    const there = here === undefined ? undefined : await target.get(other);
    if (here === undefined) continue;
    const isGone = there === undefined && (await isDropped(target, segment, other));
    if (there === undefined && !isGone && segment.objects.includes(other)) return false;
    // What was purged there says so in its lines.
    if (isGone) found.here ||= segment.replaced === undefined;
    else if (there !== undefined && isJournal(log)) purgeDifference(linesOf(here), linesOf(there), found);
    else if (there !== undefined) compareTexts(here.toString('utf8'), there.toString('utf8'), found);
  }
  return true;
}

type Replacement = Place & Pick<PurgeDifference, 'refs'> & { readonly local: readonly Buffer[]; readonly remote: readonly Buffer[] };

/** New objects come first; the old ones go at the end of the exchange, for other segments are compared by them. */
async function replace(home: SyncHome, target: SyncTarget, place: Replacement): Promise<PurgeOutcome> {
  const { log, at, segment, name, local, remote, refs } = place;
  const bytes = bytesOf(local);
  const part = home.read(log, at, bytes);
  if (part === undefined) return { kind: 'parted' };
  const isPart = local.length < remote.length;
  const [first = Buffer.alloc(0), ...others] = local;
  const lines = Buffer.concat([headerLike(first, remote[0]), ...others, ...remote.slice(local.length)]);
  const objects: string[] = [];
  for (const sha256 of part.objects) {
    const object = home.object(log, sha256);
    if (object === undefined) continue;
    await target.put(sha256, object);
    objects.push(sha256);
  }
  const old = new Set(refs.values());
  const kept = isPart ? [...new Set([...objects, ...segment.objects.filter((sha256) => !old.has(sha256))])] : objects;
  const next = replacing(segment, lines, kept);
  await target.replace(next, name);
  return { kind: 'replaced', bytes, isPart, name: { ...name, replaced: replacedOf(next) } };
}

/** A fork that was brought here has a name of its own, which its segment has not. */
function headerLike(line: Buffer, other: Buffer | undefined): Buffer {
  const [header, like] = [readRecord(line), readRecord(other)];
  const isNamed = isObject(header) && isObject(like) && header.type === 'header' && header.sessionId !== like.sessionId;
  return isNamed ? encodeRecord({ ...header, sessionId: like.sessionId, parent: like.parent }) : line;
}

export type Settled =
  | { readonly kind: 'parted' }
  | { readonly kind: 'same'; readonly next: Agreement }
  | { readonly kind: 'next'; readonly next: Agreement | undefined };
type Parted = { readonly now: Agreement; readonly segment: Segment; readonly name: SegmentName };

/** What a purge made different is none that parted. After one here, all is compared anew. */
export async function settle(state: ExchangeState, log: string, { now, segment, name }: Parted): Promise<Settled> {
  const { home, target, report, held, obeyed, tree } = state;
  const key = `${log} ${name.hash} ${name.replaced}`;
  const owed = home.rest(log) === undefined ? undefined : state.owed;
  const outcome = await settlePurge(home, target, { log, at: now.end, segment, name, owed });
  if (outcome.kind === 'parted') return { kind: 'parted' };
  const same = (bytes: number): Settled => ({
    kind: 'same',
    next: { ...now, chain: name.chain, hash: name.hash, seq: name.seq, end: now.end + bytes },
  });
  if (outcome.kind === 'owed') return same(outcome.bytes);
  if (outcome.kind === 'replaced') {
    report.replaced += 1;
    tree.exchange(name, outcome.name);
    return outcome.isPart ? { kind: 'next', next: now } : same(outcome.bytes);
  }
  if (outcome.kind === 'obeyed' && !obeyed.has(key)) {
    obeyed.add(key);
    report.obeyed += 1;
    return { kind: 'next', next: beginningOf(log) };
  }
  held.add(name.hash);
  const told = outcome.kind === 'busy' ? report.busy : outcome.kind === 'later' ? report.waiting : report.unpurged;
  told.add(log);
  return { kind: 'next', next: undefined };
}

/** Takes away what was purged, also what a kill has left and what a carrier has brought back. */
export async function sweepPurged(state: ExchangeState): Promise<void> {
  const { target, tree } = state;
  const unwanted = new Set<string>();
  for (const name of tree.purged()) {
    for await (const segment of target.read(name.chain, name.seq)) {
      if (segment.seq > name.seq) break;
      if (segment.replaced?.hash !== name.hash || replacedOf(segment) !== name.replaced) continue;
      await target.replace(segment, name);
      for (const sha256 of segment.replaced.gone) await target.drop(sha256);
      for (const sha256 of isDeletion(name) && target.isCarried ? segment.objects : []) unwanted.add(sha256);
    }
  }
  let used: ReadonlySet<string> | undefined;
  for (const sha256 of unwanted) {
    if ((await target.get(sha256)) === undefined) continue;
    used ??= await usedObjects(state);
    if (!used.has(sha256)) await target.drop(sha256);
  }
}
