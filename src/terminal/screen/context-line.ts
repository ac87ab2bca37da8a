/** What happened to the context, in words: offloaded, pruned, compacted, over the window, and back. All of it is safe to show. */
import type { CompactedEvent, CompactionTrigger, PressureReason, SanbotEvent, SummaryCost } from '../../domain/event.ts';
import { count, counted, dollars, size } from '../text/figures.ts';
import { safeLine } from '../text/safe-text.ts';

export type Of<T extends SanbotEvent['type']> = Extract<SanbotEvent, { readonly type: T }>;
type Change = { readonly tokensBefore: number; readonly tokensAfter: number };

export const change = ({ tokensBefore, tokensAfter }: Change): string => `${count(tokensBefore)} -> ${count(tokensAfter)} tokens`;

/** How a change is undone, as it can be done where it is shown. */
export type UndoHint = (snapshotId: string) => string;
export const undoByProgram: UndoHint = (snapshotId) => `Undo: sanbot rollback --snapshot ${safeLine(snapshotId)}`;
export const undoByCommand: UndoHint = () => 'Undo: /undo';

export function compactedText(event: CompactedEvent, undo: UndoHint): string {
  const freed = Math.max(0, event.tokensBefore - event.tokensAfter);
  const parts = [
    `${count(freed)} freed`,
    `${counted(event.messagesKept, 'message')} kept`,
    `${counted(event.bodiesRetired, 'offload file')} removed`,
    counted(event.memoriesAdded, 'memory', 'memories'),
  ];
  const line = `Compacted ${change(event)} (${parts.join(', ')}). ${undo(event.snapshotId)}`;
  const degraded =
    event.method === 'rules_degraded'
      ? 'Degraded: the model gave no usable summary, so this one was gathered by rule. Nothing is lost; check it.'
      : undefined;
  return [line, ...[degraded, costText(event).trim()].filter((more) => more !== undefined && more !== '').map((more) => `  ${more}`)].join(
    '\n',
  );
}

export const costText = ({ costUsd }: Partial<SummaryCost>): string =>
  costUsd === undefined || costUsd === 0 ? '' : ` The summary cost ${dollars(costUsd)}.`;

export const discardedText = (event: Of<'compaction_discarded'>): string =>
  event.why === undefined
    ? `Discarded, the context is unchanged.${costText(event)}`
    : `Discarded, since ${safeLine(event.why)}. The context is as it was.${costText(event)}`;

export function offloadText(event: Of<'offloaded'>): string {
  const bytes = event.results.reduce((sum, result) => sum + result.bytes, 0);
  const what = `Offloaded ${counted(event.results.length, 'result')} (${size(bytes)}) to ${event.results.length === 1 ? 'a file' : 'files'}`;
  return `${what}, ${change(event)}`;
}

export function prunedText(event: Of<'pruned'>): string {
  const cut = event.trimmed > 0 ? [`cut ${counted(event.trimmed, 'old result')} to head and tail`] : [];
  const what = event.cleared > 0 ? [...cut, `left ${counted(event.cleared, 'old result')} out`] : cut;
  return `Cache cold: ${what.join(', ')} of what is sent, ${change(event)}; history and files are unchanged`;
}

export function supersededText({ superseded, restored }: Of<'memory_superseded'>): string {
  const parts = [
    ...(superseded === 0 ? [] : [`${counted(superseded, 'memory', 'memories')} extracted since marked as superseded`]),
    ...(restored === 0 ? [] : [`${counted(restored, 'memory', 'memories')} current again`]),
  ];
  return `${parts.join(', ')}.`;
}

const reasonNames: Readonly<Record<PressureReason, string>> = {
  messages: 'many messages',
  tokens: 'many tokens',
  tool_output: 'much tool output',
  overflow: 'over the window',
};

export function highText(event: Of<'context_high'>): string {
  const why = event.reasons.map((reason) => reasonNames[reason]).join(', ');
  return `The context is filling up (${count(event.tokens)} of ${count(event.hardTokens)} tokens${why === '' ? '' : `; ${why}`}). /compact makes room.`;
}

const triggerNames: Readonly<Record<CompactionTrigger, string>> = {
  auto: ' before this request',
  manual: '',
  overflow: ' after an overflow',
};
export const becauseOf = (trigger: CompactionTrigger): string => triggerNames[trigger];

export function overflowText({ attempt, limitTokens, sentTokens }: Of<'overflow'>): string {
  const sent = sentTokens === undefined ? '' : ` of ${count(sentTokens)} tokens`;
  const limit = limitTokens === undefined ? '' : ` (its limit: ${count(limitTokens)})`;
  return `The request${sent} was too long for the model${limit}; making room, attempt ${attempt}.`;
}
