import type { PressureReason } from '../../domain/event.ts';
import { localize } from '../../domain/language.ts';
import { MESSAGE_BODY } from '../../domain/session/message.ts';
import { formatCount, formatSize, pluralize } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { type EventLine, type EventOf, quiet, type UndoHint } from './line.ts';

export type ContextEvent = EventOf<'offloaded' | 'pruned' | 'context_high' | 'trimmed' | 'window_slid' | 'overflow'>;

/** What was done to make the context fit, or has to be, in words. */
export function contextLine(event: ContextEvent, undo: UndoHint): EventLine {
  switch (event.type) {
    case 'offloaded':
      return quiet(offloadText(event));
    case 'pruned':
      return quiet(prunedText(event));
    case 'context_high':
      return { tone: 'notice', text: contextHighText(event) };
    case 'trimmed':
      return {
        tone: 'notice',
        text: `Trimmed ${pluralize(event.messages, 'long message')} to fit the window, ${tokenChange(event)}. ${undo(event.snapshotId)}`,
      };
    case 'window_slid':
      return {
        tone: 'notice',
        text: `Left out the ${pluralize(event.dropped, 'oldest message')} to fit the window, ${tokenChange(event)}. ${undo(event.snapshotId)}`,
      };
    case 'overflow':
      return quiet(overflowText(event));
  }
}

export type RollbackEvent = EventOf<'rolled_back' | 'rewound' | 'cleared' | 'memory_superseded'>;

/** What going back changed, in words. */
export function rollbackLine(event: RollbackEvent, undo: UndoHint): EventLine {
  switch (event.type) {
    case 'rolled_back':
      return {
        tone: 'good',
        text: `Rolled back to ${safeLine(event.snapshotId)}: ${pluralize(event.messages, 'message')}, ${tokenChange(event)}. ${undo(event.undoId)}`,
      };
    case 'rewound':
      return {
        tone: 'good',
        text: `Rewound to before that message: ${pluralize(event.messages, 'message')}, ${tokenChange(event)}. ${undo(event.undoId)}`,
      };
    case 'cleared':
      return { tone: 'good', text: `Cleared ${pluralize(event.messages, 'message')} from the context. ${undo(event.snapshotId)}` };
    case 'memory_superseded':
      return quiet(supersededText(event));
  }
}

type TokenChange = { readonly tokensBefore: number; readonly tokensAfter: number };

export const tokenChange = ({ tokensBefore, tokensAfter }: TokenChange): string =>
  `${formatCount(tokensBefore)} -> ${formatCount(tokensAfter)} tokens`;

function offloadText(event: EventOf<'offloaded'>): string {
  const bytes = event.results.reduce((sum, result) => sum + result.bytes, 0);
  if (event.results[0]?.tool === MESSAGE_BODY)
    return localize({
      en: `Your message is long: the model gets its beginning and end, and reads the rest of it (${formatSize(bytes)}) in a file, ${tokenChange(event)}`,
      zh: `消息很长：模型得到开头和结尾，其余部分（${formatSize(bytes)}）在文件中读取，${tokenChange(event)}`,
    });
  const what = `Offloaded ${pluralize(event.results.length, 'result')} (${formatSize(bytes)}) to ${event.results.length === 1 ? 'a file' : 'files'}`;
  return `${what}, ${tokenChange(event)}`;
}

function prunedText(event: EventOf<'pruned'>): string {
  const actions = event.trimmed > 0 ? [`cut ${pluralize(event.trimmed, 'old result')} to head and tail`] : [];
  const what = event.cleared > 0 ? [...actions, `left ${pluralize(event.cleared, 'old result')} out`] : actions;
  return `Cache cold: ${what.join(', ')} of what is sent, ${tokenChange(event)}; history and files are unchanged`;
}

export function supersededText({ superseded, restored }: Pick<EventOf<'memory_superseded'>, 'superseded' | 'restored'>): string {
  const parts = [
    ...(superseded === 0 ? [] : [`${pluralize(superseded, 'memory', 'memories')} extracted since marked as superseded`]),
    ...(restored === 0 ? [] : [`${pluralize(restored, 'memory', 'memories')} current again`]),
  ];
  return `${parts.join(', ')}.`;
}

const reasonNames: Readonly<Record<PressureReason, string>> = {
  messages: 'many messages',
  tokens: 'many tokens',
  tool_output: 'much tool output',
  overflow: 'over the window',
};

function contextHighText(event: EventOf<'context_high'>): string {
  const why = event.reasons.map((reason) => reasonNames[reason]).join(', ');
  return `The context is filling up (${formatCount(event.tokens)} of ${formatCount(event.hardTokens)} tokens${why === '' ? '' : `; ${why}`}). /compact makes room.`;
}

function overflowText({ attempt, limitTokens, sentTokens }: EventOf<'overflow'>): string {
  const sent = sentTokens === undefined ? '' : ` of ${formatCount(sentTokens)} tokens`;
  const limit = limitTokens === undefined ? '' : ` (its limit: ${formatCount(limitTokens)})`;
  return `The request${sent} was too long for the model${limit}; making room, attempt ${attempt}.`;
}
