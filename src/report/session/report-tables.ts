import { oneLine } from '../../context/text/sentences.ts';
import { KILLED } from '../../domain/session/record.ts';
import type { SnapshotMeta } from '../../domain/session/snapshot.ts';
import { redact } from '../../domain/value/redact.ts';
import { formatCount, formatDollars, formatDuration, formatSize } from '../../terminal/text/format.ts';
import { escapeHtml, type PageSection, type PageTable, pageTable } from '../page/frame.ts';
import type { AuditSummary, ReportTurnEnd } from './report-events.ts';
import type { LoggedTurn, LogSummary } from './report-log.ts';
import type { TouchedFile } from './report-size.ts';
import type { Timeline } from './report-timeline.ts';

const tableSection = ({ title, note, ...table }: PageTable & { readonly title: string; readonly note?: string }): readonly PageSection[] =>
  table.rows.length === 0 ? [] : [{ title, body: (note === undefined ? '' : `<p>${escapeHtml(note)}</p>`) + pageTable(table) }];

export function turnSections({ log, audit, open }: Report): readonly PageSection[] {
  const rows = log.turns.map((turn, at) => {
    const next = log.turns[at + 1];
    const end = endOf(turn, next, audit.turnEnds);
    const isRunning = open && next === undefined;
    return [
      formatCount(at + 1),
      shortTime(turn.at),
      turn.prompt,
      formatCount(turn.steps),
      turn.failedCalls === 0 ? formatCount(turn.calls) : `${formatCount(turn.calls)}, ${formatCount(turn.failedCalls)} failed`,
      end === undefined ? `at least ${formatDuration(Math.max(0, Date.parse(turn.lastAt) - Date.parse(turn.at)))}` : formatDuration(end.ms),
      endText(turn, end, isRunning),
      formatCount(log.steps[turn.stepsBefore + turn.steps - 1]?.size.tokens ?? 0),
      end?.costUsd === undefined ? '-' : formatDollars(end.costUsd),
    ];
  });
  return tableSection({
    title: 'Turns',
    note: 'The first line of each message of yours, without what looks like a secret; what was rolled back later is here too.',
    caption: 'Turns, oldest first; context: tokens of its last request',
    head: ['turn', 'at', 'asked', 'requests', 'tool calls', 'took', 'ended', 'context', 'cost'],
    rows,
    words: [2, 6],
  });
}

const endOf = (turn: LoggedTurn, next: LoggedTurn | undefined, turnEnds: readonly ReportTurnEnd[]): ReportTurnEnd | undefined =>
  turnEnds.find(({ at }) => at >= turn.at && (next === undefined || at < next.at));

const KILLED_LABEL = 'killed in the middle';

const endLabels: Readonly<Record<string, string>> = {
  end_turn: 'by the model',
  max_tokens: 'reply cut off',
  refusal: 'refused by the model',
  interrupted: 'stopped by you',
  max_steps: 'too many steps',
  loop: 'the same steps again and again',
  max_cost: 'cost limit reached',
  max_seconds: 'time limit reached',
  failed: 'failed',
  tool_use: 'not ended',
  [KILLED]: KILLED_LABEL,
};

function endText({ stopReason }: LoggedTurn, end: ReportTurnEnd | undefined, isRunning: boolean): string {
  if (end !== undefined) return endLabels[end.stopReason] ?? end.stopReason;
  if (isRunning) return 'under way';
  return stopReason === undefined ? 'no answer' : (endLabels[stopReason] ?? stopReason);
}

export function timelineSections({ timeline, snapshots }: Report): readonly PageSection[] {
  const rows = timeline.entries.map(({ at, what, details, before, after, undo }) => [
    shortTime(at),
    what,
    details,
    changeText(before, after),
    undo === undefined ? '' : snapshotExists(undo, snapshots) ? `sanbot rollback --snapshot ${undo}` : `${undo} (removed since)`,
  ]);
  return tableSection({
    title: 'What happened',
    caption: 'Everything that changed the context or went wrong, oldest first',
    head: ['at', 'what', 'more', 'context, tokens', 'to undo it'],
    rows,
    words: [1, 2, 4],
  });
}

export function compactionSections({ timeline, snapshots }: Report): readonly PageSection[] {
  const rows = timeline.compactions.map(({ at, why, method, before, after, messagesBefore, messagesKept, facts, cost, ms, snapshotId }) => [
    shortTime(at),
    why,
    method,
    changeText(before, after),
    messagesKept === undefined
      ? 'not known'
      : messagesBefore === undefined
        ? `${formatCount(messagesKept)} kept`
        : `${formatCount(messagesKept)} of ${formatCount(messagesBefore)}`,
    facts,
    cost,
    ms === undefined ? 'not known' : formatDuration(ms),
    snapshotExists(snapshotId, snapshots) ? snapshotId : `${snapshotId} (removed since)`,
  ]);
  return tableSection({
    title: 'Compactions',
    note: 'sanbot history --session ID --snapshot SNAPSHOT is the receipt of a compaction: what was kept, summarised and put away. sanbot rollback --snapshot SNAPSHOT brings back what was before, to the byte, and can itself be undone.',
    caption: 'Compactions, oldest first',
    head: ['at', 'why', 'summary', 'tokens', 'messages kept', 'facts that left the context', 'cost', 'took', 'snapshot of what was before'],
    rows,
    words: [1, 2, 5, 8],
  });
}

export function helperSections({ sessionId, log, open }: Report): readonly PageSection[] {
  const rows = log.helpers.map(({ id, at, task, steps, costUsd, end, last }) => [
    id,
    shortTime(at),
    oneLine(redact(task), 160),
    formatCount(steps),
    costUsd === null ? 'price not known' : formatDollars(costUsd),
    end === undefined ? (open ? 'under way' : KILLED_LABEL) : (endLabels[end] ?? end),
    `sanbot show ${sessionId}:${last}`,
  ]);
  const head = ['helper', 'at', 'task', 'requests', 'cost', 'ended', 'its last step'];
  return tableSection({ title: 'Helpers', caption: 'Helpers, oldest first', head, rows, words: [2, 5, 6] });
}

const MAX_FILES = 500;

export function fileSections({ files: fileList }: Report): readonly PageSection[] {
  const rows = fileList
    .slice(0, MAX_FILES)
    .map(({ path, reads, changes, before, after }) => [path, formatCount(reads), formatCount(changes), sizeText(before, after)]);
  return tableSection({
    title: 'Files',
    ...(fileList.length > MAX_FILES && { note: `The first ${formatCount(MAX_FILES)} of ${formatCount(fileList.length)} files.` }),
    caption: 'Files read by tools, and changed by tools and commands',
    head: ['file', 'read', 'changed', 'size'],
    rows,
    words: [3],
  });
}

function sizeText(before: number | null | undefined, after: number | null | undefined): string {
  if (before === undefined || after === undefined) return '';
  if (after === null) return before === null ? 'not there' : 'removed';
  return before === null ? `new, ${formatSize(after)}` : `${formatSize(before)} -> ${formatSize(after)}`;
}

export type Report = {
  readonly sessionId: string;
  readonly title: string;
  readonly open: boolean;
  readonly log: LogSummary;
  readonly audit: AuditSummary;
  readonly timeline: Timeline;
  readonly files: readonly TouchedFile[];
  /** Reads of results that SanBot keeps. */
  readonly lookUps: number;
  readonly snapshots: readonly SnapshotMeta[];
  readonly warnings: readonly string[];
  readonly at: string;
};

export const shortTime = (iso: string): string =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(iso) ? iso.slice(0, 19).replace('T', ' ') : iso || 'not known';
export const changeText = (before: number | undefined, after: number | undefined): string =>
  before === undefined || after === undefined ? '' : `${formatCount(before)} -> ${formatCount(after)}`;

export function stepsUntil(at: string, steps: LogSummary['steps']): number {
  let low = 0;
  for (let high = steps.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((steps[middle]?.at ?? '') <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const snapshotExists = (snapshotId: string, snapshots: readonly SnapshotMeta[]): boolean =>
  snapshots.some(({ id }) => id === snapshotId);
