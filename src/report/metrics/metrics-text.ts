import { formatCount, formatDollars, formatSize, pluralize } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { table } from '../../terminal/text/table.ts';
import type { Metrics, PhaseMetrics } from './collect.ts';
import { compareWithTargets, ratio } from './targets.ts';

/** Of what the figures were wanted. */
export type MetricsFilter = { readonly session: string | undefined; readonly since: Date | undefined };

/** The table of `sanbot metrics`. Ends with a newline. */
export function metricsText(metrics: Metrics, { columns, session, since }: MetricsFilter & { readonly columns: number }): string {
  if (metrics.from === undefined || metrics.until === undefined) {
    const scope = session === undefined ? '' : ` of session ${safeLine(session)}`;
    return `Nothing has been recorded${scope}${since === undefined ? ' yet' : ` since ${minute(since.toISOString())} UTC`}.\n`;
  }
  const heading = `${minute(metrics.from)} to ${minute(metrics.until)} UTC, ${pluralize(metrics.sessions, 'session')}`;
  const targets = table(
    [
      { title: 'measured', minWidth: 20 },
      { title: 'share', align: 'right' },
      { title: 'count', align: 'right' },
      { title: 'target', align: 'right' },
      { title: '' },
    ],
    compareWithTargets(metrics).map(({ means, part, whole, value, target, want, met }) => [
      means,
      shareText(value),
      whole === 0 ? '-' : `${formatCount(part)} of ${formatCount(whole)}`,
      `${want === 'below' ? '<' : '>='} ${target * 100} %`,
      met === undefined ? 'not measured yet' : met ? 'met' : 'MISSED',
    ]),
    columns,
  );
  const work = table(
    [
      { title: 'turns', minWidth: 10 },
      { title: 'count', align: 'right' },
      { title: 'ended well', align: 'right' },
      { title: 'calls made again', align: 'right' },
    ],
    [workRow('before the first compaction', metrics.beforeCompaction), workRow('after it', metrics.afterCompaction)],
    columns,
  );
  return `${heading}\n\n${targets}\n${table(
    [
      { title: 'figure', minWidth: 12 },
      { title: '', minWidth: 20 },
    ],
    rowsOf(metrics),
    columns,
  )}\n${work}`;
}

function rowsOf(metrics: Metrics): readonly (readonly string[])[] {
  const input = metrics.inputTokens + metrics.cacheWriteTokens + metrics.cacheReadTokens;
  const perCompaction = (sum: number): string => formatCount(sum / metrics.compactions);
  const facts = [metrics.factsInContext, metrics.factsOneLookUp, metrics.factsLost].map(formatCount);
  return [
    ['requests', `${formatCount(metrics.requests)}, of these ${formatCount(metrics.overflows)} did not fit`],
    ['context', `${shareText(metrics.meanUtilization)} of the window on average, ${shareText(metrics.mostUtilization)} at most`],
    [
      'compactions',
      `${formatCount(metrics.compactions)}, of these ${formatCount(metrics.degradedCompactions)} by rule because no model answered; ${formatCount(metrics.failedCompactions)} more failed`,
    ],
    ...(metrics.compactions === 0
      ? []
      : [['each', `${perCompaction(metrics.tokensBeforeCompact)} -> ${perCompaction(metrics.tokensAfterCompact)} tokens on average`]]),
    ['facts', `${facts[0]} still in context after a compaction, ${facts[1]} one look-up away, ${facts[2]} lost`],
    ['rollbacks', `${formatCount(metrics.rollbacks)}; ${formatCount(metrics.failedRollbacks)} more failed`],
    [
      'to files',
      `${pluralize(metrics.offloadedResults, 'result')}: ${formatSize(metrics.offloadedBytes)} of ${formatSize(metrics.toolBytes)} of tool output`,
    ],
    ['memories', `${formatCount(metrics.memories)} extracted`],
    [
      'input',
      input === 0 ? 'no usage was reported' : `${formatCount(input)} tokens, ${shareText(metrics.cacheReadTokens / input)} from the cache`,
    ],
    ['output', metrics.outputTokens === 0 ? 'no usage was reported' : `${formatCount(metrics.outputTokens)} tokens`],
    ['cost', metrics.costUsd === 0 ? '-' : `${formatDollars(metrics.costUsd)}, where the price is known`],
  ];
}

const workRow = (when: string, { turns, endedWell, calls, repeatedCalls }: PhaseMetrics): readonly string[] => [
  when,
  formatCount(turns),
  shareText(ratio(endedWell, turns)),
  shareText(ratio(repeatedCalls, calls)),
];

const minute = (iso: string): string => iso.slice(0, 16).replace('T', ' ');

/** With one decimal: a target of 95 % is not met by 94.6 %. */
const shareText = (share: number | undefined): string => (share === undefined ? '-' : `${(Math.floor(share * 1_000) / 10).toFixed(1)} %`);
