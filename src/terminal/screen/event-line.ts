import type { SanbotEvent } from '../../domain/event.ts';
import { localize } from '../../domain/language.ts';
import { formatCount, formatDollars, formatDuration, formatPercent, pluralize } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { textWidth } from '../text/text-width.ts';
import { compactionLine } from './compaction-line.ts';
import { contextLine, rollbackLine } from './context-line.ts';
import { type EventLine, type EventOf, quiet, type UndoHint, undoByProgram } from './line.ts';
import { outputLines, toolLine } from './tool-line.ts';

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
      return { ...state, titles: new Map([...state.titles, [event.toolUseId, event.title]]) };
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
  'helper_started',
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
      return quiet(
        `Instructions of this project: ${event.files.map(({ path, cut }) => `${safeLine(path)}${cut ? ' (its beginning)' : ''}`).join(', ')}`,
      );
    case 'retrying':
      return quiet(`Trying again in ${formatDuration(event.waitMs)} (attempt ${event.attempt}): ${safeLine(event.why)}`);
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
      return {
        tone: 'good',
        text: `Model: ${safeLine(event.model)}, window ${formatCount(event.windowTokens)} tokens${assumedText(event.windowAssumed)}.`,
      };
    case 'sandbox':
      return event.why === undefined ? undefined : { tone: 'notice', text: noSandboxText(event.why) };
    case 'file_attached':
      return quiet(attachedText(event));
    case 'helper_called':
      return event.reads ? undefined : toolLine(event, { title: `${event.helper}: ${event.title}`, columns });
    case 'hook_ran':
      return event.ok ? undefined : { tone: 'bad', text: hookText(event) };
    case 'warning':
      return { tone: 'notice', text: `Warning: ${safeLine(event.message)}` };
    case 'turn_ended':
      return turnText(state, event, columns);
    default:
      return unreachable(event);
  }
}

function attachedText({ path, note, stored }: EventOf<'file_attached'>): string {
  const file = `${safeLine(path)}: ${safeLine(note)}`;
  return localize({
    en: `With it goes ${file}${stored ? ', as a file that the model reads on in' : ''}`,
    zh: `随消息附上 ${file}${stored ? '，其余部分由模型在文件中继续读取' : ''}`,
  });
}

/** What is going on, for a spinner, until the next event; undefined when nothing is awaited. */
export function busyText(event: SanbotEvent): string | undefined {
  switch (event.type) {
    case 'request':
      return event.purpose === 'turn' ? 'Thinking' : 'Summarising';
    case 'retrying':
      return 'Waiting to try again';
    case 'tool_started':
      return safeLine(event.title);
    case 'tool_progress':
      return `${safeLine(event.tool)}: ${safeLine(event.text)}`;
    case 'compaction_started':
      return `Compacting ${pluralize(event.messages, 'message')}, ${formatCount(event.tokens)} tokens`;
    case 'compaction_step':
      return `Compacting: ${event.step}${event.parts > 1 ? ` ${event.part} of ${event.parts}` : ''}`;
    default:
      return undefined;
  }
}

const assumedText = (isAssumed: boolean): string => (isAssumed ? ' (assumed: set model.contextWindow if you know it)' : '');

function hookText({ hook, command, note }: EventOf<'hook_ran'>): string {
  const consequence = hook === 'SessionEnd' ? 'the session ended anyway' : 'the work goes on';
  return `The ${hook} hook ${safeLine(command)} failed, ${consequence}: ${safeLine(note)}`;
}

const noSandboxText = (why: string): string =>
  `No sandbox: ${safeLine(why)}. Commands run with all your rights; unless a mode or a rule of yours allows them, SanBot asks first.`;

const stopReasonTexts: Readonly<Record<EventOf<'turn_ended'>['stopReason'], string>> = {
  end_turn: '',
  max_tokens: 'cut off at the output limit',
  refusal: 'the model declined',
  interrupted: 'interrupted',
  max_steps: 'stopped at the step limit',
  loop: 'stopped: the same steps again and again',
  max_cost: 'stopped at the cost limit',
  max_seconds: 'stopped at the time limit',
  failed: 'failed',
};

/** In one row of `columns` where that can be: what is told elsewhere too is shortened or left out. */
function turnText(state: EventState, event: EventOf<'turn_ended'>, columns: number): EventLine {
  const percent = formatPercent(state.contextTokens, state.windowTokens);
  const used = formatCount(state.contextTokens);
  const contexts =
    state.windowTokens > 0
      ? [`context ${used} of ${formatCount(state.windowTokens)} tokens (${percent})`, `context ${used} (${percent})`, `context ${percent}`]
      : [''];
  const output = event.usage.outputTokens > 0 ? `${formatCount(event.usage.outputTokens)} tokens out` : '';
  const cost = event.costUsd === undefined || event.costUsd === 0 ? '' : formatDollars(event.costUsd);
  const place = state.sandboxed === undefined ? '' : state.sandboxed ? 'sandbox' : 'no sandbox';
  const what = [stopReasonTexts[event.stopReason], formatDuration(event.ms), pluralize(event.steps, 'step')];
  const [whole = '', short = '', shortest = ''] = contexts;
  const forms = [
    [...what, output, cost, place, whole],
    [...what, output, cost, place, short],
    [...what, cost, short],
    [...what, cost, shortest],
    [...what, cost],
    what,
  ].map((parts) => `[${parts.filter((part) => part !== '').join(' · ')}]`);
  return quiet(forms.find((form) => textWidth(form) <= columns) ?? forms.at(-1) ?? '');
}

const unreachable = (event: never): never => {
  throw new Error(`An event that nobody shows: ${JSON.stringify(event)}`);
};
