import { localize } from '../../domain/language.ts';
import type { SessionListEntry } from '../../domain/session/session-list-entry.ts';
import { formatCount, formatSize, pluralize, timeAgo } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { table } from '../text/table.ts';

export const sessionsJson = (rows: readonly SessionListEntry[]): string =>
  `${JSON.stringify(
    rows.map((row) => (row.problem === undefined ? row : { ...row, problem: row.problem.en })),
    null,
    2,
  )}\n`;

/** The sessions in the order given. Ends with a newline. */
export function sessionsTable(
  rows: readonly SessionListEntry[],
  { now, columns }: { readonly now: Date; readonly columns: number },
): string {
  if (rows.length === 0) return localize({ en: 'No sessions yet. Run sanbot to start one.\n', zh: '还没有会话。运行 sanbot 新建一个。\n' });
  const titles = localize(columnTitles);
  const head = [
    { title: 'id' },
    { title: titles.lastUsed },
    { title: titles.size, align: 'right' },
    { title: titles.folder, minWidth: 12 },
    { title: titles.title, minWidth: 16 },
  ] as const;
  const cells = rows.map((row) => [
    safeLine(row.sessionId),
    usedText(row, now),
    formatSize(row.bytes),
    safeLine(row.cwd),
    safeLine(
      row.problem === undefined ? row.title : localize({ en: `cannot be opened: ${row.problem.en}`, zh: `无法打开：${row.problem.zh}` }),
    ),
  ]);
  const unreadable = rows.filter((row) => row.problem !== undefined).length;
  const hint = localize({
    en: `${pluralize(rows.length, 'session')}.${unreadable === 0 ? '' : ` ${formatCount(unreadable)} cannot be opened.`} Continue one: sanbot --resume ID`,
    zh: `${formatCount(rows.length)} 个会话。${unreadable === 0 ? '' : `${formatCount(unreadable)} 个无法打开。`}继续其中一个：sanbot --resume ID`,
  });
  return `${table(head, cells, columns)}\n${hint}\n`;
}

const columnTitles = {
  en: { lastUsed: 'last used', size: 'size', folder: 'folder', title: 'title' },
  zh: { lastUsed: '上次使用', size: '大小', folder: '文件夹', title: '标题' },
};

const usedText = ({ open, updatedAt }: SessionListEntry, now: Date): string =>
  open ? localize({ en: 'open now', zh: '正在使用' }) : timeAgo(updatedAt, now);

/** One line for a picker; the folder is said where it is another than `folder`. */
export function sessionChoice(row: SessionListEntry, { now, folder }: { readonly now: Date; readonly folder: string }): string {
  const used = usedText(row, now);
  const title = safeLine(
    row.problem === undefined ? row.title || localize({ en: '(no messages yet)', zh: '（还没有消息）' }) : localize(row.problem),
  );
  const place = row.cwd === folder ? [] : [safeLine(row.cwd)];
  return [used, title, ...place, formatSize(row.bytes), safeLine(row.sessionId)].join('  ');
}
