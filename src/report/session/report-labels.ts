import type { UnknownEvent } from '../../domain/event/read-event.ts';
import type { ReadEventOf } from '../../domain/event.ts';
import { formatCount, formatDuration, formatSize, pluralize } from '../../terminal/text/format.ts';

/** Kinds of marks in the plot: the context was summarised or cut, results went to files, an earlier state came back. */
export type MarkKind = 0 | 1 | 2;

/** Something that happened, in words; tokens of the context where they changed. */
export type TimelineEntry = {
  readonly at: string;
  readonly what: string;
  readonly details: string;
  readonly before?: number;
  readonly after?: number;
  /** The snapshot that brings back what was there before. */
  readonly undo?: string;
  readonly mark?: MarkKind;
};

export const triggerLabels: Readonly<Record<string, string>> = {
  auto: 'the context was full',
  manual: 'asked for',
  overflow: 'a request did not fit',
};
export const methodLabels: Readonly<Record<string, string>> = {
  model: 'by the model',
  edited: 'edited by you',
  rules: 'by rule',
  rules_degraded: 'by rule, because no model answered',
  hook: 'by a hook',
  server: 'by the API itself',
};

const offloadLabels: Readonly<Record<string, string>> = {
  arrival: 'on arrival',
  pressure: 'to make room',
  voluntary: 'because it paid',
};

type ContextEvent = ReadEventOf<
  'offloaded' | 'pruned' | 'trimmed' | 'window_slid' | 'rolled_back' | 'rewound' | 'rollback_failed' | 'memory_superseded' | 'cleared'
>;
type CompactionEvent = ReadEventOf<
  | 'compacted'
  | 'nothing_to_compact'
  | 'compaction_failed'
  | 'compaction_cancelled'
  | 'compaction_discarded'
  | 'summary_prepared'
  | 'summary_dropped'
>;
type OtherEvent = ReadEventOf<'instructions_read' | 'overflow' | 'model_changed' | 'retrying' | 'hook_ran' | 'warning'>;
type EventDescription = Omit<TimelineEntry, 'at'>;

/** An event in words; one of a type that is not known here by its name and fields. */
export const timelineEntry = (at: string, event: ContextEvent | CompactionEvent | OtherEvent | UnknownEvent): TimelineEntry => ({
  at,
  ...describe(event),
});

function describe(event: ContextEvent | CompactionEvent | OtherEvent | UnknownEvent): EventDescription {
  switch (event.type) {
    case 'instructions_read':
      return { what: 'instructions read', details: event.files.map(({ path }) => path).join(', ') };
    case 'overflow': {
      const { limitTokens = 0 } = event;
      const limit = limitTokens > 0 ? `: its limit is ${formatCount(limitTokens)} tokens` : '';
      return { what: 'did not fit', details: `the endpoint refused the request${limit}` };
    }
    case 'model_changed':
      return { what: 'another model', details: `${event.model}, window ${formatCount(event.windowTokens)} tokens` };
    case 'retrying':
      return { what: 'tried again', details: event.why };
    case 'hook_ran': {
      const { hook, command, ok, note, ms } = event;
      return { what: `hook ${hook}`, details: `${command}: ${ok ? 'ran' : `failed, ${note}`} (${formatDuration(ms)})` };
    }
    case 'warning':
      return { what: 'warning', details: event.message };
    case 'unknown':
      return { what: event.name.replaceAll('_', ' '), details: fieldsText(event.fields) };
    default:
      return describeContext(event);
  }
}

function describeContext(event: ContextEvent | CompactionEvent): EventDescription {
  switch (event.type) {
    case 'offloaded':
      return describeOffload(event);
    case 'pruned': {
      const details = `${formatCount(event.trimmed)} old results cut, ${formatCount(event.cleared)} left out, in what is sent only`;
      return { what: 'pruned', details, ...tokenSizes(event) };
    }
    case 'trimmed': {
      const details = `${pluralize(event.messages, 'long message')} cut to fit the window`;
      return { what: 'trimmed', details, ...tokenSizes(event), undo: event.snapshotId, mark: 0 };
    }
    case 'window_slid':
      return {
        what: 'oldest left out',
        details: `${messages(event.dropped)} to fit the window`,
        ...tokenSizes(event),
        undo: event.snapshotId,
        mark: 0,
      };
    case 'rolled_back': {
      const details = `to ${event.snapshotId}, ${messages(event.messages)}`;
      return { what: 'rolled back', details, ...tokenSizes(event), undo: event.undoId, mark: 2 };
    }
    case 'rewound': {
      const details = `to before an earlier message, ${messages(event.messages)}`;
      return { what: 'went back', details, ...tokenSizes(event), undo: event.undoId, mark: 2 };
    }
    case 'rollback_failed':
      return { what: 'rollback failed', details: event.why };
    case 'memory_superseded': {
      const details = `${formatCount(event.superseded)} no longer current, ${formatCount(event.restored)} current again`;
      return { what: 'memories changed', details };
    }
    case 'cleared':
      return { what: 'cleared', details: `${messages(event.messages)} left the context`, undo: event.snapshotId, mark: 2 };
    default:
      return describeCompaction(event);
  }
}

function describeCompaction(event: CompactionEvent): EventDescription {
  switch (event.type) {
    case 'compacted': {
      const details = `${methodLabels[event.method] ?? event.method}, ${messages(event.messagesKept)} kept`;
      return { what: 'compacted', details, ...tokenSizes(event), undo: event.snapshotId, mark: 0 };
    }
    case 'nothing_to_compact':
      return { what: 'nothing to compact', details: messages(event.messages) };
    case 'compaction_failed':
      return { what: 'compaction failed', details: event.why };
    case 'compaction_cancelled':
      return { what: 'compaction cancelled', details: '' };
    case 'compaction_discarded':
      return { what: 'compaction discarded', details: event.why ?? '' };
    case 'summary_prepared':
      return { what: 'summary prepared', details: `of ${messages(event.messages)}, beside the turn` };
    case 'summary_dropped':
      return { what: 'prepared summary dropped', details: event.why };
  }
}

function describeOffload({ results, when, ...change }: ReadEventOf<'offloaded'>): EventDescription {
  const bytes = results.reduce((sum, result) => sum + result.bytes, 0);
  const details = `${pluralize(results.length, 'result')} (${formatSize(bytes)}) to files, ${offloadLabels[when] ?? when}`;
  const { before, after } = tokenSizes(change);
  // On arrival the figures are those of the results alone: they were never in the context.
  if (when === 'arrival')
    return { what: 'offloaded', details: `${details}: ${formatCount(before)} -> ${formatCount(after)} tokens`, mark: 1 };
  return { what: 'offloaded', details, mark: 1, before, after };
}

type TokenChange = { readonly tokensBefore: number; readonly tokensAfter: number };

const tokenSizes = ({ tokensBefore, tokensAfter }: TokenChange) => ({ before: tokensBefore, after: tokensAfter });
const messages = (n: number): string => pluralize(n, 'message');

const fieldsText = (fields: UnknownEvent['fields']): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : (JSON.stringify(value) ?? '')}`)
    .join(', ');
