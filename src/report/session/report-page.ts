import type { SnapshotMeta } from '../../domain/session/snapshot.ts';
import { count, counted, dollars, duration, percent, size } from '../../terminal/text/figures.ts';
import { type PageSection, pageFrame, pageTable } from '../page/frame.ts';
import { html } from '../page/html.ts';
import type { AuditLife } from './report-events.ts';
import type { Told } from './report-happenings.ts';
import type { LogLife } from './report-log.ts';
import { context, cost, tools } from './report-plots.ts';
import { compactions, files, happened, turns } from './report-tables.ts';
import { isThere, type Report, shortTime, sum } from './report-view.ts';

/** The life of a session as one page. Nothing of what it holds is obeyed, and what was asked is shown by its first line only. */
export function reportPage(report: Report): string {
  const { sessionId, log, at, open } = report;
  const { header } = log;
  return pageFrame({
    title: report.title === '' ? `Session ${sessionId}` : report.title,
    lead: `SanBot session ${sessionId}, ${open ? 'in use while' : 'as it stood when'} this page was made (${shortTime(at)}). Begun ${shortTime(header?.at ?? '')} in ${header?.cwd || 'an unknown folder'}; last written ${shortTime(log.lastAt)}; model ${log.model}. Times are UTC; sizes are tokens.`,
    sections: [
      ...missing(report),
      totals(report),
      ...context(report),
      ...turns(report),
      ...happened(report),
      ...compactions(report),
      ...cost(report),
      ...tools(report),
      ...files(report),
    ],
  });
}

function missing({ log, audit, told, warnings, open, snapshots }: Report): readonly PageSection[] {
  const { from } = audit;
  const begun = log.header?.at ?? '';
  const gone = goneSnapshots(told, snapshots);
  const lines = [
    ...warnings,
    ...(log.turns.length === 0 && log.steps.length === 0 ? ['Nothing has been said in this session yet.'] : []),
    ...(from === undefined && log.turns.length > 0
      ? [
          "The audit log has no event of this session: durations, costs, warnings and the checks of compactions are not known. What the session's own log tells is here.",
        ]
      : []),
    ...(from !== undefined && told.fromLog > 0
      ? [
          `The audit log begins at ${shortTime(from)}, after the session (${shortTime(begun)}): of what was before, only what the session's own log tells is here.`,
        ]
      : []),
    ...(log.steps.length > 0 && !log.steps.some(({ weight }) => weight.reported)
      ? ['The model reported no usage, so all sizes are estimates, and there is no cost.']
      : []),
    ...(gone > 0
      ? [`${counted(gone, 'snapshot')} named here ${gone === 1 ? 'has' : 'have'} been removed since and cannot be rolled back to.`]
      : []),
    ...(open ? ['A process has the session open: what it does from now on is not here.'] : []),
  ];
  if (lines.length === 0) return [];
  return [{ title: 'What is missing', body: `<ul>${lines.map((line) => `<li>${html(line)}</li>`).join('')}</ul>` }];
}

const goneSnapshots = ({ happenings }: Told, snapshots: readonly SnapshotMeta[]): number =>
  new Set(happenings.flatMap(({ undo }) => (undo === undefined || isThere(undo, snapshots) ? [] : undo))).size;

function totals({ log, audit, told, snapshots, files: touched, lookUps }: Report): PageSection {
  const calls = [...log.tools.values()];
  const offloaded = log.changes.flatMap((each) => (each.type === 'offloaded' ? each : []));
  const came = told.happenings.filter(({ mark }) => mark === 2).length;
  const ms = sum(audit.turnEnds.map((end) => end.ms));
  const { header } = log;
  const rows = [
    [
      'asked',
      `${counted(log.turns.length, 'turn')}, ${counted(log.steps.length, 'request')} answered${ms === 0 ? '' : `, ${duration(ms)} of work`}`,
    ],
    ...(audit.opened === 0 ? [] : [['opened', audit.opened === 1 ? 'once' : `${count(audit.opened)} times`]]),
    ...(header?.parent === undefined
      ? []
      : [['forked from', `${header.parent}, with ${counted(header.context.messages.length, 'message')}`]]),
    [
      'context',
      log.now === undefined
        ? '-'
        : `${count(log.now.tokens)} tokens in ${counted(log.messagesNow, 'message')}; at most ${count(mostTokens(log))} in a request`,
    ],
    [
      'compactions',
      `${count(told.compactions.length)}, which freed ${count(sum(told.compactions.map(({ before, after }) => before - after)))} tokens`,
    ],
    ['to files', `${counted(sum(offloaded.map(({ results }) => results)), 'result')} (${size(sum(offloaded.map(({ bytes }) => bytes)))})`],
    ['gone back', `${counted(came, 'time')} (rollbacks, rewinds, clears)`],
    ['snapshots', `${count(snapshots.length)} kept (${size(sum(snapshots.map(({ bytes }) => bytes)))})`],
    [
      'tool calls',
      `${count(sum(calls.map((each) => each.calls)))}, ${count(sum(calls.map(({ failed }) => failed)))} failed; ${size(sum(calls.map(({ bytes }) => bytes)))} of results`,
    ],
    [
      'files',
      `${count(touched.filter(({ reads }) => reads > 0).length)} read, ${count(touched.filter(({ changes }) => changes > 0).length)} changed; ${counted(lookUps, 'look-up')} in results kept by SanBot`,
    ],
    ['memories', audit.from === undefined ? 'not known' : `${count(audit.memories)} extracted`],
    ['usage', usageText(log)],
    ['cost', costText(audit)],
  ];
  return { title: 'Totals', body: pageTable({ caption: 'The whole session', head: ['', ''], rows, words: [1] }) };
}

const mostTokens = ({ steps }: LogLife): number => steps.reduce((most, { weight }) => Math.max(most, weight.tokens), 0);

function usageText({ steps }: LogLife): string {
  const of = (part: 'inputTokens' | 'cacheReadTokens' | 'cacheWriteTokens' | 'outputTokens'): number =>
    sum(steps.map(({ usage }) => usage?.[part] ?? 0));
  const input = of('inputTokens') + of('cacheReadTokens') + of('cacheWriteTokens');
  if (input === 0) return 'none was reported';
  return `${count(input)} tokens in, ${percent(of('cacheReadTokens'), input)} of them from the cache; ${count(of('outputTokens'))} out (summaries apart)`;
}

function costText({ costs }: AuditLife): string {
  const known = costs.filter(({ usd }) => usd !== undefined);
  if (costs.length === 0) return 'none was recorded';
  const unknown = costs.length - known.length;
  const paid = dollars(sum(known.map(({ usd }) => usd ?? 0)));
  return unknown === 0
    ? `${paid}, summaries included`
    : known.length === 0
      ? 'price not known'
      : `${paid}, and ${counted(unknown, 'request')} whose price is not known`;
}
