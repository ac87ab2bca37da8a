import type { SnapshotMeta } from '../../domain/session/snapshot.ts';
import { formatCount, formatSize, formatSpan, pluralize, timeAgo } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { table } from '../text/table.ts';

/** One line of a session's history, as `history --json` prints it. Fields are added here, never taken away. */
export type HistoryItem = {
  readonly id: string;
  readonly kind: 'snapshot' | 'compaction' | 'rollback';
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Why the snapshot was taken. */
  readonly reason: string;
  /** In the snapshot, or in the context after the change. */
  readonly messages: number;
  readonly tokensBefore: number;
  /** The same as before for a snapshot: taking one changes nothing. */
  readonly tokensAfter: number;
  /** Of the snapshot's file. */
  readonly bytes: number;
};

/**
 * The history in order of time: each snapshot, and after it what was done once it was taken, under the same id. A change of another kind
 * (cleared, oldest messages left out) is told by the snapshot's reason.
 */
export function historyItems(metas: readonly SnapshotMeta[]): readonly HistoryItem[] {
  return historyEntries(metas).map(({ item }) => item);
}

export const historyJson = (metas: readonly SnapshotMeta[]): string => `${JSON.stringify(historyItems(metas), null, 2)}\n`;

export type HistoryView = { readonly now: Date; readonly retentionDays: number; readonly columns: number };

/** The same for a person, with what each change was and how long its snapshot is kept. Ends with a newline. */
export function historyTable(metas: readonly SnapshotMeta[], { now, retentionDays, columns }: HistoryView): string {
  if (metas.length === 0) return 'No snapshots yet: one is taken before every compaction, rollback and clear.\n';
  const rows = historyEntries(metas).map(({ item, line, meta }) => [
    safeLine(item.id),
    item.kind,
    timeAgo(item.at, now),
    item.kind === 'snapshot' ? formatCount(item.messages) : `-> ${formatCount(item.messages)}`,
    item.kind === 'snapshot' ? formatCount(item.tokensBefore) : `${formatCount(item.tokensBefore)} -> ${formatCount(item.tokensAfter)}`,
    item.kind === 'snapshot' ? formatSize(item.bytes) : '',
    item.kind === 'snapshot' ? remainingRetention(meta, now, retentionDays) : '',
    safeLine(line),
  ]);
  const head = [
    { title: 'id' },
    { title: 'what' },
    { title: 'when' },
    { title: 'messages', align: 'right' },
    { title: 'tokens', align: 'right' },
    { title: 'size', align: 'right' },
    { title: 'kept for' },
    { title: 'why', minWidth: 12 },
  ] as const;
  const newest = metas.at(-1)?.id ?? '';
  const restoreHint = `Restore one: sanbot rollback --snapshot ${safeLine(newest)}`;
  return `${table(head, rows, columns)}\n${pluralize(metas.length, 'snapshot')}. ${restoreHint}\n`;
}

type HistoryEntry = { readonly item: HistoryItem; readonly line: string; readonly meta: SnapshotMeta };

function historyEntries(metas: readonly SnapshotMeta[]): readonly HistoryEntry[] {
  return metas.flatMap(entriesOf).toSorted((a, b) => (a.item.at < b.item.at ? -1 : a.item.at > b.item.at ? 1 : 0));
}

function entriesOf(meta: SnapshotMeta): readonly HistoryEntry[] {
  const { id, reason, bytes, outcome } = meta;
  const snapshot: HistoryEntry = {
    item: {
      id,
      kind: 'snapshot',
      at: meta.at,
      reason,
      messages: meta.messages,
      tokensBefore: meta.tokens,
      tokensAfter: meta.tokens,
      bytes,
    },
    line: snapshotReasonTexts[reason],
    meta,
  };
  if (outcome === undefined) return [snapshot];
  if (reason !== 'compaction' && reason !== 'rollback') return [{ ...snapshot, line: outcome.line }];
  const change: HistoryItem = {
    id,
    kind: reason,
    // A clock that went back must not put the change before its snapshot.
    at: outcome.at < meta.at ? meta.at : outcome.at,
    reason,
    messages: outcome.messages,
    tokensBefore: meta.tokens,
    tokensAfter: outcome.tokensAfter,
    bytes,
  };
  return [snapshot, { item: change, line: outcome.line, meta }];
}

/** Why a snapshot was taken, in words. */
export const snapshotReasonTexts: Readonly<Record<SnapshotMeta['reason'], string>> = {
  compaction: 'before a compaction',
  rollback: 'before a rollback',
  clear: 'before the context was cleared',
  window: 'before the oldest messages were left out',
  model: 'before room was made for another model',
};

function remainingRetention(meta: SnapshotMeta, now: Date, retentionDays: number): string {
  const takenAtMs = Date.parse(meta.at);
  if (Number.isNaN(takenAtMs)) return '';
  const remainingMs = takenAtMs + retentionDays * DAY_MS - now.getTime();
  // Rounded up: what was taken a moment ago is kept for 7 days, not for 6.
  return remainingMs <= 0 ? 'due now' : formatSpan(Math.ceil(remainingMs / HOUR_MS) * HOUR_MS);
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
