import type { AuditRecord } from '../../domain/event.ts';
import { formatCount, formatDollars, pluralize } from '../../terminal/text/format.ts';
import { numberAt, stringAt, usageAt } from '../metrics/fields.ts';
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

export type AuditSummary = {
  /** Of the first and the last event; undefined when there is none. */
  readonly from: string | undefined;
  readonly openCount: number;
  readonly entries: readonly TimelineEntry[];
  readonly compactions: readonly ReportCompaction[];
  readonly turnEnds: readonly ReportTurnEnd[];
  readonly windows: readonly { readonly at: string; readonly tokens: number }[];
  /** What was paid; undefined where tokens were used and no price is known. `reply`: for the reply itself, and not for a summary. */
  readonly costs: readonly { readonly at: string; readonly usd: number | undefined; readonly reply: boolean }[];
  readonly toolMs: ReadonlyMap<string, number>;
  readonly denied: ReadonlyMap<string, number>;
  readonly memories: number;
};

type Fold = {
  from: string | undefined;
  openCount: number;
  readonly entries: TimelineEntry[];
  readonly compactions: ReportCompaction[];
  readonly turnEnds: ReportTurnEnd[];
  readonly windows: AuditSummary['windows'][number][];
  readonly costs: AuditSummary['costs'][number][];
  readonly toolMs: Map<string, number>;
  readonly denied: Map<string, number>;
  memories: number;
  reasons: string;
};

/** The events of one session, in the order of the log. What is missing in a record, or of another type than today's, counts as nothing. */
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
  fold.from ??= at;
  addCost(fold, record);
  switch (record.type) {
    case 'session_started':
      fold.openCount += 1;
      break;
    case 'request':
      if (record.purpose === 'turn') fold.windows.push({ at, tokens: numberAt(record, 'windowTokens') });
      break;
    case 'tool_ended': {
      const tool = stringAt(record, 'tool');
      fold.toolMs.set(tool, (fold.toolMs.get(tool) ?? 0) + numberAt(record, 'ms'));
      if (record.denied === true) fold.denied.set(tool, (fold.denied.get(tool) ?? 0) + 1);
      break;
    }
    case 'compaction_started':
      fold.reasons = Array.isArray(record.reasons) ? record.reasons.filter((each) => typeof each === 'string').join(', ') : '';
      break;
    case 'compacted':
      fold.compactions.push(compactionOf(record, fold.reasons));
      fold.entries.push(timelineEntry(record));
      break;
    case 'compaction_checked':
      addFacts(fold, record);
      break;
    case 'turn_ended':
      fold.turnEnds.push({ at, stopReason: stringAt(record, 'stopReason'), ms: numberAt(record, 'ms'), costUsd: costAt(record) });
      break;
    case 'memory_extracted':
      addMemories(fold, record);
      break;
    default:
      if (!omittedTypes.has(String(record.type))) fold.entries.push(timelineEntry(record));
  }
}

/** Steps of what is told at its end, and what the log or another table tells. */
const omittedTypes: ReadonlySet<string> = new Set([
  'turn_started',
  'reply',
  'tool_started',
  'context_high',
  'snapshot_written',
  'session_ended',
]);

const costAt = (record: AuditRecord): number | undefined => (typeof record.costUsd === 'number' ? record.costUsd : undefined);

function addCost(fold: Fold, record: AuditRecord): void {
  const usd = costAt(record);
  const hasUsage = Object.values(usageAt(record)).some((tokens) => tokens > 0);
  if (record.type === 'turn_ended' || !(hasUsage || (usd ?? 0) > 0)) return;
  fold.costs.push({ at: record.at, usd, reply: record.type === 'reply' });
}

const memoryCounters = [
  ['decisions', 'decision', 'decisions'],
  ['facts', 'fact', 'facts'],
  ['preferences', 'preference', 'preferences'],
  ['runtime', 'outcome of a command', 'outcomes of commands'],
] as const;

function addMemories(fold: Fold, record: AuditRecord): void {
  const parts = memoryCounters.map(([name, one, several]) => ({ n: numberAt(record, name), one, several }));
  const total = parts.reduce((sum, { n }) => sum + n, 0);
  fold.memories += total;
  const texts = parts.filter(({ n }) => n > 0).map(({ n, one, several }) => pluralize(n, one, several));
  if (total > 0) fold.entries.push({ at: record.at, what: 'memories extracted', details: texts.join(', ') });
}

function compactionOf(record: AuditRecord, reasons: string): ReportCompaction {
  const trigger = stringAt(record, 'trigger');
  const why = triggerLabels[trigger] ?? trigger;
  const cost = costAt(record);
  return {
    at: record.at,
    why: reasons === '' ? why : `${why} (${reasons.replaceAll('_', ' ')})`,
    method: methodLabels[stringAt(record, 'method')] ?? stringAt(record, 'method'),
    before: numberAt(record, 'tokensBefore'),
    after: numberAt(record, 'tokensAfter'),
    messagesBefore: numberAt(record, 'messagesBefore'),
    messagesKept: numberAt(record, 'messagesKept'),
    facts: 'not checked',
    cost: cost === undefined ? 'price not known' : formatDollars(cost),
    ms: numberAt(record, 'ms'),
    snapshotId: stringAt(record, 'snapshotId'),
  };
}

/** The check of a compaction follows it. */
function addFacts(fold: Fold, record: AuditRecord): void {
  const at = fold.compactions.findLastIndex(({ snapshotId }) => snapshotId === stringAt(record, 'snapshotId'));
  const compaction = fold.compactions[at];
  if (compaction === undefined) return;
  const [inContext, oneLookUp, lost] = ['inContext', 'oneLookUp', 'lost'].map((name) => numberAt(record, name));
  fold.compactions[at] = {
    ...compaction,
    facts: `${formatCount(inContext ?? 0)} in context, ${formatCount(oneLookUp ?? 0)} one look-up away, ${formatCount(lost ?? 0)} lost`,
  };
}
