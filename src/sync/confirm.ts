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

/** The machines that have not confirmed each of these, as far as it is known here. */
export const unconfirmedBy = (home: Pick<SyncHome, 'read' | 'logs' | 'writer'>, purges: readonly string[]): readonly string[] =>
  journalsOf(home).flatMap((log) => {
    const known = new Set(confirmedIn(home, log));
    return log === journalOf(home.writer) || purges.every((purge) => known.has(purge)) ? [] : [log.slice(1)];
  });
