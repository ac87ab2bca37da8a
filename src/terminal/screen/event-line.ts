import { effortText, splitEffort } from '../../domain/config/effort.ts';
import type { SanbotEvent } from '../../domain/event.ts';
import { type Bilingual, localize, sameInBoth } from '../../domain/language.ts';
import { callName } from '../../domain/session/call-name.ts';
import { addMiss } from '../../domain/session/model-answer.ts';
import { formatCount, formatDollars, formatDuration, pluralize } from '../text/format.ts';
import { missText, unplanned } from '../text/miss-text.ts';
import { safeLine } from '../text/safe-text.ts';
import { clip } from '../text/text-width.ts';
import { compactionLines } from './compaction-line.ts';
import { contextLines } from './context-line.ts';
import {
  type EventLine,
  type EventLines,
  type EventOf,
  type EventState,
  type EventType,
  type LineContext,
  lineOf,
  quiet,
  type UndoHint,
  undoByProgram,
} from './line.ts';
import { changedLine, helperStartLine, outputLines, toolLine } from './tool-line.ts';

export const initialEventState: EventState = {
  titles: new Map(),
  model: undefined,
  contextTokens: 0,
  windowTokens: 0,
  highShown: false,
  isHigh: false,
  todo: undefined,
  misses: [],
};

export function reduceEvent(state: EventState, event: SanbotEvent): EventState {
  switch (event.type) {
    case 'session_started':
      return { ...state, model: event.model, windowTokens: event.windowTokens, highShown: false, todo: undefined };
    case 'model_changed':
      return { ...state, model: event.model, windowTokens: event.windowTokens, highShown: false };
    case 'request': {
      if (event.purpose !== 'turn') return state;
      const { tokens, windowTokens } = event;
      return { ...state, contextTokens: tokens, windowTokens, highShown: state.highShown && state.isHigh };
    }
    case 'compacted':
    case 'rolled_back':
    case 'rewound':
      return { ...state, contextTokens: event.tokensAfter, highShown: false };
    case 'context_high':
      return { ...state, highShown: true, isHigh: true };
    case 'tool_started':
      return { ...state, titles: new Map([...state.titles, [event.toolUseId, callName(event.title)]]) };
    case 'tool_ended':
      return {
        ...state,
        titles: new Map([...state.titles].filter(([id]) => id !== event.toolUseId)),
        todo: event.todo ?? state.todo,
      };
    case 'reply':
    case 'helper_step':
      return event.prefix === undefined ? state : { ...state, misses: addMiss(state.misses, event.prefix) };
    case 'turn_started':
      return { ...state, titles: new Map(), isHigh: false, misses: [] };
    default:
      return state;
  }
}

/** These say nothing, or stream, or show by the spinner alone. */
const silentTypes = [
  'session_started',
  'turn_started',
  'request',
  'text',
  'thinking',
  'reply',
  'tool_started',
  'tool_progress',
  'compaction_started',
  'compaction_step',
  'snapshot_written',
  'memory_extracted',
  'compaction_checked',
  'rollback_failed',
  'helper_step',
  'helper_ended',
  'summary_dropped',
  'session_ended',
] as const;

const isSilent = (event: SanbotEvent): event is EventOf<(typeof silentTypes)[number]> => silentTypes.some((type) => type === event.type);

type ShownType = Exclude<EventType, (typeof silentTypes)[number]>;

const lines: EventLines<ShownType> = {
  ...contextLines,
  ...compactionLines,
  instructions_read: ({ files }) =>
    lineOf('quiet', {
      en: `Instructions of this project: ${files.map(({ path, cut }) => `${safeLine(path)}${cut ? ' (its beginning)' : ''}`).join(', ')}`,
      zh: `本项目的指令文件：${files.map(({ path, cut }) => `${safeLine(path)}${cut ? '（仅开头）' : ''}`).join('、')}`,
    }),
  retrying: ({ waitMs, attempt, why }) =>
    lineOf('quiet', {
      en: `Trying again in ${formatDuration(waitMs)} (attempt ${attempt}): ${safeLine(why.en)}`,
      zh: `将在 ${formatDuration(waitMs)}后重试（第 ${attempt} 次）：${safeLine(why.zh)}`,
    }),
  tool_ended: (event, { state, columns }) => toolLine(event, { title: state.titles.get(event.toolUseId), columns }),
  tool_output: (event, { columns }) => outputLines(event, columns),
  files_changed: (event, context) => changedLine(event, context),
  model_changed: ({ model, windowTokens, windowAssumed }, { state }) => {
    const { name, effort } = splitEffort(model);
    if (state.model !== undefined && state.model !== model && splitEffort(state.model).name === name) {
      const { en, zh } = effortText(effort);
      return lineOf('good', { en: `${en}.`, zh: `${zh}。` });
    }
    return lineOf('good', {
      en: `Model: ${safeLine(model)}, window ${formatCount(windowTokens)} tokens${windowAssumed ? assumedText.en : ''}.`,
      zh: `模型：${safeLine(model)}，窗口 ${formatCount(windowTokens)} token${windowAssumed ? assumedText.zh : ''}。`,
    });
  },
  sandbox: ({ why }) => (why === undefined ? undefined : noSandboxLine(why)),
  file_attached: ({ path, note, stored }) =>
    lineOf('quiet', {
      en: `Attached ${safeLine(path)} (${safeLine(note.en)}${stored ? '; the model reads the rest in a file' : ''})`,
      zh: `已附上 ${safeLine(path)}（${safeLine(note.zh)}${stored ? '；其余部分由模型在文件中读取' : ''}）`,
    }),
  helper_started: (event, { columns }) => helperStartLine(event, columns),
  helper_called: (event, { columns }) => (event.reads ? undefined : toolLine(event, { title: helperCallTitle(event), columns })),
  jobs_ended: ({ jobs }, { columns }) => ({ tone: 'notice', text: jobsEndedText(jobs, columns) }),
  hook_ran: (event) => (event.ok ? undefined : hookLine(event)),
  warning: ({ message }) => lineOf('notice', { en: `Warning: ${safeLine(message.en)}`, zh: `警告：${safeLine(message.zh)}` }),
  // Where nothing came of a turn, the error says it all.
  turn_ended: (event, { state }) =>
    event.stopReason === 'failed' && event.steps === 0 ? undefined : turnLine(event, unplanned(state.misses)),
};

/** By its type alone, since a table of functions is looked up with it. */
const lineFor = <T extends ShownType>(type: T, event: EventOf<T>, context: LineContext): EventLine | undefined =>
  lines[type](event, context);

export function eventLine(
  state: EventState,
  event: SanbotEvent,
  { undo = undoByProgram, columns = Number.POSITIVE_INFINITY }: { readonly undo?: UndoHint | undefined; readonly columns?: number } = {},
): EventLine | undefined {
  return isSilent(event) ? undefined : lineFor(event.type, event, { state, undo, columns });
}

const helperCallTitle = ({ helper, title }: EventOf<'helper_called'>): string =>
  `${helper}${localize({ en: ': ', zh: '：' })}${callName(title)}`;

const assumedText = {
  en: ' (assumed: set model.contextWindow if you know it)',
  zh: '（假定值：如果知道，请设置 model.contextWindow）',
};

/** What is going on, for a spinner, until the next event; undefined when nothing is awaited. */
export function busyText(event: SanbotEvent): string | undefined {
  switch (event.type) {
    case 'request':
      return event.purpose === 'turn' ? localize({ en: 'Thinking', zh: '思考中' }) : localize({ en: 'Summarising', zh: '正在生成摘要' });
    case 'retrying':
      return localize({
        en: `Retry ${event.attempt}: ${safeLine(event.why.en)}`,
        zh: `第 ${event.attempt} 次重试：${safeLine(event.why.zh)}`,
      });
    case 'tool_started':
      return safeLine(callName(event.title));
    case 'tool_progress':
      return `${safeLine(callName(event.tool))}${localize({ en: ': ', zh: '：' })}${safeLine(callName(event.text))}`;
    case 'compaction_started':
      return localize({
        en: `Compacting ${pluralize(event.messages, 'message')}, ${formatCount(event.tokens)} tokens`,
        zh: `压缩中：${formatCount(event.messages)} 条消息，${formatCount(event.tokens)} token`,
      });
    case 'compaction_step':
      return localize({
        en: `Compacting: ${event.step}${event.parts > 1 ? ` ${event.part} of ${event.parts}` : ''}`,
        zh: `压缩中：${stepNamesZh[event.step]}${event.parts > 1 ? ` ${event.part}/${event.parts}` : ''}`,
      });
    default:
      return undefined;
  }
}

const stepNamesZh: Readonly<Record<EventOf<'compaction_step'>['step'], string>> = {
  snapshot: '快照',
  archive: '归档',
  memory: '记忆',
  summary: '摘要',
  commit: '提交',
};

function hookLine({ hook, command, note }: EventOf<'hook_ran'>): EventLine {
  const isEnd = hook === 'SessionEnd';
  return lineOf('bad', {
    en: `The ${hook} hook ${safeLine(command)} failed, ${isEnd ? 'the session ended anyway' : 'the work goes on'}: ${safeLine(note.en)}`,
    zh: `${hook} 钩子 ${safeLine(command)} 失败，${isEnd ? '会话照常结束' : '工作继续'}：${safeLine(note.zh)}`,
  });
}

export function jobsEndedText(jobs: EventOf<'jobs_ended'>['jobs'], columns: number): string {
  const names = jobs.map(({ name, command }) => clip(`${name} (${safeLine(command)})`, columns));
  return localize({
    en: `Ended with the session: ${names.join(', ')}. To have one go on, say so to the model, or use /jobs keep NUMBER before you leave.`,
    zh: `随会话结束：${names.join('、')}。要让其中一个继续运行，请告诉模型，或在离开前用 /jobs keep 编号。`,
  });
}

const noSandboxLine = (why: Bilingual): EventLine =>
  lineOf('notice', {
    en: `No sandbox: ${safeLine(why.en)}. Commands run with all your rights; unless a mode or a rule of yours allows them, SanBot asks first.`,
    zh: `没有沙箱：${safeLine(why.zh)}。命令以你的全部权限运行；除非你的模式或规则允许，SanBot 会先询问。`,
  });

const stopReasonTexts: Readonly<Record<EventOf<'turn_ended'>['stopReason'], Bilingual>> = {
  end_turn: sameInBoth(''),
  max_tokens: { en: 'cut off at the output limit', zh: '达到输出上限，被截断' },
  refusal: { en: 'the model declined', zh: '模型拒绝回答' },
  interrupted: { en: 'interrupted', zh: '已中断' },
  max_steps: { en: 'stopped at the step limit', zh: '达到步数上限，已停止' },
  loop: { en: 'stopped: the same steps again and again', zh: '已停止：不断重复相同的步骤' },
  max_cost: { en: 'stopped at the cost limit', zh: '达到费用上限，已停止' },
  max_seconds: { en: 'stopped at the time limit', zh: '达到时间上限，已停止' },
  failed: { en: 'failed', zh: '失败' },
};

export function turnLine({ stopReason, ms, steps, costUsd }: EventOf<'turn_ended'>, misses: EventState['misses'] = []): EventLine {
  const missed = missText(misses);
  const parts = [
    localize(stopReasonTexts[stopReason]),
    formatDuration(ms),
    localize({ en: pluralize(steps, 'step'), zh: `${formatCount(steps)} 步` }),
    costUsd === undefined || costUsd === 0 ? '' : formatDollars(costUsd),
    missed === undefined ? '' : localize(missed),
  ];
  return quiet(parts.filter((part) => part !== '').join(' · '));
}
