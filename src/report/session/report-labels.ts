import type { UnknownEvent } from '../../domain/event/read-event.ts';
import type { ReadEvent, ReadEventOf } from '../../domain/event.ts';
import { formatCount, formatDuration, formatSize, pluralize } from '../../terminal/text/format.ts';

/** Kinds of marks in the plot: the context was summarised or cut, results went to files, an earlier state came back. */
export type MarkKind = 0 | 1 | 2;

export type TimelineEntry = {
  readonly at: string;
  readonly what: string;
  readonly details: string;
  readonly before?: number;
  readonly after?: number;
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

type EventDescription = Omit<TimelineEntry, 'at'>;

const descriptions = {
  instructions_read: ({ files }) => ({ what: 'instructions read', details: files.map(({ path }) => path).join(', ') }),
  overflow: ({ limitTokens = 0 }) => {
    const limit = limitTokens > 0 ? `: its limit is ${formatCount(limitTokens)} tokens` : '';
    return { what: 'did not fit', details: `the endpoint refused the request${limit}` };
  },
  model_changed: ({ model, windowTokens }) => ({ what: 'another model', details: `${model}, window ${formatCount(windowTokens)} tokens` }),
  retrying: ({ why }) => ({ what: 'tried again', details: why }),
  hook_ran: ({ hook, command, ok, note, ms }) => ({
    what: `hook ${hook}`,
    details: `${command}: ${ok ? 'ran' : `failed, ${note}`} (${formatDuration(ms)})`,
  }),
  warning: ({ message }) => ({ what: 'warning', details: message }),
  offloaded: describeOffload,
  pruned: ({ trimmed, cleared, ...change }) => ({
    what: 'pruned',
    details: `${formatCount(trimmed)} old results cut, ${formatCount(cleared)} left out, in what is sent only`,
    ...tokenSizes(change),
  }),
  trimmed: (event) => smaller('trimmed', `${pluralize(event.messages, 'long message')} cut to fit the window`, event),
  window_slid: (event) => smaller('oldest left out', `${messages(event.dropped)} to fit the window`, event),
  compacted: (event) => smaller('compacted', `${methodLabels[event.method] ?? event.method}, ${messages(event.messagesKept)} kept`, event),
  rolled_back: (event) => wentBack('rolled back', `to ${event.snapshotId}, ${messages(event.messages)}`, event),
  rewound: (event) => wentBack('went back', `to before an earlier message, ${messages(event.messages)}`, event),
  rollback_failed: ({ why }) => ({ what: 'rollback failed', details: why }),
  memory_superseded: ({ superseded, restored }) => ({
    what: 'memories changed',
    details: `${formatCount(superseded)} no longer current, ${formatCount(restored)} current again`,
  }),
  cleared: ({ snapshotId, ...event }) => ({
    what: 'cleared',
    details: `${messages(event.messages)} left the context`,
    undo: snapshotId,
    mark: 2,
  }),
  nothing_to_compact: (event) => ({ what: 'nothing to compact', details: messages(event.messages) }),
  compaction_failed: ({ why }) => ({ what: 'compaction failed', details: why }),
  compaction_cancelled: () => ({ what: 'compaction cancelled', details: '' }),
  compaction_discarded: ({ why = '' }) => ({ what: 'compaction discarded', details: why }),
  summary_prepared: (event) => ({ what: 'summary prepared', details: `of ${messages(event.messages)}, beside the turn` }),
  summary_dropped: ({ why }) => ({ what: 'prepared summary dropped', details: why }),
} satisfies { readonly [Type in ReadEvent['type']]?: (event: ReadEventOf<Type>) => EventDescription };

type ShownType = keyof typeof descriptions;
type ShownEvents = { [Type in ShownType]: ReadEventOf<Type> };
const byType: { readonly [Type in ShownType]: (event: ShownEvents[Type]) => EventDescription } = descriptions;

export const timelineEntry = (at: string, event: ShownEvents[ShownType] | UnknownEvent): TimelineEntry => ({
  at,
  ...(event.type === 'unknown'
    ? { what: event.name.replaceAll('_', ' '), details: fieldsText(event.fields) }
    : describeShown(event.type, event)),
});

const describeShown = <Type extends ShownType>(type: Type, event: ShownEvents[Type]): EventDescription => byType[type](event);

const smaller = (what: string, details: string, event: TokenChange & { readonly snapshotId: string }): EventDescription => ({
  what,
  details,
  ...tokenSizes(event),
  undo: event.snapshotId,
  mark: 0,
});

const wentBack = (what: string, details: string, event: TokenChange & { readonly undoId: string }): EventDescription => ({
  what,
  details,
  ...tokenSizes(event),
  undo: event.undoId,
  mark: 2,
});

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
