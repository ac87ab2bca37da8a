import type { CompactedEvent, CompactionTrigger } from '../../domain/event.ts';
import { formatCount, formatDollars, pluralize } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { tokenChange } from './context-line.ts';
import { type EventLine, type EventOf, quiet, type UndoHint } from './line.ts';

export type CompactionEvent = EventOf<
  'compacted' | 'nothing_to_compact' | 'compaction_failed' | 'compaction_cancelled' | 'compaction_discarded' | 'summary_prepared'
>;

/** What came of a compaction, or of a summary for one, in words; and what the summary cost. */
export function compactionLine(event: CompactionEvent, undo: UndoHint): EventLine {
  switch (event.type) {
    case 'compacted':
      return { tone: 'notice', text: compactedText(event, undo) };
    case 'nothing_to_compact':
      return {
        tone: 'plain',
        text: `Nothing to compact: ${pluralize(event.messages, 'message')}, ${formatCount(event.tokens)} tokens, 0 freed.`,
      };
    case 'compaction_failed':
      return {
        tone: 'bad',
        text: `Compaction${triggerText(event.trigger)} failed; the history is unchanged: ${safeLine(event.why)}${summaryCostText(event)}`,
      };
    case 'compaction_cancelled':
      return {
        tone: 'notice',
        text: `Compaction${triggerText(event.trigger)} cancelled; the history is unchanged.${summaryCostText(event)}`,
      };
    case 'compaction_discarded':
      return { tone: event.why === undefined ? 'plain' : 'bad', text: discardedText(event) };
    case 'summary_prepared':
      return quiet(
        `Summarised ${pluralize(event.messages, 'message')} in the background, ready for when room is needed.${summaryCostText(event)}`,
      );
  }
}

function compactedText(event: CompactedEvent, undo: UndoHint): string {
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
      ? 'Degraded: the model gave no usable summary, so this one was made by rule. Nothing is lost, but read it over.'
      : undefined;
  return [
    line,
    ...[degraded, summaryCostText(event).trim()].filter((note) => note !== undefined && note !== '').map((note) => `  ${note}`),
  ].join('\n');
}

const summaryCostText = ({ costUsd }: { readonly costUsd?: number | undefined }): string =>
  costUsd === undefined || costUsd === 0 ? '' : ` The summary cost ${formatDollars(costUsd)}.`;

const discardedText = (event: EventOf<'compaction_discarded'>): string =>
  event.why === undefined
    ? `Discarded; the context is unchanged.${summaryCostText(event)}`
    : `Discarded because ${safeLine(event.why)}. The context is unchanged.${summaryCostText(event)}`;

const triggerNames: Readonly<Record<CompactionTrigger, string>> = {
  auto: ' before this request',
  manual: '',
  overflow: ' after an overflow',
};
const triggerText = (trigger: CompactionTrigger): string => triggerNames[trigger];
