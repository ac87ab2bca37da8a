/** What happened to the context, in words: offloaded, pruned, compacted, over the window, and back. All of it is safe to show. */
import type { CompactedEvent, CompactionTrigger, PressureReason, SanbotEvent } from '../../domain/event.ts';
import { formatCount, formatDollars, formatSize, pluralize } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';

export type EventOf<T extends SanbotEvent['type']> = Extract<SanbotEvent, { readonly type: T }>;
type TokenChange = { readonly tokensBefore: number; readonly tokensAfter: number };

export const tokenChange = ({ tokensBefore, tokensAfter }: TokenChange): string =>
  `${formatCount(tokensBefore)} -> ${formatCount(tokensAfter)} tokens`;

/** How a change is undone, as it can be done where it is shown. */
export type UndoHint = (snapshotId: string) => string;
export const undoByProgram: UndoHint = (snapshotId) => `Undo: sanbot rollback --snapshot ${safeLine(snapshotId)}`;
export const undoByCommand: UndoHint = () => 'Undo: /undo';

export function compactedText(event: CompactedEvent, undo: UndoHint): string {
  const freed = Math.max(0, event.tokensBefore - event.tokensAfter);
  const parts = [
    `${formatCount(freed)} freed`,
    `${pluralize(event.messagesKept, 'message')} kept`,
    `${pluralize(event.bodiesRetired, 'offload file')} removed`,
    pluralize(event.memoriesAdded, 'memory', 'memories'),
  ];
  const line = `Compacted ${tokenChange(event)} (${parts.join(', ')}). ${undo(event.snapshotId)}`;
  const degraded =
    event.method === 'rules_degraded'
      ? 'Degraded: the model gave no usable summary, so this one was gathered by rule. Nothing is lost; check it.'
      : undefined;
  return [
    line,
    ...[degraded, summaryCostText(event).trim()].filter((note) => note !== undefined && note !== '').map((note) => `  ${note}`),
  ].join('\n');
}

export const summaryCostText = ({ costUsd }: { readonly costUsd?: number | undefined }): string =>
  costUsd === undefined || costUsd === 0 ? '' : ` The summary cost ${formatDollars(costUsd)}.`;

export const discardedText = (event: EventOf<'compaction_discarded'>): string =>
  event.why === undefined
    ? `Discarded, the context is unchanged.${summaryCostText(event)}`
    : `Discarded, since ${safeLine(event.why)}. The context is as it was.${summaryCostText(event)}`;

export function offloadText(event: EventOf<'offloaded'>): string {
  const bytes = event.results.reduce((sum, result) => sum + result.bytes, 0);
  const what = `Offloaded ${pluralize(event.results.length, 'result')} (${formatSize(bytes)}) to ${event.results.length === 1 ? 'a file' : 'files'}`;
  return `${what}, ${tokenChange(event)}`;
}

export function prunedText(event: EventOf<'pruned'>): string {
  const actions = event.trimmed > 0 ? [`cut ${pluralize(event.trimmed, 'old result')} to head and tail`] : [];
  const what = event.cleared > 0 ? [...actions, `left ${pluralize(event.cleared, 'old result')} out`] : actions;
  return `Cache cold: ${what.join(', ')} of what is sent, ${tokenChange(event)}; history and files are unchanged`;
}

export function supersededText({ superseded, restored }: EventOf<'memory_superseded'>): string {
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

export function contextHighText(event: EventOf<'context_high'>): string {
  const why = event.reasons.map((reason) => reasonNames[reason]).join(', ');
  return `The context is filling up (${formatCount(event.tokens)} of ${formatCount(event.hardTokens)} tokens${why === '' ? '' : `; ${why}`}). /compact makes room.`;
}

const triggerNames: Readonly<Record<CompactionTrigger, string>> = {
  auto: ' before this request',
  manual: '',
  overflow: ' after an overflow',
};
export const triggerText = (trigger: CompactionTrigger): string => triggerNames[trigger];

export function overflowText({ attempt, limitTokens, sentTokens }: EventOf<'overflow'>): string {
  const sent = sentTokens === undefined ? '' : ` of ${formatCount(sentTokens)} tokens`;
  const limit = limitTokens === undefined ? '' : ` (its limit: ${formatCount(limitTokens)})`;
  return `The request${sent} was too long for the model${limit}; making room, attempt ${attempt}.`;
}
