import { localize } from '../../domain/language.ts';
import type { SessionListEntry } from '../../domain/session/session-list-entry.ts';
import { formatCount, formatSize, pluralize, timeAgo } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { table } from '../text/table.ts';
import { clip, textWidth } from '../text/text-width.ts';

export const sessionsJson = (rows: readonly SessionListEntry[]): string =>
  `${JSON.stringify(
    rows.map((row) => (row.problem === undefined ? row : { ...row, problem: row.problem.en })),
    null,
    2,
  )}\n`;

/** `resume` is what continues one where the table is read. */
type TableOptions = { readonly now: Date; readonly columns: number; readonly resume?: string };

export function sessionsTable(rows: readonly SessionListEntry[], { now, columns, resume = 'sanbot --resume ID' }: TableOptions): string {
  const count = rows.length;
  if (count === 0) return localize({ en: 'No sessions yet. Run sanbot to start one.\n', zh: '还没有会话。运行 sanbot 新建一个。\n' });
  const head = [
    { title: 'id' },
    { title: { en: 'last used', zh: '上次使用' } },
    { title: { en: 'size', zh: '大小' }, align: 'right' },
    { title: { en: 'folder', zh: '文件夹' }, minWidth: 12 },
    { title: { en: 'title', zh: '标题' }, minWidth: 16 },
  ] as const;
  const unreadable = rows.filter(({ problem }) => problem !== undefined).length;
  const hint = localize({
    en: `${pluralize(count, 'session')}.${unreadable === 0 ? '' : ` ${formatCount(unreadable)} cannot be opened.`} Continue one: ${resume}`,
    zh: `${formatCount(count)} 个会话。${unreadable === 0 ? '' : `${formatCount(unreadable)} 个无法打开。`}继续其中一个：${resume}`,
  });
  const cells = rows.map((row) => [
    safeLine(row.sessionId),
    usedText(row, now),
    formatSize(row.bytes),
    safeLine(row.cwd),
    safeLine(titleText(row)),
  ]);
  return `${table(head, cells, columns)}\n${hint}\n`;
}

const titleText = ({ title, problem, imported }: SessionListEntry): string =>
  problem === undefined
    ? `${importedText(imported)}${title}`
    : localize({ en: `cannot be opened: ${problem.en}`, zh: `无法打开：${problem.zh}` });

const importedText = (file: string | undefined): string =>
  file === undefined ? '' : localize({ en: `[imported: ${file}] `, zh: `[导入：${file}] ` });

const usedText = ({ open, updatedAt }: SessionListEntry, now: Date): string =>
  open ? localize({ en: 'open now', zh: '正在使用' }) : timeAgo(updatedAt, now);

const MIN_TITLE_COLUMNS = 16;

type ChoiceView = { readonly now: Date; readonly folder: string; readonly columns: number };

/** One line for a picker, its title as long as there is room; the folder is said where it is another than `folder`. */
export function sessionChoice(row: SessionListEntry, { now, folder, columns }: ChoiceView): string {
  const used = usedText(row, now);
  const title = safeLine(
    row.problem === undefined
      ? importedText(row.imported) + row.title || localize({ en: '(no messages yet)', zh: '（还没有消息）' })
      : localize(row.problem),
  );
  const place = row.cwd === folder ? [] : [safeLine(row.cwd)];
  const rest = [...place, formatSize(row.bytes), safeLine(row.sessionId)].join('  ');
  const room = columns - textWidth(used) - textWidth(rest) - 4;
  return [used, clip(title, Math.max(MIN_TITLE_COLUMNS, room)), rest].join('  ');
}
