import { localize } from '../../domain/language.ts';
import { callName } from '../../domain/session/call-name.ts';
import type { TodoItem } from '../../domain/session/ledger.ts';
import { formatCount, formatDuration } from '../text/format.ts';
import type { Paint } from '../text/paint.ts';
import { safeLine, withoutColours } from '../text/safe-text.ts';
import { clip, textWidth, wrap } from '../text/text-width.ts';
import { type EventLine, type EventOf, type LineContext, quiet, undoByCommand } from './line.ts';

/** A title is shortened to fit its row, but never below this: then the details are. */
const MIN_TITLE_COLUMNS = 16;
const SHOWN_MS = 1_000;
/** What the person said with a no. */
const MAX_WHY_COLUMNS = 400;
/** Where a wide window ends for the time: further to the right nobody looks for it. */
const MAX_COLUMNS = 100;
const GAP = '  ';
export const CALL_INDENT = '    ';

type CallPlace = { readonly title: string | undefined; readonly columns: number };
export type EndedCall = EventOf<'tool_ended'> | EventOf<'helper_called'>;

export function toolLine(event: EndedCall, { title = callName(event.tool), columns }: CallPlace): EventLine {
  const { ok, denied, ms } = event;
  return callRow({ ok, name: safeLine(title), outcome: outcomeText(event), ms: denied ? 0 : ms, columns });
}

function outcomeText({ ok, denied, note }: EndedCall): string {
  if (denied) {
    const why = clip(safeLine(note.en.replace(/^denied(?:: )?/, '')), MAX_WHY_COLUMNS);
    const isSaid = note.en.startsWith('denied: ');
    return localize({ en: `not allowed${isSaid ? `: ${why}` : ''}`, zh: `未获准许${isSaid ? `：${why}` : ''}` });
  }
  const text = safeLine(localize(note));
  if (ok) return note.en === SUCCESS ? '' : text;
  return text === '' ? localize({ en: 'failed', zh: '失败' }) : text;
}

/** The mark says it. */
const SUCCESS = 'exit 0';

type CallRow = { readonly ok: boolean; readonly name: string; readonly outcome: string; readonly ms: number; readonly columns: number };

/** What came of it stands below where the title would have no room beside it. */
export function callRow({ ok, name: whole, outcome, ms, columns }: CallRow): EventLine {
  const isBelow = MARK_COLUMNS + MIN_TITLE_COLUMNS + GAP.length + textWidth(outcome) > columns;
  const duration = ms < SHOWN_MS ? '' : formatDuration(ms);
  const widthOf = (part: string): number => (part === '' ? 0 : GAP.length + textWidth(part));
  const beside = isBelow ? '' : outcome;
  const roomBeside = (time: string): number => columns - MARK_COLUMNS - widthOf(beside) - widthOf(time);
  const time = roomBeside(duration) >= MIN_TITLE_COLUMNS ? duration : '';
  const name = clip(whole, Math.max(MIN_TITLE_COLUMNS, roomBeside(time)));
  const used = MARK_COLUMNS + textWidth(name) + widthOf(beside) + textWidth(time);
  const blanks = Number.isFinite(columns) ? ' '.repeat(Math.max(GAP.length, Math.min(columns, MAX_COLUMNS) - used)) : GAP;
  const [mark, tone] = ok ? (['✓', 'good'] as const) : (['✗', 'bad'] as const);
  const details = beside === '' ? '' : `${GAP}${beside}`;
  const below = isBelow ? wrap(outcome, columns - CALL_INDENT.length).map((row) => `\n${CALL_INDENT}${row}`) : [];
  const end = time === '' ? '' : `${blanks}${time}`;
  return {
    tone: ok ? 'plain' : 'bad',
    text: `${mark} ${name}${details}${end}${below.join('')}`,
    drawn: (paint: Paint) =>
      `${paint[tone](mark)} ${name}${(ok ? paint.quiet : paint.bad)(details)}${paint.quiet(end)}${below.map(ok ? paint.quiet : paint.bad).join('')}`,
    isCall: true,
  };
}

const MARK_COLUMNS = 2;

export function outputLines(
  { lines, omitted, from, first = from === 'end' ? 0 : lines.length }: EventOf<'tool_output'>,
  columns: number,
): EventLine {
  const rows = lines.map((line) =>
    clip(`${CALL_INDENT}${safeLine(withoutColours(typeof line === 'string' ? line : localize(line)))}`, columns),
  );
  const more = omitted === 0 ? [] : [clip(`${CALL_INDENT}${moreLines(omitted)}`, columns)];
  return belowCall([...rows.slice(0, first), ...more, ...rows.slice(first)].join('\n'));
}

export const moreLines = (count: number): string => localize({ en: `… ${formatCount(count)} more`, zh: `… 还有 ${formatCount(count)} 行` });

export function changedLine({ toolUseId, note }: EventOf<'files_changed'>, { undo, columns }: LineContext): EventLine {
  const key = undo === undoByCommand && toolUseId !== undefined ? localize({ en: ' (Ctrl-O shows)', zh: '（Ctrl-O 查看）' }) : '';
  return belowCall(`${clip(`${CALL_INDENT}${safeLine(localize(note))}`, columns - textWidth(key))}${key}`);
}

const belowCall = (text: string): EventLine => ({ ...quiet(text), isCall: true });

export const helperStartLine = ({ helper, task, continued }: EventOf<'helper_started'>, columns: number): EventLine =>
  belowCall(
    clip(
      localize({
        en: `Helper ${helper}${continued ? ' goes on' : ''}: ${safeLine(task)}`,
        zh: `子代理 ${helper}${continued ? ' 继续' : ''}：${safeLine(task)}`,
      }),
      columns,
    ),
  );

export const itemMarks = { done: '✓', in_progress: '▸', pending: '·' } as const;

/** The items to show: all of a list that is new or was told another way, else those that were not there so before. */
export function todoRows(items: readonly TodoItem[], before: readonly TodoItem[] | undefined): readonly TodoItem[] {
  const isKnown = ({ text, status }: TodoItem): boolean => before?.some((item) => item.text === text && item.status === status) === true;
  return items.filter((item) => !isKnown(item));
}

export function todoLine({ text, status }: TodoItem, columns: number): EventLine {
  const row = clip(`${CALL_INDENT}${itemMarks[status]} ${safeLine(text)}`, columns);
  const drawn = (paint: Paint): string =>
    status === 'done' ? paint.quiet(row) : status === 'in_progress' ? paint.strong(row) : paint.plain(row);
  return { text: row, tone: 'plain', isCall: true, drawn };
}

export const currentItem = (items: readonly TodoItem[]): string | undefined => items.find(({ status }) => status === 'in_progress')?.text;
