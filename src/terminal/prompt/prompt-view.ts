import { localize } from '../../domain/language.ts';
import type { EditorLayout } from '../editor/layout.ts';
import { placeInList } from '../input/input-text.ts';
import type { LiveFrame } from '../live/live-area.ts';
import { formatCount } from '../text/format.ts';
import type { Drawing, Paint } from '../text/paint.ts';
import { safeLine } from '../text/safe-text.ts';
import { clip, padEnd, textWidth } from '../text/text-width.ts';
import type { CompletionItem, MenuView } from './completion.ts';

export type PromptView = {
  readonly layout: EditorLayout;
  readonly isEmpty: boolean;
  readonly isAwaited: boolean;
  readonly queue: readonly string[];
  readonly search: string | undefined;
  readonly menu: MenuView | undefined;
};

const PROMPT = '> ';
const INDENT = '  ';

/** The columns that the text of a message has: the last one stays free for the cursor. */
export const editorColumns = (columns: number): number => Math.max(2, columns - PROMPT.length - 1);

export function editorFrame({ rows, row, column }: EditorLayout, maxRows: number): LiveFrame {
  const height = Math.max(1, Math.min(rows.length, maxRows));
  const first = Math.max(0, Math.min(row - Math.floor(height / 2), rows.length - height));
  const lines = rows.slice(first, first + height).map(({ text }, at) => {
    const index = first + at;
    const isCut = (at === 0 && first > 0) || (at === height - 1 && index < rows.length - 1);
    return `${index === 0 ? PROMPT : isCut ? '… ' : INDENT}${text}`;
  });
  return { lines, cursor: { row: row - first, column: PROMPT.length + column } };
}

export const echoText = ({ rows }: EditorLayout, paint: Paint): string =>
  `${rows.map(({ text }, at) => paint.strong(`${at === 0 ? PROMPT : INDENT}${text}`.trimEnd())).join('\n')}\n`;

const MAX_SHOWN_QUEUE = 3;

export function queueLines(queue: readonly string[], labels: (text: string) => string, { paint, columns }: Drawing): readonly string[] {
  const lines = queue
    .slice(0, MAX_SHOWN_QUEUE)
    .map((text) => clip(localize({ en: `(queued) ${safeLine(labels(text))}`, zh: `（排队中）${safeLine(labels(text))}` }), columns));
  const more = queue.length - MAX_SHOWN_QUEUE;
  const hint = queue.length === 0 ? [] : [localize({ en: 'Up takes the last one back', zh: '按上键取回最后一条' })];
  return [
    ...lines,
    ...(more > 0 ? [localize({ en: `and ${formatCount(more)} more`, zh: `还有 ${formatCount(more)} 条` })] : []),
    ...hint,
  ].map((line) => paint.quiet(clip(line, columns)));
}

const MAX_MENU_ROWS = 8;
const MIN_DETAIL_COLUMNS = 24;

export function menuLines({ items, selected }: MenuView, { paint, columns }: Drawing): readonly string[] {
  const first = Math.max(0, Math.min(selected - Math.floor(MAX_MENU_ROWS / 2), items.length - MAX_MENU_ROWS));
  const place = selected < 0 ? `${items.length}` : placeInList(selected + 1, items.length);
  const shown = items.slice(first, first + MAX_MENU_ROWS);
  const hasRoom = columns - Math.max(...shown.map(({ label }) => textWidth(label))) - 4 >= MIN_DETAIL_COLUMNS;
  const nameOf = ({ label, shortLabel = label }: CompletionItem): string => (hasRoom ? label : shortLabel);
  const width = Math.min(
    Math.max(...shown.map((item) => textWidth(nameOf(item)))),
    shown.every(({ detail }) => detail === '') ? columns - 2 : Math.floor(columns * 0.6),
  );
  const rows = shown.map((item, at) => {
    const { detail } = item;
    const name = padEnd(clip(nameOf(item), width), width);
    const mark = first + at === selected ? '❯' : ' ';
    const rest = clip(detail, columns - width - 4);
    return `${first + at === selected ? paint.code(`${mark} ${name}`) : `${mark} ${name}`}${rest === '' ? '' : `  ${paint.quiet(rest)}`}`;
  });
  return items.length > MAX_MENU_ROWS ? [...rows, paint.quiet(clip(`  ${place}`, columns))] : rows;
}
