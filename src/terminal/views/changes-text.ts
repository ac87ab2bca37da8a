import { localize } from '../../domain/language.ts';
import { callName } from '../../domain/session/call-name.ts';
import type { ActRow, FileDifference } from '../chat/history-port.ts';
import { diffLines } from '../text/diff-text.ts';
import { pluralize, timeAgo } from '../text/format.ts';
import type { Drawing } from '../text/paint.ts';
import { safeLine } from '../text/safe-text.ts';
import { table } from '../text/table.ts';
import { clip } from '../text/text-width.ts';
import { moreText } from './file-restore-text.ts';

/** As `sanbot changes --json` prints them, the newest first. Fields are added here, never taken away. */
export const actsJson = (rows: readonly ActRow[]): string =>
  `${JSON.stringify(
    rows.map(({ n, at, title, also, isUnwatched, files }) => ({
      ...{ number: n, at, by: title ?? null, also, maybeOthers: isUnwatched },
      files: files.map(({ path, change }) => ({ path, change })),
    })),
    null,
    2,
  )}\n`;

type ActsView = { readonly now: Date; readonly columns: number };

export function actsTable(rows: readonly ActRow[], { now, columns }: ActsView): string {
  if (rows.length === 0) return `${noChangesText()}\n`;
  const head = [
    { title: '#', align: 'right' },
    { title: { en: 'when', zh: '时间' } },
    { title: { en: 'changed', zh: '更改' } },
    { title: { en: 'by', zh: '来源' }, minWidth: 12 },
  ] as const;
  const cells = rows.map((row) => [String(row.n), timeAgo(row.at, now), localize(row.note), whoText(row)]);
  return table(head, cells, columns);
}

export const noChangesText = (): string => localize({ en: 'No files were changed in this session.', zh: '本会话没有更改任何文件。' });

/** In fewer columns, by whom it was is worth more than when, which the order tells. */
const NARROW = 60;

/** One line for a list to choose from. */
export function actChoice(row: ActRow, { now, columns }: ActsView): string {
  const note = localize(row.note);
  const facts = columns < NARROW ? [clip(note, Math.floor(columns / 2) - 4)] : [timeAgo(row.at, now), note];
  return clip([row.n, ...facts, whoText(row)].join('  '), columns);
}

/** What several did at once cannot be told apart, and is said of all of them. */
function whoText({ title, also, isUnwatched }: ActRow): string {
  if (title === undefined) return localize({ en: 'not SanBot', zh: '不是 SanBot' });
  const all = [title, ...also].map((each) => safeLine(callName(each))).join(localize({ en: ', or meanwhile ', zh: '，或同时进行的 ' }));
  return isUnwatched ? localize({ en: `${all}, or you meanwhile`, zh: `${all}，或同时由你更改` }) : all;
}

export function actHeading(row: ActRow, now: Date): string {
  const [when, note] = [timeAgo(row.at, now), localize(row.note)];
  return `${row.n}  ${whoText(row)}  ${localize({ en: `(${when}, ${note})`, zh: `（${when}，${note}）` })}`;
}

const MAX_SHOWN = 20;
const MAX_NAMED = 200;

/** Each difference in turn. Ends with a newline, and is empty for none. */
export async function differencesText(all: readonly FileDifference[], drawing: Drawing): Promise<string> {
  const texts: string[] = [];
  for (const { preview } of all.slice(0, MAX_SHOWN)) texts.push(`${diffLines(await preview(), drawing).join('\n')}\n`);
  const [named, more] = [all.slice(MAX_SHOWN, MAX_SHOWN + MAX_NAMED), all.length - MAX_SHOWN - MAX_NAMED];
  if (named.length > 0) texts.push(alsoText(named.length));
  texts.push(...named.map(({ name }) => `${clip(safeLine(name), drawing.columns)}\n`), more > 0 ? moreText(more) : '');
  return texts.join('');
}

const alsoText = (count: number): string =>
  localize({ en: `Also changed, not shown: ${pluralize(count, 'path')}\n`, zh: `另有 ${count} 个路径也有更改，未显示：\n` });
