import { auditedSession } from '../store/files/paths.ts';
import type { ExchangeState } from './exchange-state.ts';
import { type Agreement, type AgreementFile, parseAgreed, type SyncHome } from './home.ts';
import { isJournal } from './journal.ts';
import type { SegmentName } from './port.ts';
import { DELETED, hashBytes, placeOf, replacedOf, replacing, type Segment } from './segment.ts';

/**
 * How a home deletes a session that was sent: what was agreed with each target is marked before, so that it will be deleted there too,
 * whatever happens in between.
 */
export const removal =
  (remove: SyncHome['remove'], files: readonly AgreementFile[]): SyncHome['remove'] =>
  (log, at) => {
    const mark = (deleted: true | undefined): void => {
      for (const file of files) {
        const { logs, purges } = parseAgreed(file.read());
        const known = Object.entries(logs).filter(([name, { hash }]) => isPartOf(name, log) && hash !== null);
        const marked = known.map(([name, agreement]) => [name, { ...agreement, deleted }] as const);
        if (marked.length > 0) file.write({ logs: { ...logs, ...Object.fromEntries(marked) }, purges });
      }
    };
    mark(true);
    const outcome = remove(log, at);
    if (outcome !== 'removed') mark(undefined);
    return outcome;
  };

/** What is told of a session beside its log goes with it. */
const isPartOf = (name: string, log: string): boolean => name === log || auditedSession(name) === log;

/**
 * Takes from the target what was deleted here, except what another session goes on from. Its objects go before it, so that a kill leaves
 * nothing to which only they belong; those of others stay.
 */
export async function deleteThere(state: ExchangeState): Promise<void> {
  const { target, tree, agreements, report } = state;
  for (const [log, agreement] of agreements) {
    if (agreement.deleted !== true || agreement.hash === null) continue;
    const own = [...tree.backFrom(agreement.hash)];
    const kept = new Set<string>();
    const hashes = new Set(own.map(({ hash }) => hash));
    for (const name of tree.all())
      if (!hashes.has(name.hash) && !tree.isDeleted(name.hash)) for (const each of tree.backFrom(name.hash)) kept.add(each.hash);
    const going = own.filter(({ hash }) => !kept.has(hash) && !tree.isDeleted(hash));
    const gone = new Set(going.map(({ hash }) => hash));
    const segments = await fetchAll(state, going);
    if (segments === undefined) report.waiting.add(log);
    if (segments === undefined) continue;
    const used = going.length === 0 ? new Set<string>() : await usedObjects(state, gone);
    for (const { objects } of segments.values()) for (const sha256 of objects) if (!used.has(sha256)) await target.drop(sha256);
    // The end first: a session that is deleted in part is not continued.
    for (const [name, segment] of segments) {
      // Its objects stay named, for who still has them.
      const next = replacing(segment, Buffer.alloc(0), segment.objects);
      await target.replace(next, name);
      tree.exchange(name, { ...name, replaced: replacedOf(next) });
    }
    if (going.length > 0 && !isJournal(log)) report.deletedThere += 1;
    if (isJournal(log)) state.home.remove(log, agreement.end);
    agreements.set(log, { ...agreement, deleted: undefined, purged: tree.purgedOf(agreement.hash) });
  }
}

/** Undefined while one is not whole. */
async function fetchAll({ target }: ExchangeState, names: readonly SegmentName[]): Promise<ReadonlyMap<SegmentName, Segment> | undefined> {
  const found = new Map<SegmentName, Segment>();
  for (const name of names) {
    for await (const segment of target.read(name.chain, name.seq)) {
      if (segment.seq > name.seq) break;
      if (placeOf(segment).hash === name.hash && replacedOf(segment) === name.replaced) found.set(name, segment);
    }
    if (!found.has(name)) return undefined;
  }
  return found;
}

/** Objects to which lines refer that are there. */
export async function usedObjects({ target, tree }: ExchangeState, without: ReadonlySet<string> = new Set()): Promise<ReadonlySet<string>> {
  const used = new Set<string>();
  for (const chain of new Set(tree.all().map((name) => name.chain)))
    for await (const segment of target.read(chain, 1))
      if (!without.has(placeOf(segment).hash) && replacedOf(segment) !== DELETED) for (const sha256 of segment.objects) used.add(sha256);
  return used;
}

/** Objects that went with a session while another machine sent one that has them too: they are there again. */
export async function restoreObjects({ home, target, report }: ExchangeState, deleted: readonly SegmentName[]): Promise<void> {
  const logs = home.logs().filter((log) => !isJournal(log) && !report.kept.has(log) && !report.unpurged.has(log));
  for (const name of deleted)
    for await (const { seq, objects } of target.read(name.chain, name.seq)) {
      if (seq > name.seq) break;
      for (const sha256 of objects) {
        const bytes = logs.map((log) => home.object(log, sha256)).find((found) => found !== undefined);
        if (bytes !== undefined) await target.put(sha256, bytes);
      }
    }
}

/** How the lines here stand to those that were deleted there. `short`: these are fewer, so that nobody can tell. */
export function deletedHere({ home }: ExchangeState, log: string, now: Agreement, segment: Segment): Agreement | 'short' | undefined {
  const forms = segment.replaced?.was ?? [];
  const most = Math.max(...forms.map(({ bytes }) => bytes));
  // A header is one line, however long.
  const from = segment.previous === null ? (home.read(log, now.end, 1)?.bytes.length ?? 0) : 0;
  const lines = home.read(log, now.end, from + most)?.bytes ?? Buffer.alloc(0);
  for (const { bytes, sha256 } of forms)
    if (hashBytes(lines.subarray(from, from + bytes)) === sha256)
      return { ...now, ...placeOf(segment), seq: segment.seq, end: now.end + from + bytes };
  return lines.length > 0 && lines.length - from < most ? 'short' : undefined;
}

/** Deletes the session here of which all was deleted there. One that went on stays here, and is exchanged no more. */
export function obeyDeletion(state: ExchangeState, log: string, now: Agreement): void {
  const { home, tree, agreements, report, held } = state;
  if (now.hash === null || !tree.isDeleted(now.hash)) return;
  const outcome = home.remove(log, now.end);
  if (outcome !== 'removed') held.add(now.hash);
  if (isJournal(log)) return;
  if (outcome === 'removed') report.deleted.add(log);
  // What nobody there knows of goes at this exchange too.
  for (const [name, each] of outcome === 'removed' ? agreements : [])
    if (name !== log && isPartOf(name, log) && each.hash !== null) agreements.set(name, { ...each, deleted: true });
  if (outcome === 'busy') report.busy.add(log);
  if (outcome === 'changed') report.kept.add(log);
}

export const isDeletion = ({ replaced }: SegmentName): boolean => replaced === DELETED;
