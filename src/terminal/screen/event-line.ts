import type { SanbotEvent } from '../../domain/event.ts';
import { type Bilingual, localize } from '../../domain/language.ts';
import { callTitle, formatCount, formatDuration, pluralize } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { clip } from '../text/text-width.ts';
import { compactionLine } from './compaction-line.ts';
import { contextLine, rollbackLine } from './context-line.ts';
import { type EventLine, type EventOf, quiet, type UndoHint, undoByProgram } from './line.ts';
import { helperStartLine, outputLines, toolLine } from './tool-line.ts';
import { turnLine } from './turn-line.ts';

/** What earlier events said that a later one's line needs. */
export type EventState = {
  /** Titles of tool calls that have not ended, by their id. */
  readonly titles: ReadonlyMap<string, string>;
  /** Of the newest request of a turn: what the context holds now, as opposed to what all requests used. */
  readonly contextTokens: number;
  readonly windowTokens: number;
  /** Whether commands run in a sandbox; undefined until it is known. */
  readonly sandboxed: boolean | undefined;
  /** That the context fills up has been told, and it has not been below since. */
  readonly highShown: boolean;
  /** This turn has found it so. */
  readonly isHigh: boolean;
};

export const initialEventState: EventState = {
  titles: new Map(),
  contextTokens: 0,
  windowTokens: 0,
  highShown: false,
  isHigh: false,
  sandboxed: undefined,
};

export function reduceEvent(state: EventState, event: SanbotEvent): EventState {
  switch (event.type) {
    case 'session_started':
    case 'model_changed':
      return { ...state, windowTokens: event.windowTokens, highShown: false };
    case 'request':
      return event.purpose === 'turn' ? withRequest(state, event) : state;
    case 'compacted':
    case 'rolled_back':
    case 'rewound':
      return { ...state, contextTokens: event.tokensAfter, highShown: false };
    case 'sandbox':
      return { ...state, sandboxed: event.active };
    case 'context_high':
      return { ...state, highShown: true, isHigh: true };
    case 'tool_started':
      return { ...state, titles: new Map([...state.titles, [event.toolUseId, callTitle(event.title)]]) };
    case 'tool_ended':
      return { ...state, titles: new Map([...state.titles].filter(([id]) => id !== event.toolUseId)) };
    case 'turn_started':
      return { ...state, titles: new Map(), isHigh: false };
    default:
      return state;
  }
}

const withRequest = (state: EventState, { tokens, windowTokens }: EventOf<'request'>): EventState => ({
  ...state,
  contextTokens: tokens,
  windowTokens,
  highShown: state.highShown && state.isHigh,
});

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

/** The line of one event, or undefined when it says nothing on the screen; text and thinking are shown as they stream. */
export function eventLine(
  state: EventState,
  event: SanbotEvent,
  { undo = undoByProgram, columns = Number.POSITIVE_INFINITY }: { readonly undo?: UndoHint | undefined; readonly columns?: number } = {},
): EventLine | undefined {
  if (isSilent(event)) return undefined;
  switch (event.type) {
    case 'instructions_read':
      return quiet(instructionsText(event));
    case 'retrying':
      return quiet(retryText(event));
    case 'tool_ended':
      return toolLine(event, { title: state.titles.get(event.toolUseId), columns });
    case 'tool_output':
      return outputLines(event, columns);
    case 'context_high':
      return state.highShown ? undefined : contextLine(event, undo);
    case 'offloaded':
    case 'pruned':
    case 'trimmed':
    case 'window_slid':
    case 'overflow':
      return contextLine(event, undo);
    case 'compacted':
    case 'nothing_to_compact':
    case 'compaction_failed':
    case 'compaction_cancelled':
    case 'compaction_discarded':
    case 'summary_prepared':
      return compactionLine(event, undo);
    case 'rolled_back':
    case 'rewound':
    case 'cleared':
    case 'memory_superseded':
      return rollbackLine(event, undo);
    case 'model_changed':
      return { tone: 'good', text: modelText(event) };
    case 'sandbox':
      return event.why === undefined ? undefined : { tone: 'notice', text: noSandboxText(event.why) };
    case 'file_attached':
      return quiet(attachedText(event));
    case 'helper_started':
      return helperStartLine(event, columns);
    case 'helper_called':
      return event.reads
        ? undefined
        : toolLine(event, { title: `${event.helper}${localize({ en: ': ', zh: '：' })}${callTitle(event.title)}`, columns });
    case 'jobs_ended':
      return { tone: 'notice', text: jobsEndedText(event.jobs, columns) };
    case 'hook_ran':
      return event.ok ? undefined : { tone: 'bad', text: hookText(event) };
    case 'warning':
      return { tone: 'notice', text: `${localize({ en: 'Warning: ', zh: '警告：' })}${safeLine(localize(event.message))}` };
    case 'turn_ended':
      return turnLine(event, { ...state, contextTokens: event.contextTokens ?? state.contextTokens }, columns);
    default:
      return unreachable(event);
  }
}

function attachedText({ path, note, stored }: EventOf<'file_attached'>): string {
  return localize({
    en: `With it goes ${safeLine(path)}: ${safeLine(note.en)}${stored ? ', as a file that the model reads on in' : ''}`,
    zh: `随消息附上 ${safeLine(path)}：${safeLine(note.zh)}${stored ? '，其余部分由模型在文件中继续读取' : ''}`,
  });
}

/** What is going on, for a spinner, until the next event; undefined when nothing is awaited. */
export function busyText(event: SanbotEvent): string | undefined {
  switch (event.type) {
    case 'request':
      return event.purpose === 'turn' ? localize({ en: 'Thinking', zh: '思考中' }) : localize({ en: 'Summarising', zh: '正在生成摘要' });
    case 'retrying':
      return localize({ en: 'Waiting to try again', zh: '等待重试' });
    case 'tool_started':
      return safeLine(callTitle(event.title));
    case 'tool_progress':
      return `${safeLine(event.tool)}${localize({ en: ': ', zh: '：' })}${safeLine(event.text)}`;
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

const stepNamesZh: Readonly<Record<Extract<SanbotEvent, { readonly type: 'compaction_step' }>['step'], string>> = {
  snapshot: '快照',
  archive: '归档',
  memory: '记忆',
  summary: '摘要',
  commit: '提交',
};

const instructionsText = (event: EventOf<'instructions_read'>): string =>
  localize({
    en: `Instructions of this project: ${event.files.map(({ path, cut }) => `${safeLine(path)}${cut ? ' (its beginning)' : ''}`).join(', ')}`,
    zh: `本项目的指令文件：${event.files.map(({ path, cut }) => `${safeLine(path)}${cut ? '（仅开头）' : ''}`).join('、')}`,
  });

const retryText = (event: EventOf<'retrying'>): string =>
  localize({
    en: `Trying again in ${formatDuration(event.waitMs)} (attempt ${event.attempt}): ${safeLine(event.why.en)}`,
    zh: `${formatDuration(event.waitMs)}后重试（第 ${event.attempt} 次）：${safeLine(event.why.zh)}`,
  });

const modelText = (event: EventOf<'model_changed'>): string =>
  localize({
    en: `Model: ${safeLine(event.model)}, window ${formatCount(event.windowTokens)} tokens${assumedText(event.windowAssumed)}.`,
    zh: `模型：${safeLine(event.model)}，窗口 ${formatCount(event.windowTokens)} token${assumedText(event.windowAssumed)}。`,
  });

const assumedText = (isAssumed: boolean): string =>
  isAssumed
    ? localize({ en: ' (assumed: set model.contextWindow if you know it)', zh: '（假定值：如果知道，请设置 model.contextWindow）' })
    : '';

function hookText({ hook, command, note }: EventOf<'hook_ran'>): string {
  const isEnd = hook === 'SessionEnd';
  return localize({
    en: `The ${hook} hook ${safeLine(command)} failed, ${isEnd ? 'the session ended anyway' : 'the work goes on'}: ${safeLine(note.en)}`,
    zh: `${hook} 钩子 ${safeLine(command)} 失败，${isEnd ? '会话照常结束' : '工作继续'}：${safeLine(note.zh)}`,
  });
}

/** What leaving a session ends. */
export function jobsEndedText(jobs: EventOf<'jobs_ended'>['jobs'], columns: number): string {
  const names = jobs.map(({ name, command }) => clip(`${name} (${safeLine(command)})`, columns));
  return localize({
    en: `Ended with the session: ${names.join(', ')}. To have one go on, say so to the model, or use /jobs keep NUMBER before you leave.`,
    zh: `随会话结束：${names.join('、')}。要让其中一个继续运行，请告诉模型，或在离开前用 /jobs keep 编号。`,
  });
}

const noSandboxText = (why: Bilingual): string =>
  localize({
    en: `No sandbox: ${safeLine(why.en)}. Commands run with all your rights; unless a mode or a rule of yours allows them, SanBot asks first.`,
    zh: `没有沙箱：${safeLine(why.zh)}。命令以你的全部权限运行；除非你的模式或规则允许，SanBot 会先询问。`,
  });

const unreachable = (event: never): never => {
  throw new Error(`An event that nobody shows: ${JSON.stringify(event)}`);
};
