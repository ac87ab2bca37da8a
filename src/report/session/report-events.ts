import { readCost, readEvent } from '../../domain/event/read-event.ts';
import type { AuditRecord, ReadEventOf } from '../../domain/event.ts';
import { usageTotal } from '../../domain/session/message.ts';
import { formatCount, formatDollars, pluralize } from '../../terminal/text/format.ts';
import { methodLabels, type TimelineEntry, timelineEntry, triggerLabels } from './report-labels.ts';

export type ReportCompaction = {
  readonly at: string;
  readonly why: string;
  readonly method: string;
  readonly before: number;
  readonly after: number;
  readonly messagesBefore: number | undefined;
  readonly messagesKept: number | undefined;
  readonly facts: string;
  readonly cost: string;
  readonly ms: number | undefined;
  readonly snapshotId: string;
};

export type ReportTurnEnd = { readonly at: string; readonly stopReason: string; readonly ms: number; readonly costUsd: number | undefined };

export type AuditSummary = Readonly<Omit<Fold, 'reasons'>>;

type Fold = {
  from: string | undefined;
  openCount: number;
  readonly entries: TimelineEntry[];
  readonly compactions: ReportCompaction[];
  readonly turnEnds: ReportTurnEnd[];
  readonly windows: { readonly at: string; readonly tokens: number }[];
  /** What was paid; undefined where tokens were used and no price is known. `reply`: for the reply itself, and not for a summary. */
  readonly costs: { readonly at: string; readonly usd: number | undefined; readonly reply: boolean }[];
  readonly toolMs: Map<string, number>;
  readonly denied: Map<string, number>;
  memories: number;
  reasons: string;
};

export function createAuditFold(): { readonly add: (record: AuditRecord) => void; readonly summary: AuditSummary } {
  const fold: Fold = {
    from: undefined,
    openCount: 0,
    entries: [],
    compactions: [],
    turnEnds: [],
    windows: [],
    costs: [],
    toolMs: new Map(),
    denied: new Map(),
    memories: 0,
    reasons: '',
  };
  return { add: (record) => addRecord(fold, record), summary: fold };
}

function addRecord(fold: Fold, record: AuditRecord): void {
  const { at } = record;
  const event = readEvent(record);
  fold.from ??= at;
  if (event.type !== 'turn_ended') addCost(fold, record);
  switch (event.type) {
    case 'session_started':
      fold.openCount += 1;
      break;
    case 'request':
      if (event.purpose === 'turn') fold.windows.push({ at, tokens: event.windowTokens });
      break;
    case 'tool_ended':
      fold.toolMs.set(event.tool, (fold.toolMs.get(event.tool) ?? 0) + event.ms);
      if (event.denied) fold.denied.set(event.tool, (fold.denied.get(event.tool) ?? 0) + 1);
      break;
    case 'compaction_started':
      fold.reasons = event.reasons.join(', ');
      break;
    case 'compacted':
      fold.compactions.push(compactionOf(event, { at, reasons: fold.reasons }));
      fold.entries.push(timelineEntry(at, event));
      break;
    case 'compaction_checked':
      addFacts(fold, event);
      break;
    case 'turn_ended':
      fold.turnEnds.push({ at, stopReason: event.stopReason, ms: event.ms, costUsd: event.costUsd });
      break;
    case 'memory_extracted':
      addMemories(fold, event, at);
      break;
    // Steps of what is told at its end, and what the log or another table tells.
    case 'turn_started':
    case 'reply':
    case 'helper_started':
    case 'helper_step':
    case 'helper_called':
    case 'helper_ended':
    case 'tool_started':
    case 'context_high':
    case 'file_attached':
    case 'snapshot_written':
    case 'jobs_ended':
    case 'session_ended':
      break;
    default:
      fold.entries.push(timelineEntry(at, event));
  }
}

function addCost(fold: Fold, record: AuditRecord): void {
  const { usage, costUsd } = readCost(record);
  const hasUsage = usageTotal(usage) > 0;
  if (hasUsage || (costUsd ?? 0) > 0) fold.costs.push({ at: record.at, usd: costUsd, reply: record.type === 'reply' });
}

const memoryCounters = [
  ['decisions', 'decision', 'decisions'],
  ['facts', 'fact', 'facts'],
  ['preferences', 'preference', 'preferences'],
  ['runtime', 'outcome of a command', 'outcomes of commands'],
] as const;

function addMemories(fold: Fold, event: ReadEventOf<'memory_extracted'>, at: string): void {
  const parts = memoryCounters.map(([name, one, several]) => ({ n: event[name], one, several }));
  const total = parts.reduce((sum, { n }) => sum + n, 0);
  fold.memories += total;
  const texts = parts.filter(({ n }) => n > 0).map(({ n, one, several }) => pluralize(n, one, several));
  if (total > 0) fold.entries.push({ at, what: 'memories extracted', details: texts.join(', ') });
}

function compactionOf(
  event: ReadEventOf<'compacted'>,
  { at, reasons }: { readonly at: string; readonly reasons: string },
): ReportCompaction {
  const why = triggerLabels[event.trigger] ?? event.trigger;
  return {
    at,
    why: reasons === '' ? why : `${why} (${reasons.replaceAll('_', ' ')})`,
    method: methodLabels[event.method] ?? event.method,
    before: event.tokensBefore,
    after: event.tokensAfter,
    messagesBefore: event.messagesBefore,
    messagesKept: event.messagesKept,
    facts: 'not checked',
    cost: event.costUsd === undefined ? 'price not known' : formatDollars(event.costUsd),
    ms: event.ms,
    snapshotId: event.snapshotId,
  };
}

function addFacts(fold: Fold, { snapshotId, inContext, oneLookUp, lost }: ReadEventOf<'compaction_checked'>): void {
  const at = fold.compactions.findLastIndex((each) => each.snapshotId === snapshotId);
  const compaction = fold.compactions[at];
  if (compaction === undefined) return;
  fold.compactions[at] = {
    ...compaction,
    facts: `${formatCount(inContext)} in context, ${formatCount(oneLookUp)} one look-up away, ${formatCount(lost)} lost`,
  };
}
