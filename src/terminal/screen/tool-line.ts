import { localize } from '../../domain/language.ts';
import { formatCount, formatDuration, formatSize } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { clip, textWidth } from '../text/text-width.ts';
import { type EventLine, type EventOf, type LineContext, quiet, undoByCommand } from './line.ts';

/** Shorter results need no size: it would be that of a few words. */
const MIN_SHOWN_BYTES = 1_000;
/** A title is shortened to fit its row, but never below this: then the details are. */
const MIN_TITLE_COLUMNS = 16;
/** Chinese brackets are two columns wide each, and have no blank before them. */
const MARK_AND_BRACKETS = { en: 5, zh: 6 };

type ToolRow = { readonly title: string | undefined; readonly columns: number };

/** What a tool did and what came of it, in one row of `columns` where its title can be shortened so far. */
export function toolLine(event: EventOf<'tool_ended'> | EventOf<'helper_called'>, { title = event.tool, columns }: ToolRow): EventLine {
  const note = safeLine(localize(event.note));
  const outcome = event.denied
    ? localize({ en: 'not allowed', zh: '未获准许' })
    : note === '' && !event.ok
      ? localize({ en: 'failed', zh: '失败' })
      : note;
  const time = event.denied ? '' : formatDuration(event.ms);
  const size = event.denied || event.bytes < MIN_SHOWN_BYTES ? '' : formatSize(event.bytes);
  const forms = [[outcome, size, time], [outcome, time], [outcome]].map((parts) =>
    parts.filter((part) => part !== '').join(localize({ en: ', ', zh: '，' })),
  );
  const roomBeside = (details: string): number => columns - textWidth(details) - localize(MARK_AND_BRACKETS);
  const details = forms.find((form) => roomBeside(form) >= MIN_TITLE_COLUMNS) ?? forms.at(-1) ?? '';
  const name = clip(safeLine(title), Math.max(MIN_TITLE_COLUMNS, roomBeside(details)));
  return {
    tone: event.ok ? 'quiet' : 'bad',
    text: `${event.ok ? '✓' : '✗'} ${localize({ en: `${name} (${details})`, zh: `${name}（${details}）` })}`,
  };
}

/** What a tool found or printed, each line in a row, and how much more there is. */
export function outputLines({ lines, omitted, from }: EventOf<'tool_output'>, columns: number): EventLine {
  const rows = lines.map((line) => clip(`  ${safeLine(typeof line === 'string' ? line : localize(line))}`, columns));
  if (omitted === 0) return quiet(rows.join('\n'));
  const more = clip(localize({ en: `  … ${formatCount(omitted)} more`, zh: `  … 还有 ${formatCount(omitted)} 行` }), columns);
  return quiet((from === 'end' ? [more, ...rows] : [...rows, more]).join('\n'));
}

/** How many files a call changed; where keys work, also which one shows them. */
export function changedLine({ toolUseId, note }: EventOf<'files_changed'>, { undo, columns }: LineContext): EventLine {
  const key = undo === undoByCommand && toolUseId !== undefined ? localize({ en: ' (Ctrl-O shows)', zh: '（Ctrl-O 查看）' }) : '';
  return quiet(`${clip(`  ${safeLine(localize(note))}`, columns - textWidth(key))}${key}`);
}

/** What a helper was given: what it does next takes the place of that in the live line. */
export const helperStartLine = ({ helper, task, continued }: EventOf<'helper_started'>, columns: number): EventLine =>
  quiet(
    clip(
      localize({
        en: `Helper ${helper}${continued ? ' goes on' : ''}: ${safeLine(task)}`,
        zh: `子代理 ${helper}${continued ? ' 继续' : ''}：${safeLine(task)}`,
      }),
      columns,
    ),
  );
