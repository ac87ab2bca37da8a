import type { SessionListEntry } from '../../domain/session/session-list-entry.ts';
import { formatSize, pluralize, timeAgo } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { table } from '../text/table.ts';

export const sessionsJson = (rows: readonly SessionListEntry[]): string => `${JSON.stringify(rows, null, 2)}\n`;

/** The sessions in the order given. Ends with a newline. */
export function sessionsTable(
  rows: readonly SessionListEntry[],
  { now, columns }: { readonly now: Date; readonly columns: number },
): string {
  if (rows.length === 0) return 'No sessions yet. Run sanbot to start one.\n';
  const head = [
    { title: 'id' },
    { title: 'last used' },
    { title: 'size', align: 'right' },
    { title: 'folder', minWidth: 12 },
    { title: 'title', minWidth: 16 },
  ] as const;
  const cells = rows.map((row) => [
    safeLine(row.sessionId),
    row.open ? 'open now' : timeAgo(row.updatedAt, now),
    formatSize(row.bytes),
    safeLine(row.cwd),
    safeLine(row.problem === undefined ? row.title : `cannot be opened: ${row.problem}`),
  ]);
  const unreadable = rows.filter((row) => row.problem !== undefined).length;
  const problems = unreadable === 0 ? '' : ` ${pluralize(unreadable, 'cannot be opened', 'cannot be opened')}.`;
  return `${table(head, cells, columns)}\n${pluralize(rows.length, 'session')}.${problems} Continue one: sanbot --resume ID\n`;
}

/** One line for a picker; the folder is said where it is another than `folder`. */
export function sessionChoice(row: SessionListEntry, { now, folder }: { readonly now: Date; readonly folder: string }): string {
  const used = row.open ? 'open now' : timeAgo(row.updatedAt, now);
  const title = safeLine(row.problem ?? (row.title === '' ? '(no messages yet)' : row.title));
  const place = row.cwd === folder ? [] : [safeLine(row.cwd)];
  return [used, title, ...place, formatSize(row.bytes), safeLine(row.sessionId)].join('  ');
}
