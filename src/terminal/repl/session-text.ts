import { localize } from '../../domain/language.ts';
import { callName } from '../../domain/session/call-name.ts';
import type { ModelView } from '../chat/context-port.ts';
import type { SessionView } from '../chat/history-port.ts';
import type { MemoryView } from '../chat/memory-port.ts';
import { formatCount, pluralize } from '../text/format.ts';
import { safeLine, safeText } from '../text/safe-text.ts';
import { besideOrBelow, clip, textWidth, wrap } from '../text/text-width.ts';
import { memoryCountText } from '../views/memory-text.ts';
import { noModelText } from '../views/views.ts';

const MAX_SAID_ROWS = 3;
const MAX_ANSWER_ROWS = 8;
const MAX_READ_CHARS = 20_000;
const MAX_TASKS = 3;

/** Where a session that is continued stood: what was said last, and what is unfinished. Empty for a new one; else ends with a newline. */
export function resumedText({ resumed, last, isCutShort, openTasks = [], jobs = [] }: SessionView, columns: number): string {
  if (!resumed) return '';
  const answer = last === undefined ? [] : lastRows(last.answer.replace(FENCES, '').replace(MARKS, '$2'), columns);
  const unfinished = [
    ...(isCutShort === true
      ? [localize({ en: 'The last turn was not finished. Say how to go on.', zh: '上一轮没有完成。请说明如何继续。' })]
      : []),
    ...tasksLines(openTasks),
    ...jobs.map((job) => clip(localize({ en: `Still running: ${safeLine(job)}`, zh: `仍在运行：${safeLine(job)}` }), columns)),
  ];
  const lines = [
    ...(last === undefined ? [] : firstRows(`> ${last.said}`, columns)),
    ...(answer.length === 0 ? [] : ['', ...answer]),
    ...unfinished.flatMap((line) => wrap(line, columns)),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** Marks around code and what is said loudly, which a conversation does not show either. */
const FENCES = /^ *(?:`{3}|~{3})[\w+-]*\n?/gm;
const MARKS = /(\*\*|`)(?=\S)([^`*\n]{1,200})(?<=\S)\1/g;

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
  readonly messages: number;
  readonly snapshots: number;
};

export function leaveText(sessionId: string, { messages, snapshots }: Undoable, columns: number): string {
  const id = safeLine(sessionId);
  const back = besideOrBelow(localize({ en: 'Resume this session: ', zh: '要继续此会话，请运行 ' }), `sanbot --resume ${id}`, columns);
  const which = messages === 1 ? 'your message' : `any of your ${formatCount(messages)} messages`;
  const rewind = localize({
    en: `There, /rewind goes back to before ${which} and, if you like, undoes what SanBot changed in files.`,
    zh: `继续后，/rewind 可回到${messages === 1 ? '你的消息' : ` ${formatCount(messages)} 条消息中任意一条`}之前，并可按需恢复 SanBot 更改过的文件。`,
  });
  const undo = localize({
    en: ` /undo takes back the last change of the context (${formatCount(snapshots)} so far).`,
    zh: `/undo 撤销上下文最近一次更改（共 ${formatCount(snapshots)} 次）。`,
  });
  const there = snapshots === 0 ? rewind : `${rewind}${undo}`;
  return `${[back, ...wrap(there, columns)].join('\n')}\n`;
}

type Welcome = {
  readonly version: string;
  readonly model: ModelView;
  readonly session: SessionView;
  readonly memory?: MemoryView;
  readonly columns: number;
};

export function welcomeText({ version, model, session, memory, columns }: Welcome): string {
  const answers = model.missing === true ? [] : [modelName(model), windowSize(model)];
  const remembered = memory && memoryCountText(memory);
  const head = joinInLines(
    [`SanBot ${version}`, ...answers, sessionName(session), ...(remembered === undefined ? [] : [remembered])],
    columns,
  );
  const next = model.missing === true ? noModelText : model.offline ? offlineHint : hint;
  return `${head}\n${wrap(localize(next), columns).join('\n')}\n`;
}

const modelName = ({ name, offline }: ModelView): string =>
  offline
    ? localize({ en: 'offline: not a language model', zh: '离线：不是语言模型' })
    : localize({ en: `model ${safeLine(name)}`, zh: `模型 ${safeLine(name)}` });

const windowSize = ({ windowTokens, windowAssumed }: ModelView): string =>
  localize({
    en: `window ${formatCount(windowTokens)} tokens${windowAssumed ? ' (assumed)' : ''}`,
    zh: `窗口 ${formatCount(windowTokens)} token${windowAssumed ? '（假定值）' : ''}`,
  });

const sessionName = ({ sessionId, resumed, messages }: SessionView): string =>
  localize({
    en: `session ${safeLine(sessionId)}${resumed ? `, continued with ${pluralize(messages, 'message')}` : ''}`,
    zh: `会话 ${safeLine(sessionId)}${resumed ? `，继续，已有 ${formatCount(messages)} 条消息` : ''}`,
  });

/** Side by side as far as there is room: none is broken, so that an id can be copied. */
const joinInLines = ([first = '', ...more]: readonly string[], columns: number): string =>
  more.reduce((text, part) => {
    const last = text.slice(text.lastIndexOf('\n') + 1);
    return textWidth(`${last} · ${part}`) > columns ? `${text}\n${part}` : `${text} · ${part}`;
  }, first);

const hint = {
  en: '/help lists the commands. Ctrl-C stops a turn, Ctrl-D exits.',
  zh: '/help 列出命令。Ctrl-C 停止当前轮次，Ctrl-D 退出。',
};
const offlineHint = {
  en: 'It understands: read, list, search, run, write, edit, remember, recall, status.\nFor a language model leave and run: sanbot setup. /help lists the commands.',
  zh: '它能理解：read、list、search、run、write、edit、remember、recall、status。\n要使用语言模型，请退出并运行 sanbot setup。/help 列出命令。',
};

export const replText = {
  stillStopping: (): string =>
    localize({ en: 'Still stopping. Press Ctrl-C again to exit immediately.', zh: '正在停止。再按一次 Ctrl-C 立即退出。' }),
  notInBackground: (why: string): string => localize({ en: `Nothing was put into the background: ${why}.`, zh: `没有转入后台：${why}。` }),
  longPaste: (): string =>
    localize({
      en: 'This paste is longer than a tenth of the window: the model gets its beginning and end, and reads the rest in a file.',
      zh: '粘贴的内容超过窗口的十分之一：模型会得到开头和结尾，其余部分在文件中读取。',
    }),
  pressAgain: (): string => localize({ en: 'Press Ctrl-C again to exit.', zh: '再按一次 Ctrl-C 退出。' }),
  typedEarlier: (text: string): string => localize({ en: `You typed earlier: ${safeLine(text)}`, zh: `之前输入的内容：${safeLine(text)}` }),
  nobodyToAsk: (title: string): string =>
    localize({
      en: `Not allowed, since there is nobody to ask: ${safeLine(callName(title))}`,
      zh: `未获准许，因为没有人可以询问：${safeLine(callName(title))}`,
    }),
  nothingToView: (): string => localize({ en: 'There is no output to show yet.', zh: '还没有可显示的输出。' }),
} as const;
