import { isString } from '../domain/value/json.ts';
import { isDeletion, restoreObjects } from './delete.ts';
import type { ExchangeState } from './exchange-state.ts';
import type { SyncHome } from './home.ts';
import { journalOf, journalsOf, readJournal, writeJournal } from './journal.ts';
import type { SegmentName } from './port.ts';

/** Names a purge or a deletion of lines. */
export const markOf = ({ hash, replaced }: SegmentName): string => `${hash.slice(0, 16)} ${replaced}`;

/** Writes into the journal here which purges and deletions this home has obeyed, so that the others know. True when something was written. */
export async function confirm(state: ExchangeState): Promise<boolean> {
  const { home, tree, report, held } = state;
  // Of what has not come it is not known whether it must be purged.
  if (report.waiting.size > 0 || report.busy.size > 0) return false;
  const log = journalOf(home.writer);
  const known = home.has(log) ? new Set(confirmedIn(home, log)) : undefined;
  const fresh = tree.purged().filter((name) => !held.has(name.hash) && known?.has(markOf(name)) !== true);
  if (fresh.length === 0 && known !== undefined) return false;
  await restoreObjects(state, fresh.filter(isDeletion));
  // The name makes it a segment of its own.
  writeJournal(home, [{ type: 'obeyed', writer: home.writer, purges: fresh.map(markOf) }]);
  return true;
}

const confirmedIn = (home: Pick<SyncHome, 'read'>, log: string): readonly string[] =>
  readJournal(home, log).flatMap(({ type, purges }) => (type === 'obeyed' && Array.isArray(purges) ? purges.filter(isString) : []));

type Journals = Pick<SyncHome, 'read' | 'logs' | 'writer'>;

/** The machines that have not confirmed each of these, as far as it is known here; not those that were forgotten. */
export function unconfirmedBy(home: Journals, purges: readonly string[]): readonly string[] {
  const others = journalsOf(home).filter((log) => log !== journalOf(home.writer));
  const late = others.filter((log) => {
    const known = new Set(confirmedIn(home, log));
    return !purges.every((purge) => known.has(purge));
  });
  const gone = late.length === 0 ? new Map<string, number>() : forgotten(home);
  return late.map((log) => log.slice(1)).filter((writer) => (gone.get(writer) ?? -1) < readJournal(home, journalOf(writer)).length);
}

/** How much each machine that was forgotten had said by then. */
function forgotten(home: Journals): ReadonlyMap<string, number> {
  const said = new Map<string, number>();
  for (const { type, machine, records } of journalsOf(home).flatMap((log) => readJournal(home, log)))
    if (type === 'forgotten' && isString(machine) && typeof records === 'number')
      said.set(machine, Math.max(records, said.get(machine) ?? 0));
  return said;
}

/** Tells all machines not to wait for one any more, unless it says something new. Returns the names of those that there are when it is none of them. */
export function forget(home: SyncHome, machine: string): readonly string[] | undefined {
  const others = journalsOf(home).filter((log) => log !== journalOf(home.writer));
  if (!others.includes(journalOf(machine))) return others.map((log) => log.slice(1));
  writeJournal(home, [{ type: 'forgotten', machine, records: readJournal(home, journalOf(machine)).length }]);
  return undefined;
}
