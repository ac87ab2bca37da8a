import { readReceipt, type SnapshotMeta } from '../../domain/session/snapshot.ts';
import { formatCount, formatSize, pluralize } from '../../terminal/text/format.ts';
import type { AuditSummary, ReportCompaction } from './report-events.ts';
import { methodLabels, type TimelineEntry, triggerLabels } from './report-labels.ts';
import type { LoggedChange, LogSummary } from './report-log.ts';

export type Timeline = Readonly<ReturnType<typeof buildTimeline>>;

export function buildTimeline(log: LogSummary, audit: AuditSummary, snapshots: readonly SnapshotMeta[]) {
  const knownIds = new Set(audit.entries.flatMap(({ undo }) => undo ?? []));
  const loggedOnly = log.changes.filter((change) => isLoggedOnly(change, { from: audit.from, knownIds }));
  const entries = loggedOnly.map((change) => entryOf(change));
  const compactions = loggedOnly.flatMap((change) => compactionOf(change, snapshots) ?? []);
  return {
    entries: [...audit.entries, ...entries].sort(byTime),
    compactions: [...audit.compactions, ...compactions].sort(byTime),
    fromLog: loggedOnly.filter(({ type, at }) => type !== 'pins' && (audit.from === undefined || at < audit.from)).length,
  };
}

const byTime = (a: { readonly at: string }, b: { readonly at: string }): number => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0);

type KnownEvents = { readonly from: string | undefined; readonly knownIds: ReadonlySet<string> };

/** The audit log may begin late, or may have lost what it told; a change with a snapshot is the same one by its id. */
function isLoggedOnly(change: LoggedChange, { from, knownIds }: KnownEvents): boolean {
  if (change.type === 'pins') return true;
  if (change.type !== 'checkpoint') return from === undefined || change.at < from;
  return change.snapshotId === undefined || !knownIds.has(change.snapshotId);
}

const reasonLabels: Readonly<Record<string, string>> = {
  compaction: 'compacted',
  rollback: 'rolled back',
  clear: 'cleared',
  window: 'made to fit the window',
  thinking: 'thinking left out',
  mended: 'repaired after damage',
};

function entryOf(change: LoggedChange): TimelineEntry {
  const { at } = change;
  switch (change.type) {
    case 'checkpoint': {
      const { reason, snapshotId, before, after } = change;
      const isRestore = reason === 'rollback' || reason === 'clear';
      const mark = reason === 'thinking' || reason === 'mended' ? {} : ({ mark: isRestore ? 2 : 0 } as const);
      const details = reason === 'mended' ? 'half pairs of calls and results were left out' : '';
      return {
        at,
        what: reasonLabels[reason] ?? reason,
        details,
        before,
        after,
        ...(snapshotId === undefined ? {} : { undo: snapshotId }),
        ...mark,
      };
    }
    case 'offloaded':
      return {
        at,
        what: 'offloaded',
        details: `${pluralize(change.results, 'result')} (${formatSize(change.bytes)}) to files, ${change.arrival ? 'on arrival' : 'to make room'}`,
        mark: 1,
      };
    case 'model':
      return { at, what: 'another model', details: change.model };
    case 'pins':
      return { at, what: 'pins', details: `${formatCount(change.pins)} pinned from here on` };
  }
}

function compactionOf(change: LoggedChange, snapshots: readonly SnapshotMeta[]): ReportCompaction | undefined {
  if (change.type !== 'checkpoint' || change.reason !== 'compaction') return undefined;
  const { at, before, after, snapshotId = '' } = change;
  const receipt = readReceipt(snapshots.find(({ id }) => id === snapshotId)?.outcome?.receipt);
  return {
    at,
    before,
    after,
    snapshotId,
    why: receipt === undefined ? 'not known' : (triggerLabels[receipt.trigger] ?? receipt.trigger),
    method: receipt === undefined ? 'not known' : (methodLabels[receipt.method] ?? receipt.method),
    messagesBefore: undefined,
    messagesKept: receipt?.kept.messages,
    facts: 'not known',
    cost: 'not known',
    ms: undefined,
  };
}
