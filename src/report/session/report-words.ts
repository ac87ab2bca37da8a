import type { AuditRecord } from '../../domain/event.ts';
import { count, counted, duration, size } from '../../terminal/text/figures.ts';
import { numberAt, textAt } from '../metrics/fields.ts';

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
  server: 'by the API itself',
};

const offloadWords: Readonly<Record<string, string>> = {
  arrival: 'on arrival',
  pressure: 'to make room',
  voluntary: 'because it paid',
};

/** A record in words; one of a type that is not known here by its name and fields. */
export function happeningOf(record: AuditRecord): Happening {
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
