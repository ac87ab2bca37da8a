import type { AuditRecord } from '../../domain/event.ts';
import { count, counted, dollars } from '../../terminal/text/figures.ts';
import { numberAt, textAt, usageAt } from '../metrics/fields.ts';
import { type Happening, happeningOf, methods, triggers } from './report-words.ts';

export type Compaction = {
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

export type TurnEnd = { readonly at: string; readonly stopReason: string; readonly ms: number; readonly costUsd: number | undefined };

export type AuditLife = {
  /** Of the first and the last event; undefined when there is none. */
  readonly from: string | undefined;
  readonly opened: number;
  readonly happenings: readonly Happening[];
  readonly compactions: readonly Compaction[];
  readonly turnEnds: readonly TurnEnd[];
  readonly windows: readonly { readonly at: string; readonly tokens: number }[];
  /** What was paid; undefined where tokens were used and no price is known. `reply`: for the reply itself, and not for a summary. */
  readonly costs: readonly { readonly at: string; readonly usd: number | undefined; readonly reply: boolean }[];
  readonly toolMs: ReadonlyMap<string, number>;
  readonly denied: ReadonlyMap<string, number>;
  readonly memories: number;
};

type Fold = {
  from: string | undefined;
  opened: number;
  readonly happenings: Happening[];
  readonly compactions: Compaction[];
  readonly turnEnds: TurnEnd[];
  readonly windows: AuditLife['windows'][number][];
  readonly costs: AuditLife['costs'][number][];
  readonly toolMs: Map<string, number>;
  readonly denied: Map<string, number>;
  memories: number;
  reasons: string;
};

/** The events of one session, in the order of the log. What is missing in a record, or of another type than today's, counts as nothing. */
export function createAuditFold(): { readonly add: (record: AuditRecord) => void; readonly life: AuditLife } {
  const fold: Fold = {
    from: undefined,
    opened: 0,
    happenings: [],
    compactions: [],
    turnEnds: [],
    windows: [],
    costs: [],
    toolMs: new Map(),
    denied: new Map(),
    memories: 0,
    reasons: '',
  };
  return { add: (record) => take(fold, record), life: fold };
}

function take(fold: Fold, record: AuditRecord): void {
  const { at } = record;
  fold.from ??= at;
  takeCost(fold, record);
  switch (record.type) {
    case 'session_started':
      fold.opened += 1;
      break;
    case 'request':
      if (record.purpose === 'turn') fold.windows.push({ at, tokens: numberAt(record, 'windowTokens') });
      break;
    case 'tool_ended': {
      const tool = textAt(record, 'tool');
      fold.toolMs.set(tool, (fold.toolMs.get(tool) ?? 0) + numberAt(record, 'ms'));
      if (record.denied === true) fold.denied.set(tool, (fold.denied.get(tool) ?? 0) + 1);
      break;
    }
    case 'compaction_started':
      fold.reasons = Array.isArray(record.reasons) ? record.reasons.filter((each) => typeof each === 'string').join(', ') : '';
      break;
    case 'compacted':
      fold.compactions.push(compactionOf(record, fold.reasons));
      fold.happenings.push(happeningOf(record));
      break;
    case 'compaction_checked':
      addFacts(fold, record);
      break;
    case 'turn_ended':
      fold.turnEnds.push({ at, stopReason: textAt(record, 'stopReason'), ms: numberAt(record, 'ms'), costUsd: costAt(record) });
      break;
    case 'memory_extracted':
      takeMemories(fold, record);
      break;
    default:
      if (!quiet.has(String(record.type))) fold.happenings.push(happeningOf(record));
  }
}

/** Steps of what is told at its end, and what the log or another table tells. */
const quiet: ReadonlySet<string> = new Set(['turn_started', 'reply', 'tool_started', 'context_high', 'snapshot_written', 'session_ended']);

const costAt = (record: AuditRecord): number | undefined => (typeof record.costUsd === 'number' ? record.costUsd : undefined);

function takeCost(fold: Fold, record: AuditRecord): void {
  const usd = costAt(record);
  const used = Object.values(usageAt(record)).some((tokens) => tokens > 0);
  if (record.type === 'turn_ended' || !(used || (usd ?? 0) > 0)) return;
  fold.costs.push({ at: record.at, usd, reply: record.type === 'reply' });
}

const kinds = [
  ['decisions', 'decision', 'decisions'],
  ['facts', 'fact', 'facts'],
  ['preferences', 'preference', 'preferences'],
  ['runtime', 'outcome of a command', 'outcomes of commands'],
] as const;

function takeMemories(fold: Fold, record: AuditRecord): void {
  const parts = kinds.map(([name, one, several]) => ({ n: numberAt(record, name), one, several }));
  const all = parts.reduce((sum, { n }) => sum + n, 0);
  fold.memories += all;
  const told = parts.filter(({ n }) => n > 0).map(({ n, one, several }) => counted(n, one, several));
  if (all > 0) fold.happenings.push({ at: record.at, what: 'memories extracted', tells: told.join(', ') });
}

function compactionOf(record: AuditRecord, reasons: string): Compaction {
  const trigger = textAt(record, 'trigger');
  const why = triggers[trigger] ?? trigger;
  const cost = costAt(record);
  return {
    at: record.at,
    why: reasons === '' ? why : `${why} (${reasons.replaceAll('_', ' ')})`,
    method: methods[textAt(record, 'method')] ?? textAt(record, 'method'),
    before: numberAt(record, 'tokensBefore'),
    after: numberAt(record, 'tokensAfter'),
    messagesBefore: numberAt(record, 'messagesBefore'),
    messagesKept: numberAt(record, 'messagesKept'),
    facts: 'not checked',
    cost: cost === undefined ? 'price not known' : dollars(cost),
    ms: numberAt(record, 'ms'),
    snapshotId: textAt(record, 'snapshotId'),
  };
}

/** The check of a compaction follows it. */
function addFacts(fold: Fold, record: AuditRecord): void {
  const at = fold.compactions.findLastIndex(({ snapshotId }) => snapshotId === textAt(record, 'snapshotId'));
  const found = fold.compactions[at];
  if (found === undefined) return;
  const [inContext, oneLookUp, lost] = ['inContext', 'oneLookUp', 'lost'].map((name) => numberAt(record, name));
  fold.compactions[at] = {
    ...found,
    facts: `${count(inContext ?? 0)} in context, ${count(oneLookUp ?? 0)} one look-up away, ${count(lost ?? 0)} lost`,
  };
}
