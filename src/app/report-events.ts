import type { AuditRecord } from '../domain/event.ts';
import { numberAt, textAt, usageAt } from '../metrics/fields.ts';
import { count, counted, dollars, duration, size } from '../ui/figures.ts';

/** Kinds of marks in the plot: the context was summarised or cut, results went to files, an earlier state came back. */
export type MarkKind = 0 | 1 | 2;

/** Something that happened, in words; tokens of the context where they changed. */
export type Happening = {
  readonly at: string;
  readonly what: string;
  readonly tells: string;
  readonly before?: number;
  readonly after?: number;
  /** The snapshot that brings back what was there before. */
  readonly undo?: string;
  readonly mark?: MarkKind;
};

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

function takeMemories(fold: Fold, record: AuditRecord): void {
  const parts = ['decisions', 'facts', 'preferences', 'runtime'].map((name) => [name, numberAt(record, name)] as const);
  const all = parts.reduce((sum, [, n]) => sum + n, 0);
  fold.memories += all;
  const told = parts.filter(([, n]) => n > 0).map(([name, n]) => `${count(n)} ${name}`);
  if (all > 0) fold.happenings.push({ at: record.at, what: 'memories extracted', tells: told.join(', ') });
}

export const triggers: Readonly<Record<string, string>> = {
  auto: 'the context was full',
  manual: 'asked for',
  overflow: 'a request did not fit',
};
export const methods: Readonly<Record<string, string>> = {
  model: 'by the model',
  edited: 'edited by you',
  rules: 'by rule',
  rules_degraded: 'by rule, because no model answered',
  hook: 'by a hook',
};

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

const offloadWords: Readonly<Record<string, string>> = {
  arrival: 'on arrival',
  pressure: 'to make room',
  voluntary: 'because it paid',
};

/** A record in words; one of a type that is not known here by its name and fields. */
function happeningOf(record: AuditRecord): Happening {
  const { at } = record;
  const text = (name: string): string => textAt(record, name);
  const number = (name: string): number => numberAt(record, name);
  const sizes = { before: number('tokensBefore'), after: number('tokensAfter') };
  const messages = (name: string): string => counted(number(name), 'message');
  const failure = { at, tells: text('why') };
  switch (record.type) {
    case 'instructions_read': {
      const files = Array.isArray(record.files) ? record.files.map((file) => textAt(file, 'path')) : [];
      return { at, what: 'instructions read', tells: files.join(', ') };
    }
    case 'offloaded': {
      const results = Array.isArray(record.results) ? record.results : [];
      const bytes = results.reduce((sum: number, result) => sum + numberAt(result, 'bytes'), 0);
      const when = offloadWords[text('when')] ?? text('when');
      const told = {
        at,
        what: 'offloaded',
        tells: `${counted(results.length, 'result')} (${size(bytes)}) to files, ${when}`,
        mark: 1,
      } as const;
      // On arrival the figures are those of the results alone: they were never in the context.
      if (text('when') !== 'arrival') return { ...told, ...sizes };
      return { ...told, tells: `${told.tells}: ${count(sizes.before)} -> ${count(sizes.after)} tokens` };
    }
    case 'pruned':
      return {
        at,
        what: 'pruned',
        tells: `${count(number('trimmed'))} old results cut, ${count(number('cleared'))} left out, in what is sent only`,
        ...sizes,
      };
    case 'compacted':
      return {
        at,
        what: 'compacted',
        tells: `${methods[text('method')] ?? text('method')}, ${messages('messagesKept')} kept`,
        ...sizes,
        undo: text('snapshotId'),
        mark: 0,
      };
    case 'nothing_to_compact':
      return { at, what: 'nothing to compact', tells: messages('messages') };
    case 'compaction_failed':
      return { ...failure, what: 'compaction failed' };
    case 'compaction_cancelled':
      return { ...failure, what: 'compaction cancelled' };
    case 'compaction_discarded':
      return { ...failure, what: 'compaction discarded' };
    case 'summary_prepared':
      return { at, what: 'summary prepared', tells: `of ${messages('messages')}, beside the turn` };
    case 'summary_dropped':
      return { ...failure, what: 'prepared summary dropped' };
    case 'trimmed':
      return {
        at,
        what: 'trimmed',
        tells: `${counted(number('messages'), 'long message')} cut to fit the window`,
        ...sizes,
        undo: text('snapshotId'),
        mark: 0,
      };
    case 'window_slid':
      return {
        at,
        what: 'oldest left out',
        tells: `${messages('dropped')} to fit the window`,
        ...sizes,
        undo: text('snapshotId'),
        mark: 0,
      };
    case 'overflow':
      return {
        at,
        what: 'did not fit',
        tells: `the endpoint refused the request${number('limitTokens') > 0 ? `: its limit is ${count(number('limitTokens'))} tokens` : ''}`,
      };
    case 'rolled_back':
      return {
        at,
        what: 'rolled back',
        tells: `to ${text('snapshotId')}, ${messages('messages')}`,
        ...sizes,
        undo: text('undoId'),
        mark: 2,
      };
    case 'rewound':
      return {
        at,
        what: 'went back',
        tells: `to before an earlier message, ${messages('messages')}`,
        ...sizes,
        undo: text('undoId'),
        mark: 2,
      };
    case 'rollback_failed':
      return { ...failure, what: 'rollback failed' };
    case 'memory_superseded':
      return {
        at,
        what: 'memories changed',
        tells: `${count(number('superseded'))} no longer current, ${count(number('restored'))} current again`,
      };
    case 'cleared':
      return { at, what: 'cleared', tells: `${messages('messages')} left the context`, undo: text('snapshotId'), mark: 2 };
    case 'model_changed':
      return { at, what: 'another model', tells: `${text('model')}, window ${count(number('windowTokens'))} tokens` };
    case 'retrying':
      return { ...failure, what: 'tried again' };
    case 'hook_ran':
      return {
        at,
        what: `hook ${text('hook')}`,
        tells: `${text('command')}: ${record.ok === false ? `failed, ${text('note')}` : 'ran'} (${duration(number('ms'))})`,
      };
    case 'warning':
      return { at, what: 'warning', tells: text('message') };
    default:
      return { at, what: String(record.type).replaceAll('_', ' '), tells: fieldsText(record) };
  }
}

const fieldsText = ({ v: _v, at: _at, sessionId: _id, type: _type, ...fields }: AuditRecord): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : (JSON.stringify(value) ?? '')}`)
    .join(', ');
