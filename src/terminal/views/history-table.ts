import type { AuditRecord } from '../../domain/event.ts';
import { type Bilingual, localize } from '../../domain/language.ts';
import type { SnapshotMeta } from '../../domain/session/snapshot.ts';
import { formatCount, formatSize, formatSpan, pluralize, timeAgo } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { table } from '../text/table.ts';
import { besideOrBelow, clip, textWidth, wrap } from '../text/text-width.ts';

/** One line of a session's history, as `history --json` prints it. Fields are added here, never taken away. */
export type HistoryItem = {
  readonly id: string;
  readonly kind: 'snapshot' | 'compaction' | 'rollback';
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly reason: string;
  /** In the snapshot, or in the context after the change. */
  readonly messages: number;
  readonly tokensBefore: number;
  /** The same as before for a snapshot: taking one changes nothing. */
  readonly tokensAfter: number;
  readonly bytes: number;
};

/** Each snapshot, and after it what was done once it was taken, under the same id; a change of another kind is told by its reason. */
export const historyItems = (metas: readonly SnapshotMeta[]): readonly HistoryItem[] => historyEntries(metas).map(({ item }) => item);

export const historyJson = (metas: readonly SnapshotMeta[]): string => `${JSON.stringify(historyItems(metas), null, 2)}\n`;

type HistoryView = { readonly now: Date; readonly retentionDays: number; readonly columns: number };

export function historyTable(metas: readonly SnapshotMeta[], { now, retentionDays, columns }: HistoryView): string {
  if (metas.length === 0) return `${wrap(noSnapshotsText(), columns).join('\n')}\n`;
  const rows = historyEntries(metas).map(({ item, line, meta }) => {
    const { id, kind, at, messages, tokensBefore, tokensAfter, bytes } = item;
    const what = [safeLine(id), localize(kindNames[kind]), timeAgo(at, now)];
    const figures =
      kind === 'snapshot'
        ? [formatCount(messages), formatCount(tokensBefore), formatSize(bytes), remainingRetention(meta, now, retentionDays)]
        : [`-> ${formatCount(messages)}`, `${formatCount(tokensBefore)} -> ${formatCount(tokensAfter)}`, '', ''];
    return [...what, ...figures, safeLine(outcomeText(line))];
  });
  const head = [
    { title: 'id' },
    { title: { en: 'what', zh: '类型' } },
    { title: { en: 'when', zh: '时间' } },
    { title: { en: 'messages', zh: '消息' }, align: 'right' },
    { title: { en: 'tokens', zh: 'token' }, align: 'right' },
    { title: { en: 'size', zh: '大小' }, align: 'right' },
    { title: { en: 'kept for', zh: '保留' } },
    { title: { en: 'why', zh: '原因' }, minWidth: 12 },
  ] as const;
  const whole = `sanbot rollback --snapshot ${safeLine(metas.at(-1)?.id ?? '')}`;
  // A line to copy must not break; its time is enough to find a snapshot by.
  const command = textWidth(whole) > columns ? whole.replace(/ \S+T(?=\d{9}Z$)/, ' ') : whole;
  const hint = besideOrBelow(
    localize({ en: `${pluralize(metas.length, 'snapshot')}. Restore one: `, zh: `${formatCount(metas.length)} 个快照。恢复其中一个：` }),
    command,
    columns,
  );
  return `${table(head, rows, columns)}\n${hint}\n`;
}

export function snapshotsTable(metas: readonly SnapshotMeta[], { now, retentionDays, columns }: HistoryView): string {
  if (metas.length === 0) return `${wrap(noSnapshotsText(), columns).join('\n')}\n`;
  const rows = metas.map((meta, at) => {
    const { reason, outcome, messages, tokens } = meta;
    const change = outcome === undefined ? snapshotReasonText(reason) : outcomeText(outcome.line);
    const after = outcome === undefined ? '' : ` -> ${formatCount(outcome.tokensAfter)}`;
    const figures = [formatCount(messages), `${formatCount(tokens)}${after}`, remainingRetention(meta, now, retentionDays)];
    return [String(at + 1), timeAgo(meta.at, now), ...figures, safeLine(change)];
  });
  const head = [
    { title: '#', align: 'right' },
    { title: { en: 'when', zh: '时间' } },
    { title: { en: 'messages', zh: '消息' }, align: 'right' },
    { title: { en: 'tokens', zh: 'token' }, align: 'right' },
    { title: { en: 'kept for', zh: '保留' } },
    { title: { en: 'what came next', zh: '之后的更改' }, minWidth: 12 },
  ] as const;
  const hint = localize({
    en: `To go back to before one of them: /rollback ${metas.length}`,
    zh: `回到其中一个之前：/rollback ${metas.length}`,
  });
  return `${table(head, rows, columns)}\n${hint}\n`;
}

const kindNames: Readonly<Record<HistoryItem['kind'], Bilingual>> = {
  snapshot: { en: 'snapshot', zh: '快照' },
  compaction: { en: 'compaction', zh: '压缩' },
  rollback: { en: 'rollback', zh: '回滚' },
};

export const noSnapshotsText = (): string =>
  localize({
    en: 'No snapshots yet: one is taken before every compaction, rollback and clear.',
    zh: '还没有快照：每次压缩、回滚和清空之前都会保存一个。',
  });

type HistoryEntry = { readonly item: HistoryItem; readonly line: string; readonly meta: SnapshotMeta };

const historyEntries = (metas: readonly SnapshotMeta[]): readonly HistoryEntry[] =>
  metas.flatMap(entriesOf).toSorted((a, b) => (a.item.at < b.item.at ? -1 : a.item.at > b.item.at ? 1 : 0));

function entriesOf(meta: SnapshotMeta): readonly HistoryEntry[] {
  const { id, reason, at, bytes, messages, tokens, outcome } = meta;
  const item: HistoryItem = { id, kind: 'snapshot', at, reason, messages, tokensBefore: tokens, tokensAfter: tokens, bytes };
  const snapshot = { item, line: snapshotReasonText(reason), meta };
  if (outcome === undefined) return [snapshot];
  if (reason !== 'compaction' && reason !== 'rollback') return [{ ...snapshot, line: outcome.line }];
  const change: HistoryItem = {
    ...item,
    kind: reason,
    // A clock that went back must not put the change before its snapshot.
    at: outcome.at < at ? at : outcome.at,
    messages: outcome.messages,
    tokensAfter: outcome.tokensAfter,
  };
  return [snapshot, { item: change, line: outcome.line, meta }];
}

export const snapshotReasonText = (reason: SnapshotMeta['reason']): string => localize(reasonTexts[reason]);

const reasonTexts: Readonly<Record<SnapshotMeta['reason'], Bilingual>> = {
  compaction: { en: 'before a compaction', zh: '压缩之前' },
  rollback: { en: 'before a rollback', zh: '回滚之前' },
  clear: { en: 'before the context was cleared', zh: '清空上下文之前' },
  window: { en: 'before the oldest messages were left out', zh: '省去最早的消息之前' },
  model: { en: 'before room was made for another model', zh: '为另一个模型腾出空间之前' },
};

function remainingRetention(meta: SnapshotMeta, now: Date, retentionDays: number): string {
  const takenAtMs = Date.parse(meta.at);
  if (Number.isNaN(takenAtMs)) return '';
  const remainingMs = takenAtMs + retentionDays * DAY_MS - now.getTime();
  // Rounded up: what was taken a moment ago is kept for 7 days, not for 6.
  return remainingMs <= 0 ? localize({ en: 'due now', zh: '已到期' }) : formatSpan(Math.ceil(remainingMs / HOUR_MS) * HOUR_MS);
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const methodsZh: Readonly<Record<string, string>> = {
  'summarised by the model': '由模型生成摘要',
  'summarised, then edited by you': '由模型生成摘要，经你编辑',
  'summarised by rules': '按规则生成摘要',
  'summarised by a hook': '由钩子生成摘要',
  'summarised by the API': '由 API 生成摘要',
  'summarised by rules, degraded: no model answered': '按规则生成摘要（降级：没有模型应答）',
};

export const outcomeText = (line: string): string => localize({ en: line, zh: outcomeLineZh(line) });

/** A line that this version does not write stays as it is. */
function outcomeLineZh(line: string): string {
  const [, method = '', kept, of, topic] = /^(.+), (\d+) of (\d+) messages kept(?:; topic: (.*))?$/.exec(line) ?? [];
  if (kept !== undefined)
    return `${methodsZh[method] ?? method}，保留 ${of} 条消息中的 ${kept} 条${topic === undefined ? '' : `；主题：${topic}`}`;
  return line
    .replace(/^rolled back to (\S+)$/, '回滚到 $1')
    .replace(/^went back to before "(.+)"$/, '回退到“$1”之前')
    .replace(/^(\d+) -> (\d+) tokens, (\d+) messages dropped$/, '$1 -> $2 token，舍去 $3 条消息')
    .replace(/^cleared (\d+) messages?$/, '清空 $1 条消息');
}

export type EventsView = { readonly columns: number /** Then its name is left out. */; readonly singleSession: boolean };

export function eventsText(record: AuditRecord, { columns, singleSession }: EventsView): string {
  const { v: _version, at, sessionId, type, ...rest } = record;
  const fields = Object.entries(rest)
    .filter(([, value]) => value !== undefined && value !== null)
    .toSorted(([a, aValue], [b, bValue]) => displayOrder(a, aValue) - displayOrder(b, bValue))
    .map(([name, value]) => `${name}=${formatValue(value)}`);
  const line = [at, ...(singleSession ? [] : [sessionId]), typeof type === 'string' ? type : '?', ...fields].join(' ');
  return `${clip(safeLine(line), columns)}\n`;
}

/** What is long or tells a person little stands last, where it may be cut. */
const displayOrder = (name: string, value: unknown): number => (name === 'toolUseId' ? 2 : typeof value === 'object' ? 1 : 0);

export const eventsJson = (record: AuditRecord): string => `${JSON.stringify(record)}\n`;

function formatValue(value: unknown): string {
  if (typeof value === 'string') return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
  return Array.isArray(value) && value.some((item) => typeof item === 'object') ? `[${value.length}]` : JSON.stringify(value);
}
