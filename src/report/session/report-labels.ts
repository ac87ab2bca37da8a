import type { AuditRecord } from '../../domain/event.ts';
import { formatCount, formatDuration, formatSize, pluralize } from '../../terminal/text/format.ts';
import { numberAt, stringAt } from '../metrics/fields.ts';

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

/** A record in words; one of a type that is not known here by its name and fields. */
export function timelineEntry(record: AuditRecord): TimelineEntry {
  const { at } = record;
  const text = (name: string): string => stringAt(record, name);
  const number = (name: string): number => numberAt(record, name);
  const sizes = { before: number('tokensBefore'), after: number('tokensAfter') };
  const messages = (name: string): string => pluralize(number(name), 'message');
  const base = { at, details: text('why') };
  switch (record.type) {
    case 'instructions_read': {
      const files = Array.isArray(record.files) ? record.files.map((file) => stringAt(file, 'path')) : [];
      return { at, what: 'instructions read', details: files.join(', ') };
    }
    case 'offloaded': {
      const results = Array.isArray(record.results) ? record.results : [];
      const bytes = results.reduce((sum: number, result) => sum + numberAt(result, 'bytes'), 0);
      const occasion = offloadLabels[text('when')] ?? text('when');
      const entry = {
        at,
        what: 'offloaded',
        details: `${pluralize(results.length, 'result')} (${formatSize(bytes)}) to files, ${occasion}`,
        mark: 1,
      } as const;
      // On arrival the figures are those of the results alone: they were never in the context.
      if (text('when') !== 'arrival') return { ...entry, ...sizes };
      return { ...entry, details: `${entry.details}: ${formatCount(sizes.before)} -> ${formatCount(sizes.after)} tokens` };
    }
    case 'pruned':
      return {
        at,
        what: 'pruned',
        details: `${formatCount(number('trimmed'))} old results cut, ${formatCount(number('cleared'))} left out, in what is sent only`,
        ...sizes,
      };
    case 'compacted':
      return {
        at,
        what: 'compacted',
        details: `${methodLabels[text('method')] ?? text('method')}, ${messages('messagesKept')} kept`,
        ...sizes,
        undo: text('snapshotId'),
        mark: 0,
      };
    case 'nothing_to_compact':
      return { at, what: 'nothing to compact', details: messages('messages') };
    case 'compaction_failed':
      return { ...base, what: 'compaction failed' };
    case 'compaction_cancelled':
      return { ...base, what: 'compaction cancelled' };
    case 'compaction_discarded':
      return { ...base, what: 'compaction discarded' };
    case 'summary_prepared':
      return { at, what: 'summary prepared', details: `of ${messages('messages')}, beside the turn` };
    case 'summary_dropped':
      return { ...base, what: 'prepared summary dropped' };
    case 'trimmed':
      return {
        at,
        what: 'trimmed',
        details: `${pluralize(number('messages'), 'long message')} cut to fit the window`,
        ...sizes,
        undo: text('snapshotId'),
        mark: 0,
      };
    case 'window_slid':
      return {
        at,
        what: 'oldest left out',
        details: `${messages('dropped')} to fit the window`,
        ...sizes,
        undo: text('snapshotId'),
        mark: 0,
      };
    case 'overflow':
      return {
        at,
        what: 'did not fit',
        details: `the endpoint refused the request${number('limitTokens') > 0 ? `: its limit is ${formatCount(number('limitTokens'))} tokens` : ''}`,
      };
    case 'rolled_back':
      return {
        at,
        what: 'rolled back',
        details: `to ${text('snapshotId')}, ${messages('messages')}`,
        ...sizes,
        undo: text('undoId'),
        mark: 2,
      };
    case 'rewound':
      return {
        at,
        what: 'went back',
        details: `to before an earlier message, ${messages('messages')}`,
        ...sizes,
        undo: text('undoId'),
        mark: 2,
      };
    case 'rollback_failed':
      return { ...base, what: 'rollback failed' };
    case 'memory_superseded':
      return {
        at,
        what: 'memories changed',
        details: `${formatCount(number('superseded'))} no longer current, ${formatCount(number('restored'))} current again`,
      };
    case 'cleared':
      return { at, what: 'cleared', details: `${messages('messages')} left the context`, undo: text('snapshotId'), mark: 2 };
    case 'model_changed':
      return { at, what: 'another model', details: `${text('model')}, window ${formatCount(number('windowTokens'))} tokens` };
    case 'retrying':
      return { ...base, what: 'tried again' };
    case 'hook_ran':
      return {
        at,
        what: `hook ${text('hook')}`,
        details: `${text('command')}: ${record.ok === false ? `failed, ${text('note')}` : 'ran'} (${formatDuration(number('ms'))})`,
      };
    case 'warning':
      return { at, what: 'warning', details: text('message') };
    default:
      return { at, what: String(record.type).replaceAll('_', ' '), details: fieldsText(record) };
  }
}

const fieldsText = ({ v: _v, at: _at, sessionId: _id, type: _type, ...fields }: AuditRecord): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : (JSON.stringify(value) ?? '')}`)
    .join(', ');
