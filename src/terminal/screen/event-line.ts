import type { SanbotEvent } from '../../domain/event.ts';
import { count, counted, dollars, duration, percent } from '../text/figures.ts';
import type { Tone } from '../text/paint.ts';
import { safeLine } from '../text/safe-text.ts';
import {
  becauseOf,
  change,
  compactedText,
  costText,
  discardedText,
  highText,
  type Of,
  offloadText,
  overflowText,
  prunedText,
  supersededText,
  type UndoHint,
  undoByProgram,
} from './context-line.ts';

/** What an event says on the screen; `text` is safe to show and may have several lines. */
export type EventLine = { readonly text: string; readonly tone: Tone };

/** What earlier events said that a later one's line needs. */
export type EventMemory = {
  /** Titles of tool calls that have not ended, by their id. */
  readonly titles: ReadonlyMap<string, string>;
  /** Of the newest request of a turn: what the context holds now, as opposed to what all requests used. */
  readonly contextTokens: number;
  readonly windowTokens: number;
  /** That the context fills up has been told, and it has not been below since. */
  readonly highTold: boolean;
  /** This turn has found it so. */
  readonly isHigh: boolean;
};

export const noEvents: EventMemory = { titles: new Map(), contextTokens: 0, windowTokens: 0, highTold: false, isHigh: false };

export function rememberEvent(memory: EventMemory, event: SanbotEvent): EventMemory {
  switch (event.type) {
    case 'session_started':
    case 'model_changed':
      return { ...memory, windowTokens: event.windowTokens, highTold: false };
    case 'request':
      return event.purpose === 'turn' ? requested(memory, event) : memory;
    case 'compacted':
    case 'rolled_back':
    case 'rewound':
      return { ...memory, contextTokens: event.tokensAfter, highTold: false };
    case 'context_high':
      return { ...memory, highTold: true, isHigh: true };
    case 'tool_started':
      return { ...memory, titles: new Map([...memory.titles, [event.toolUseId, event.title]]) };
    case 'tool_ended':
      return { ...memory, titles: new Map([...memory.titles].filter(([id]) => id !== event.toolUseId)) };
    case 'turn_started':
      return { ...memory, titles: new Map(), isHigh: false };
    default:
      return memory;
  }
}

const requested = (memory: EventMemory, { tokens, windowTokens }: Of<'request'>): EventMemory => ({
  ...memory,
  contextTokens: tokens,
  windowTokens,
  highTold: memory.highTold && memory.isHigh,
});

/** The line of one event, or undefined when it says nothing on the screen; text and thinking are shown as they stream. */
export function eventLine(
  memory: EventMemory,
  event: SanbotEvent,
  { undo = undoByProgram }: { readonly undo?: UndoHint | undefined } = {},
): EventLine | undefined {
  switch (event.type) {
    case 'session_started':
    case 'turn_started':
    case 'request':
    case 'text':
    case 'thinking':
    case 'reply':
    case 'tool_started':
    case 'compaction_started':
    case 'compaction_step':
    case 'snapshot_written':
    case 'memory_extracted':
    case 'compaction_checked':
    case 'rollback_failed':
    case 'summary_dropped':
    case 'session_ended':
      return undefined;
    case 'instructions_read':
      return quiet(
        `Instructions of this project: ${event.files.map(({ path, cut }) => `${safeLine(path)}${cut ? ' (its beginning)' : ''}`).join(', ')}`,
      );
    case 'retrying':
      return quiet(`Trying again in ${duration(event.waitMs)} (attempt ${event.attempt}): ${safeLine(event.why)}`);
    case 'tool_ended':
      return toolLine(memory, event);
    case 'offloaded':
      return quiet(offloadText(event));
    case 'pruned':
      return quiet(prunedText(event));
    case 'context_high':
      return memory.highTold ? undefined : { tone: 'notice', text: highText(event) };
    case 'compacted':
      return { tone: 'notice', text: compactedText(event, undo) };
    case 'nothing_to_compact':
      return { tone: 'plain', text: `Nothing to compact: ${counted(event.messages, 'message')}, ${count(event.tokens)} tokens, 0 freed.` };
    case 'compaction_failed':
      return {
        tone: 'bad',
        text: `Compaction${becauseOf(event.trigger)} failed, the history is unchanged: ${safeLine(event.why)}${costText(event)}`,
      };
    case 'compaction_cancelled':
      return { tone: 'notice', text: `Compaction${becauseOf(event.trigger)} cancelled, the history is unchanged.${costText(event)}` };
    case 'compaction_discarded':
      return { tone: event.why === undefined ? 'plain' : 'bad', text: discardedText(event) };
    case 'summary_prepared':
      return quiet(`Summarised ${counted(event.messages, 'message')} beside the turn, for when room is needed.${costText(event)}`);
    case 'trimmed':
      return {
        tone: 'notice',
        text: `Trimmed ${counted(event.messages, 'long message')} to fit the window, ${change(event)}. ${undo(event.snapshotId)}`,
      };
    case 'window_slid':
      return {
        tone: 'notice',
        text: `Left out the ${counted(event.dropped, 'oldest message')} to fit the window, ${change(event)}. ${undo(event.snapshotId)}`,
      };
    case 'overflow':
      return quiet(overflowText(event));
    case 'rolled_back':
      return {
        tone: 'good',
        text: `Rolled back to ${safeLine(event.snapshotId)}: ${counted(event.messages, 'message')}, ${change(event)}. ${undo(event.undoId)}`,
      };
    case 'rewound':
      return {
        tone: 'good',
        text: `Went back to before that message: ${counted(event.messages, 'message')}, ${change(event)}. ${undo(event.undoId)}`,
      };
    case 'memory_superseded':
      return quiet(supersededText(event));
    case 'cleared':
      return { tone: 'good', text: `Cleared ${counted(event.messages, 'message')} from the context. ${undo(event.snapshotId)}` };
    case 'model_changed':
      return {
        tone: 'good',
        text: `Model: ${safeLine(event.model)}, window ${count(event.windowTokens)} tokens${assumed(event.windowAssumed)}.`,
      };
    case 'hook_ran':
      return event.ok ? undefined : { tone: 'bad', text: hookText(event) };
    case 'warning':
      return { tone: 'notice', text: `Warning: ${safeLine(event.message)}` };
    case 'turn_ended':
      return turnText(memory, event);
    default:
      return unreachable(event);
  }
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
    case 'compaction_started':
      return `Compacting ${counted(event.messages, 'message')}, ${count(event.tokens)} tokens (Esc cancels)`;
    case 'compaction_step':
      return `Compacting: ${event.step}${event.parts > 1 ? ` ${event.part} of ${event.parts}` : ''} (Esc cancels)`;
    default:
      return undefined;
  }
}

const quiet = (text: string): EventLine => ({ text, tone: 'quiet' });

const assumed = (isAssumed: boolean): string => (isAssumed ? ' (assumed: set model.contextWindow if you know it)' : '');

function toolLine(memory: EventMemory, event: Of<'tool_ended'>): EventLine {
  const title = safeLine(memory.titles.get(event.toolUseId) ?? event.tool);
  const note = safeLine(event.note);
  const outcome = event.denied ? 'not allowed' : event.ok ? note : note === '' || note === 'failed' ? 'failed' : `failed: ${note}`;
  const details = [outcome, event.denied ? '' : duration(event.ms)].filter((part) => part !== '').join(', ');
  return { tone: event.ok ? 'quiet' : 'bad', text: `${event.ok ? '✓' : '✗'} ${title} (${details})` };
}

function hookText({ hook, command, note }: Of<'hook_ran'>): string {
  const despite = hook === 'SessionEnd' ? 'the session ended all the same' : 'the work goes on';
  return `The ${hook} hook ${safeLine(command)} failed, ${despite}: ${safeLine(note)}`;
}

const endings: Readonly<Record<Of<'turn_ended'>['stopReason'], string>> = {
  end_turn: '',
  max_tokens: 'cut off at the output limit',
  refusal: 'the model declined',
  interrupted: 'interrupted',
  max_steps: 'stopped at the step limit',
  failed: 'failed',
};

function turnText(memory: EventMemory, event: Of<'turn_ended'>): EventLine {
  const context =
    memory.windowTokens > 0
      ? `context ${count(memory.contextTokens)} of ${count(memory.windowTokens)} tokens (${percent(memory.contextTokens, memory.windowTokens)})`
      : '';
  const output = event.usage.outputTokens > 0 ? `${count(event.usage.outputTokens)} tokens out` : '';
  const cost = event.costUsd === undefined || event.costUsd === 0 ? '' : dollars(event.costUsd);
  const parts = [endings[event.stopReason], duration(event.ms), counted(event.steps, 'step'), output, cost, context];
  return quiet(`[${parts.filter((part) => part !== '').join(' · ')}]`);
}

const unreachable = (event: never): never => {
  throw new Error(`An event that nobody shows: ${JSON.stringify(event)}`);
};
