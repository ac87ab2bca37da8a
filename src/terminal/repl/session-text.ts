import { localize } from '../../domain/language.ts';
import type { SessionView } from '../chat/history-port.ts';
import { formatCount, pluralize } from '../text/format.ts';
import { safeLine, safeText } from '../text/safe-text.ts';
import { clip, wrap } from '../text/text-width.ts';

/** The last exchange stands in few rows: all of it is a scroll or a `sanbot export` away. */
const MAX_SAID_ROWS = 3;
const MAX_ANSWER_ROWS = 8;
const MAX_READ_CHARS = 20_000;
const MAX_TASKS = 3;

/** Where a session that is continued stood: what was said last, and what is unfinished. Empty for a new one; else ends with a newline. */
export function resumedText({ resumed, last, isCutShort, openTasks = [], jobs = [] }: SessionView, columns: number): string {
  if (!resumed) return '';
  const lines = [
    ...(last === undefined ? [] : [...firstRows(`> ${last.said}`, columns), ...lastRows(last.answer, columns)]),
    ...(isCutShort === true
      ? [localize({ en: 'The last turn was not finished. Say how it is to go on.', zh: '上一轮没有完成。请说明如何继续。' })]
      : []),
    ...tasksLines(openTasks),
    ...jobs.map((job) => localize({ en: `Still running: ${safeLine(job)}`, zh: `仍在运行：${safeLine(job)}` })),
  ];
  return lines.map((line) => `${clip(line, columns)}\n`).join('');
}

function tasksLines(tasks: readonly string[]): readonly string[] {
  if (tasks.length === 0) return [];
  const shown = tasks.slice(0, MAX_TASKS).map((task) => safeLine(task));
  const more = tasks.length - shown.length;
  return [
    localize({
      en: `${pluralize(tasks.length, 'task')} open: ${shown.join('; ')}${more > 0 ? `; and ${formatCount(more)} more` : ''}`,
      zh: `未完成的任务 ${formatCount(tasks.length)} 项：${shown.join('；')}${more > 0 ? `；另有 ${formatCount(more)} 项` : ''}`,
    }),
  ];
}

const rowsOf = (text: string, columns: number): readonly string[] =>
  safeText(text)
    .trim()
    .split('\n')
    .flatMap((line) => wrap(line, columns));

function firstRows(text: string, columns: number): readonly string[] {
  const rows = rowsOf(text.slice(0, MAX_READ_CHARS), columns);
  return rows.length <= MAX_SAID_ROWS ? rows : [...rows.slice(0, MAX_SAID_ROWS), '…'];
}

function lastRows(text: string, columns: number): readonly string[] {
  const rows = text.trim() === '' ? [] : rowsOf(text.slice(-MAX_READ_CHARS).toWellFormed(), columns);
  return rows.length <= MAX_ANSWER_ROWS ? rows : ['…', ...rows.slice(-MAX_ANSWER_ROWS)];
}

export type Undoable = {
  /** Messages of the user's to go back to, and compactions and the like that can be taken back. */
  readonly messages: number;
  readonly snapshots: number;
};

/** How to come back to a session that is left, and what of it can be undone. Ends with a newline. */
export function leaveText(sessionId: string, { messages, snapshots }: Undoable, columns: number): string {
  const id = safeLine(sessionId);
  const back = localize({ en: `Come back with: sanbot --resume ${id}`, zh: `再次继续：sanbot --resume ${id}` });
  const which = messages === 1 ? 'your message' : `any of your ${formatCount(messages)} messages`;
  const rewind = localize({
    en: `There, /rewind goes back to before ${which}, with the files that SanBot changed if you want.`,
    zh: `继续后，/rewind 可回到${messages === 1 ? '你的消息' : ` ${formatCount(messages)} 条消息中任意一条`}之前，并可按需恢复 SanBot 更改过的文件。`,
  });
  const undo = localize({
    en: ` /undo takes back the last change of the context (${formatCount(snapshots)} so far).`,
    zh: `/undo 撤销上下文最近一次更改（共 ${formatCount(snapshots)} 次）。`,
  });
  const there = snapshots === 0 ? rewind : `${rewind}${undo}`;
  return `${[back, ...wrap(there, columns)].join('\n')}\n`;
}
