import type { SnapshotMeta } from '../../domain/session/snapshot.ts';
import { readReceipt } from '../../domain/session/snapshot.ts';
import { count, counted, size } from '../../terminal/text/figures.ts';
import type { AuditLife, Compaction } from './report-events.ts';
import type { LoggedChange, LogLife } from './report-log.ts';
import { type Happening, methods, triggers } from './report-words.ts';

export type Told = {
  readonly happenings: readonly Happening[];
  readonly compactions: readonly Compaction[] /** How many of them the log alone tells. */;
  readonly fromLog: number;
};

/** All that happened, oldest first: what the audit log tells, and what only the session's own log does. */
export function allHappenings(log: LogLife, audit: AuditLife, snapshots: readonly SnapshotMeta[]): Told {
  const told = new Set(audit.happenings.flatMap(({ undo }) => undo ?? []));
  const only = log.changes.filter((change) => isOnlyHere(change, { from: audit.from, told }));
  const happenings = only.map((change) => happeningOf(change));
  const compactions = only.flatMap((change) => compactionOf(change, snapshots) ?? []);
  return {
    happenings: [...audit.happenings, ...happenings].sort(byTime),
    compactions: [...audit.compactions, ...compactions].sort(byTime),
    fromLog: only.filter(({ type, at }) => type !== 'pins' && (audit.from === undefined || at < audit.from)).length,
  };
}

const byTime = (a: { readonly at: string }, b: { readonly at: string }): number => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0);

type Known = { readonly from: string | undefined; readonly told: ReadonlySet<string> };

/** The audit log may begin late, or may have lost what it told; a change with a snapshot is the same one by its id. */
function isOnlyHere(change: LoggedChange, { from, told }: Known): boolean {
  if (change.type === 'pins') return true;
  if (change.type !== 'checkpoint') return from === undefined || change.at < from;
  return change.snapshotId === undefined || !told.has(change.snapshotId);
}

const reasons: Readonly<Record<string, string>> = {
  compaction: 'compacted',
  rollback: 'rolled back',
  clear: 'cleared',
  window: 'made to fit the window',
  thinking: 'thinking left out',
  mended: 'mended after damage',
};

function happeningOf(change: LoggedChange): Happening {
  const { at } = change;
  switch (change.type) {
    case 'checkpoint': {
      const { reason, snapshotId, before, after } = change;
      const restores = reason === 'rollback' || reason === 'clear';
      const mark = reason === 'thinking' || reason === 'mended' ? {} : ({ mark: restores ? 2 : 0 } as const);
      const tells = reason === 'mended' ? 'half pairs of calls and results were left out' : '';
      return {
        at,
        what: reasons[reason] ?? reason,
        tells,
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
        tells: `${counted(change.results, 'result')} (${size(change.bytes)}) to files, ${change.arrival ? 'on arrival' : 'to make room'}`,
        mark: 1,
      };
    case 'model':
      return { at, what: 'another model', tells: change.model };
    case 'pins':
      return { at, what: 'pins', tells: `${count(change.pins)} pinned from here on` };
    default:
      change satisfies never;
      return { at, what: '', tells: '' };
  }
}

/** From the log, with what the receipt in its snapshot's meta adds. */
function compactionOf(change: LoggedChange, snapshots: readonly SnapshotMeta[]): Compaction | undefined {
  if (change.type !== 'checkpoint' || change.reason !== 'compaction') return undefined;
  const { at, before, after, snapshotId = '' } = change;
  const receipt = readReceipt(snapshots.find(({ id }) => id === snapshotId)?.outcome?.receipt);
  return {
    at,
    before,
    after,
    snapshotId,
    why: receipt === undefined ? 'not known' : (triggers[receipt.trigger] ?? receipt.trigger),
    method: receipt === undefined ? 'not known' : (methods[receipt.method] ?? receipt.method),
    messagesBefore: undefined,
    messagesKept: receipt?.kept.messages,
    facts: 'not known',
    cost: 'not known',
    ms: undefined,
  };
}
