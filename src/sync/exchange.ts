/**
 * The exchange of sessions between a home and a target: what is only here is sent, and what is only there is brought here.
 *
 * Logs grow at their end alone, so that one of two states of a session is the beginning of the other, or they parted. A state that is
 * behind is continued. Where they parted, both stay: the one here goes on under its name and is sent as a fork, and the other comes as a
 * session of its own. Lines are never mixed, and none is overwritten.
 *
 * It may be killed anywhere and called again: what was sent is found by comparing, and sending it twice changes nothing. What a carrier has
 * not brought as a whole is waited for.
 */

import { align } from './align.ts';
import { bringRest, fetchObjects, fetchSegment } from './bring.ts';
import { confirm, markOf } from './confirm.ts';
import { deletedHere, deleteThere, isDeletion, obeyDeletion } from './delete.ts';
import { beginningOf, type ExchangeReport, type ExchangeState, emptyReport, HEADER_ROOM } from './exchange-state.ts';
import { type Agreement, type AgreementFile, parseAgreed, type SyncHome } from './home.ts';
import { isJournal, isTold, journalOf } from './journal.ts';
import { settle, sweepPurged } from './obey.ts';
import type { SegmentName, SyncTarget } from './port.ts';
import { forkName, type Segment } from './segment.ts';
import { sendNext } from './send.ts';
import { nameFor, treeOf } from './tree.ts';

export async function exchange(home: SyncHome, target: SyncTarget, file: AgreementFile, takesVersions = false): Promise<ExchangeReport> {
  const report = emptyReport();
  const agreements = new Map(Object.entries(parseAgreed(file.read()).logs));
  const tree = treeOf(await target.list());
  const retired = await target.retention?.retired();
  const owed = new Set<string>();
  const state: ExchangeState = { home, target, tree, agreements, report, held: new Set(), obeyed: new Set(), owed, retired, takesVersions };
  if (home.purge([]) === 'busy') for (const log of home.logs()) report.busy.add(log);
  if (report.busy.size > 0) return report;
  try {
    // A purge of one is refused while another is not here as a whole.
    for (const log of home.logs()) if (home.rest(log) !== undefined) await makeWhole(state, log);
    if (owed.size > 0) home.purge([...owed]);
    for (const log of home.logs()) await agree(state, log);
    await deleteThere(state);
    await bringNew(state);
    await sweepPurged(state);
    if (await confirm(state)) await agree(state, journalOf(home.writer));
    for (const [session, { untold }] of agreements) if (untold !== undefined) report.forks.push({ session, ...untold });
  } finally {
    // A kill before it costs a comparison.
    file.write({ logs: Object.fromEntries(agreements), purges: tree.purged().map(markOf) });
  }
  return report;
}

/** Brings the rest of a session. Where something of it was purged, what is here alone is sent, and all of it comes anew. */
async function makeWhole(state: ExchangeState, log: string): Promise<void> {
  const { home, tree, agreements } = state;
  if (await bringRest(state, log)) return;
  const known = agreements.get(log);
  if (known === undefined || !tree.has(known.hash ?? '')) return;
  const { end } = await catchUp(state, log, known);
  if (end === home.stat(log).bytes && home.discard(log, end) === 'removed') agreements.delete(log);
}

export async function agree(state: ExchangeState, log: string): Promise<void> {
  const { home, tree, agreements } = state;
  // Only what is agreed can be gone on with by its end alone.
  if (home.rest(log) !== undefined && startOf(state, log, agreements.get(log)).hash === null) {
    if (!(await bringRest(state, log))) state.report.waiting.add(log);
    if (home.rest(log) !== undefined) return;
  }
  const known = agreements.get(log);
  const { bytes, file } = home.stat(log);
  const isUnchanged = known?.hash != null && known.file === file && known.end === bytes && known.purged === tree.purgedOf(known.hash);
  if (isUnchanged && tree.has(known.hash ?? '') && !tree.isDeleted(known.hash ?? '') && tree.after(known.hash ?? '').length === 0) return;
  if (known?.hash != null && state.retired?.has(known.chain) && !tree.has(known.hash))
    if (known.end === bytes && home.digest(log, known.end) === known.digest) return;
  const now = await catchUp(state, log, startOf(state, log, known));
  const digest = home.digest(log, now.end);
  const untold = known === undefined ? await partingOf(state, log) : known.untold;
  const purged = now.hash === null ? undefined : tree.purgedOf(now.hash);
  if (digest !== undefined) agreements.set(log, { ...now, digest, file: home.stat(log).file, purged, untold });
  obeyDeletion(state, log, now);
}

/** What was agreed, while both sides still have it; else both are compared from their beginnings. */
export function startOf({ home, tree }: ExchangeState, log: string, known: Agreement | undefined): Agreement {
  const isThere = known?.hash != null && tree.has(known.hash) && known.purged === tree.purgedOf(known.hash);
  return isThere && home.digest(log, known.end) === known.digest ? known : beginningOf(log);
}

/** Both sides as far as it goes now. */
export async function catchUp(state: ExchangeState, log: string, from: Agreement): Promise<Agreement> {
  let now = from;
  for (let next: Agreement | undefined = now; next !== undefined; next = await follow(state, log, now)) now = next;
  return now;
}

/** One segment further; undefined when both sides have the same, or no more can be done now. */
async function follow(state: ExchangeState, log: string, now: Agreement): Promise<Agreement | undefined> {
  const { home, report } = state;
  const nexts = nextsOf(state, log, now);
  const parted: { readonly segment: Segment; readonly name: SegmentName }[] = [];
  const behind: { readonly segment: Segment; readonly name: SegmentName; readonly at: number; readonly missing: Buffer }[] = [];
  let isWaiting = false;
  let same: Agreement | undefined;
  for (const name of nexts) {
    const segment = await fetchSegment(state.target, name);
    isWaiting ||= segment === undefined;
    if (segment === undefined) continue;
    const deleted = isDeletion(name) ? deletedHere(state, log, now, segment) : undefined;
    if (deleted === 'short') report.kept.add(log);
    if (deleted === 'short') return undefined;
    same ??= deleted;
    if (isDeletion(name)) continue;
    const local = home.read(log, now.end, segment.bytes.length + HEADER_ROOM)?.bytes ?? Buffer.alloc(0);
    const aligned = align(local, segment.bytes);
    if (aligned.kind === 'parted') parted.push({ segment, name });
    if (aligned.kind === 'parted') continue;
    const at = now.end + aligned.bytes;
    if (aligned.kind === 'same') same ??= { ...now, chain: name.chain, hash: name.hash, seq: name.seq, end: at };
    if (aligned.kind === 'same') continue;
    if (home.read(log, at, 1) === undefined) behind.push({ segment, name, at, missing: aligned.missing });
  }
  for (const place of parted) {
    // Two machines may have purged one segment apart; what parted from one that is the same is a fork.
    if (same !== undefined && same.hash !== place.name.hash) continue;
    const settled = await settle(state, log, { ...place, now });
    if (settled.kind === 'same') same = settled.next;
    else if (settled.kind === 'next') return settled.next;
  }
  if (same !== undefined) return same;
  const [first] = behind;
  if (first !== undefined) return goOn(state, log, { ...first, now });
  // A fork that goes its own way from here leaves this one to go on.
  const isParted = now.hash === null ? nexts.length > 0 : nexts.some(({ chain }) => chain === now.chain);
  if (!isWaiting) return sendNext(state, log, { now, isParted });
  report.waiting.add(log);
  return undefined;
}

/** A fork takes the way that leads to where it parted; any other log that of its own chain first. */
function nextsOf({ tree }: ExchangeState, log: string, { chain, hash }: Agreement): readonly SegmentName[] {
  const nexts = hash === null ? tree.beginnings(log) : tree.after(hash);
  const parting = tree.partingOf(log);
  const hashes = new Set(parting === undefined || nexts.length === 0 ? [] : [...tree.backFrom(parting.hash)].map((name) => name.hash));
  const way = nexts.filter((name) => hashes.has(name.hash));
  return way.length > 0 ? way : nexts.toSorted((a, b) => Number(b.chain === chain) - Number(a.chain === chain));
}

/** Where a session that was brought here parted from the one of that name; told until somebody has read it. */
async function partingOf({ tree, target }: ExchangeState, log: string): Promise<Agreement['untold']> {
  const isOther = (name: SegmentName): boolean => name.previous === '' && name.chain !== log && forkName(name.chain, name.hash) === log;
  const name = tree.partingOf(log) ?? tree.all().find(isOther);
  // A journal that parted is one of a home that was copied; both are read.
  if (name === undefined || isJournal(log)) return undefined;
  const segment = await fetchSegment(target, name);
  const of = [...tree.backFrom(name.hash)].at(-1)?.chain;
  return segment === undefined || of === undefined ? undefined : { of, writer: segment.writer, first: segment.first };
}

type Behind = {
  readonly now: Agreement;
  readonly segment: Segment;
  readonly name: SegmentName;
  readonly at: number;
  readonly missing: Buffer;
};

/** Adds to the log here what the other side has more. */
async function goOn({ home, target, report }: ExchangeState, log: string, { now, segment, name, at, missing }: Behind) {
  const objects = await fetchObjects(target, segment);
  if (objects === undefined) report.waiting.add(log);
  if (objects === undefined) return undefined;
  const outcome = home.append(log, at, missing, objects);
  if (outcome === 'busy') report.busy.add(log);
  if (outcome !== 'appended') return undefined;
  if (isTold(log, missing)) report.received += 1;
  return { ...now, chain: name.chain, hash: name.hash, seq: name.seq, end: at + missing.length };
}

/**
 * Makes a session of each state that no session here has. None of what follows one that was deleted here or must not leave, nor of what follows one that
 * cannot be continued just now: the next exchange does that.
 */
async function bringNew(state: ExchangeState): Promise<void> {
  const { home, tree, agreements, report } = state;
  const covered = new Set<string>();
  const cover = (log: string): void => {
    const hash = agreements.get(log)?.hash;
    for (const name of hash == null ? [] : tree.backFrom(hash)) covered.add(name.hash);
  };
  const leftAlone = new Set(state.held);
  const here = new Set(home.logs());
  for (const [log, { hash }] of agreements) {
    cover(log);
    if (hash !== null && (!here.has(log) || report.busy.has(log) || report.waiting.has(log) || report.unpurged.has(log)))
      leftAlone.add(hash);
  }
  for (const name of tree.all()) {
    const before = tree.before(name);
    if (tree.isDeleted(name.hash)) leftAlone.add(name.hash);
    if (before !== undefined && leftAlone.has(before.hash)) leftAlone.add(name.hash);
    if (covered.has(name.hash) || leftAlone.has(name.hash)) continue;
    const isReachable = name.previous === '' || (before !== undefined && covered.has(before.hash));
    const log = isReachable ? await bringOne(state, name, before) : undefined;
    if (log === undefined) report.waiting.add(name.chain);
    if (log === undefined) continue;
    await agree(state, log);
    cover(log);
  }
}

/** Begins the session of a segment; `agree` then continues it. Undefined when a part of it is not there yet. */
export async function bringOne({ home, target, tree, report }: ExchangeState, name: SegmentName, before: SegmentName | undefined) {
  const own = await fetchSegment(target, name);
  const beginning = [...tree.backFrom(name.hash)].at(-1);
  const first = beginning?.previous === '' ? await fetchSegment(target, beginning) : undefined;
  const objects = first === undefined ? undefined : await fetchObjects(target, first);
  const wanted = nameFor(name, before);
  const log = home.has(wanted) ? forkName(name.chain, name.hash) : wanted;
  if (own === undefined || first === undefined || objects === undefined || home.has(log)) return undefined;
  if (home.append(log, 0, first.bytes, objects) !== 'appended') return undefined;
  if (isTold(log, first.bytes)) report.received += 1;
  return log;
}
