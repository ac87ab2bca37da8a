import { formatCount, formatDollars, formatSize, pluralize } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { table } from '../../terminal/text/table.ts';

/** What a person is shown of the figures: a share is 0 to 1, undefined where there was nothing to measure. */
export type MetricsView = {
  readonly from: string | undefined;
  readonly until: string | undefined;
  readonly sessions: number;
  readonly targets: readonly {
    readonly means: string;
    readonly part: number;
    readonly whole: number;
    readonly value: number | undefined;
    readonly target: number;
    readonly want: 'at least' | 'below';
    readonly met: boolean | undefined;
  }[];
  readonly requests: number;
  readonly overflows: number;
  readonly compactions: number;
  readonly degraded: number;
  readonly failed: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Facts that compactions took out of the context, and what became of them. */
  readonly factsInContext: number;
  readonly factsOneLookUp: number;
  readonly factsLost: number;
  readonly rollbacks: number;
  readonly failedRollbacks: number;
  readonly toolBytes: number;
  readonly offloadedResults: number;
  readonly offloadedBytes: number;
  readonly memories: number;
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
  readonly meanUtilization: number;
  readonly mostUtilization: number;
  readonly work: readonly {
    readonly when: string;
    readonly turns: number;
    readonly endedWell: number | undefined;
    readonly repeated: number | undefined;
  }[];
};

/** Of what the figures were wanted. */
export type MetricsFilter = { readonly session: string | undefined; readonly since: Date | undefined };

/** The table of `sanbot metrics`. Ends with a newline. */
export function metricsText(view: MetricsView, { columns, session, since }: MetricsFilter & { readonly columns: number }): string {
  if (view.from === undefined || view.until === undefined) {
    const scope = session === undefined ? '' : ` of session ${safeLine(session)}`;
    return `Nothing has been recorded${scope}${since === undefined ? ' yet' : ` since ${minute(since.toISOString())} UTC`}.\n`;
  }
  const heading = `${minute(view.from)} to ${minute(view.until)} UTC, ${pluralize(view.sessions, 'session')}`;
  const targets = table(
    [
      { title: 'measured', minWidth: 20 },
      { title: 'share', align: 'right' },
      { title: 'count', align: 'right' },
      { title: 'target', align: 'right' },
      { title: '' },
    ],
    view.targets.map(({ means, part, whole, value, target, want, met }) => [
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
    view.work.map(({ when, turns, endedWell, repeated }) => [when, formatCount(turns), shareText(endedWell), shareText(repeated)]),
    columns,
  );
  return `${heading}\n\n${targets}\n${table(
    [
      { title: 'figure', minWidth: 12 },
      { title: '', minWidth: 20 },
    ],
    rowsOf(view),
    columns,
  )}\n${work}`;
}

function rowsOf(view: MetricsView): readonly (readonly string[])[] {
  const input = view.inputTokens + view.cacheReadTokens;
  const perCompaction = (sum: number): string => formatCount(sum / view.compactions);
  const facts = [view.factsInContext, view.factsOneLookUp, view.factsLost].map(formatCount);
  return [
    ['requests', `${formatCount(view.requests)}, of these ${formatCount(view.overflows)} did not fit`],
    ['context', `${shareText(view.meanUtilization)} of the window on average, ${shareText(view.mostUtilization)} at most`],
    [
      'compactions',
      `${formatCount(view.compactions)}, of these ${formatCount(view.degraded)} by rule because no model answered; ${formatCount(view.failed)} more failed`,
    ],
    ...(view.compactions === 0
      ? []
      : [['each', `${perCompaction(view.tokensBefore)} -> ${perCompaction(view.tokensAfter)} tokens on average`]]),
    ['facts', `${facts[0]} still in context after a compaction, ${facts[1]} one look-up away, ${facts[2]} lost`],
    ['rollbacks', `${formatCount(view.rollbacks)}; ${formatCount(view.failedRollbacks)} more failed`],
    [
      'to files',
      `${pluralize(view.offloadedResults, 'result')}: ${formatSize(view.offloadedBytes)} of ${formatSize(view.toolBytes)} of tool output`,
    ],
    ['memories', `${formatCount(view.memories)} extracted`],
    [
      'input',
      input === 0 ? 'no usage was reported' : `${formatCount(input)} tokens, ${shareText(view.cacheReadTokens / input)} from the cache`,
    ],
    ['output', view.outputTokens === 0 ? 'no usage was reported' : `${formatCount(view.outputTokens)} tokens`],
    ['cost', view.costUsd === 0 ? '-' : `${formatDollars(view.costUsd)}, where the price is known`],
  ];
}

const minute = (iso: string): string => iso.slice(0, 16).replace('T', ' ');

/** With one decimal: a target of 95 % is not met by 94.6 %. */
const shareText = (share: number | undefined): string => (share === undefined ? '-' : `${(Math.floor(share * 1_000) / 10).toFixed(1)} %`);
