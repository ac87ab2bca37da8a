/**
 * The life of one session as a page: how full its context was, request by request, what happened to it, what it cost, and which files and
 * tools it used. `session-page.ts` is the conversation itself as a page.
 *
 * The session's own log, the audit log and its snapshots come in. Each is folded once into plain data (`report-log`, `report-events`,
 * `report-files`), put together as one `Report`, and only then drawn.
 *
 * Sizes are the provider's own where it told them, else our measure. Nothing is read or written here, and nothing that a session holds
 * is obeyed by the page.
 */

import type { SnapshotMeta } from '../../domain/session/snapshot.ts';
import { formatCount, formatDollars, formatDuration, formatPercent, formatSize, pluralize } from '../../terminal/text/format.ts';
import { escapeHtml, type PageSection, pageFrame, pageTable } from '../page/frame.ts';
import type { AuditSummary } from './report-events.ts';
import type { LogSummary } from './report-log.ts';
import { contextSections, costSections, toolSections } from './report-plots.ts';
import { sum } from './report-size.ts';
import {
  compactionSections,
  fileSections,
  helperSections,
  type Report,
  shortTime,
  snapshotExists,
  timelineSections,
  turnSections,
} from './report-tables.ts';
import type { Timeline } from './report-timeline.ts';

export function reportPage(report: Report): string {
  const { sessionId, log, at, open } = report;
  const { header } = log;
  return pageFrame({
    title: report.title === '' ? `Session ${sessionId}` : report.title,
    intro: `SanBot session ${sessionId}, ${open ? 'in use while' : 'as it stood when'} this page was made (${shortTime(at)}). Begun ${shortTime(header?.at ?? '')} in ${header?.cwd || 'an unknown folder'}; last written ${shortTime(log.lastAt)}; model ${log.model}. Times are UTC; sizes are tokens.`,
    sections: [
      ...missingSection(report),
      totalsSection(report),
      ...contextSections(report),
      ...turnSections(report),
      ...timelineSections(report),
      ...compactionSections(report),
      ...costSections(report),
      ...helperSections(report),
      ...toolSections(report),
      ...fileSections(report),
    ],
  });
}

function missingSection({ log, audit, timeline, warnings, open, snapshots }: Report): readonly PageSection[] {
  const { from } = audit;
  const startedAt = log.header?.at ?? '';
  const removedCount = removedSnapshots(timeline, snapshots);
  const lines = [
    ...warnings,
    ...(log.turns.length === 0 && log.steps.length === 0 ? ['Nothing has been said in this session yet.'] : []),
    ...(from === undefined && log.turns.length > 0
      ? [
          "The audit log has no event of this session: durations, costs, warnings and the checks of compactions are not known. This page shows what the session's own log tells.",
        ]
      : []),
    ...(from !== undefined && timeline.fromLog > 0
      ? [
          `The audit log begins at ${shortTime(from)}, after the session (${shortTime(startedAt)}): what came before is known only from the session's own log.`,
        ]
      : []),
    ...(log.steps.length > 0 && !log.steps.some(({ size }) => size.reported)
      ? ['The model reported no usage, so all sizes are estimates, and there is no cost.']
      : []),
    ...(removedCount > 0
      ? [
          `${pluralize(removedCount, 'snapshot')} named here ${removedCount === 1 ? 'has' : 'have'} been removed since and cannot be rolled back to.`,
        ]
      : []),
    ...(open ? ['A process has the session open: what it does from now on is not here.'] : []),
  ];
  if (lines.length === 0) return [];
  return [{ title: 'What is missing', body: `<ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>` }];
}

const removedSnapshots = ({ entries: happenings }: Timeline, snapshots: readonly SnapshotMeta[]): number =>
  new Set(happenings.flatMap(({ undo }) => (undo === undefined || snapshotExists(undo, snapshots) ? [] : undo))).size;

function totalsSection({ log, audit, timeline, snapshots, files: fileList, lookUps }: Report): PageSection {
  const calls = [...log.tools.values()];
  const offloaded = log.changes.flatMap((each) => (each.type === 'offloaded' ? each : []));
  const restoreCount = timeline.entries.filter(({ mark }) => mark === 2).length;
  const ms = sum(audit.turnEnds.map((end) => end.ms));
  const { header } = log;
  const rows = [
    [
      'asked',
      `${pluralize(log.turns.length, 'turn')}, ${pluralize(log.steps.length, 'request')} answered${ms === 0 ? '' : `, ${formatDuration(ms)} of work`}`,
    ],
    ...(audit.openCount === 0 ? [] : [['opened', audit.openCount === 1 ? 'once' : `${formatCount(audit.openCount)} times`]]),
    ...(header?.parent === undefined
      ? []
      : [['forked from', `${header.parent}, with ${pluralize(header.context.messages.length, 'message')}`]]),
    [
      'context',
      log.now === undefined
        ? '-'
        : `${formatCount(log.now.tokens)} tokens in ${pluralize(log.messagesNow, 'message')}; at most ${formatCount(maxTokens(log))} in a request`,
    ],
    [
      'compactions',
      `${formatCount(timeline.compactions.length)}, which freed ${formatCount(sum(timeline.compactions.map(({ before, after }) => before - after)))} tokens`,
    ],
    [
      'to files',
      `${pluralize(sum(offloaded.map(({ results }) => results)), 'result')} (${formatSize(sum(offloaded.map(({ bytes }) => bytes)))})`,
    ],
    ['gone back', `${pluralize(restoreCount, 'time')} (rollbacks, rewinds, clears)`],
    ['snapshots', `${formatCount(snapshots.length)} kept (${formatSize(sum(snapshots.map(({ bytes }) => bytes)))})`],
    [
      'tool calls',
      `${formatCount(sum(calls.map((each) => each.calls)))}, ${formatCount(sum(calls.map(({ failed }) => failed)))} failed; ${formatSize(sum(calls.map(({ bytes }) => bytes)))} of results`,
    ],
    [
      'files',
      `${formatCount(fileList.filter(({ reads }) => reads > 0).length)} read, ${formatCount(fileList.filter(({ changes }) => changes > 0).length)} changed; ${pluralize(lookUps, 'look-up')} in results kept by SanBot`,
    ],
    ['memories', audit.from === undefined ? 'not known' : `${formatCount(audit.memories)} extracted`],
    ['usage', usageText(log)],
    ['cost', costText(audit, log.helpers.length > 0)],
  ];
  return { title: 'Totals', body: pageTable({ caption: 'The whole session', head: ['', ''], rows, words: [1] }) };
}

const maxTokens = ({ steps }: LogSummary): number => steps.reduce((max, { size }) => Math.max(max, size.tokens), 0);

function usageText({ steps }: LogSummary): string {
  const sumOf = (part: 'inputTokens' | 'cacheReadTokens' | 'cacheWriteTokens' | 'outputTokens'): number =>
    sum(steps.map(({ usage }) => usage?.[part] ?? 0));
  const input = sumOf('inputTokens') + sumOf('cacheReadTokens') + sumOf('cacheWriteTokens');
  if (input === 0) return 'none was reported';
  return `${formatCount(input)} tokens in, ${formatPercent(sumOf('cacheReadTokens'), input)} of them from the cache; ${formatCount(sumOf('outputTokens'))} out (summaries apart)`;
}

function costText({ costs }: AuditSummary, hasHelpers: boolean): string {
  const pricedCosts = costs.filter(({ usd }) => usd !== undefined);
  if (costs.length === 0) return 'none was recorded';
  const unknown = costs.length - pricedCosts.length;
  const total = formatDollars(sum(pricedCosts.map(({ usd }) => usd ?? 0)));
  return unknown === 0
    ? `${total}, ${hasHelpers ? 'summaries and helpers' : 'summaries'} included`
    : pricedCosts.length === 0
      ? 'price not known'
      : `${total}, and ${pluralize(unknown, 'request')} whose price is not known`;
}
