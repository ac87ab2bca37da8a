import { count, dollars, size } from './figures.ts';
import { table } from './table.ts';

/** What a person is shown of the figures: a share is 0 to 1, undefined where there was nothing to measure. */
export type MetricsView = {
  readonly from: string | undefined;
  readonly until: string | undefined;
  readonly sessions: number;
  readonly targets: readonly {
    readonly means: string;
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
  readonly rollbacks: number;
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

/** The table of `sanbot metrics`. Ends with a newline. */
export function metricsText(view: MetricsView, columns: number): string {
  if (view.from === undefined || view.until === undefined) return 'Nothing has been recorded in that time.\n';
  const heading = `${view.from.slice(0, 16)}Z to ${view.until.slice(0, 16)}Z, ${count(view.sessions)} ${view.sessions === 1 ? 'session' : 'sessions'}`;
  const targets = table(
    [{ title: 'against its target', least: 20 }, { title: 'is', align: 'right' }, { title: 'target', align: 'right' }, { title: '' }],
    view.targets.map(({ means, value, target, want, met }) => [
      means,
      shareText(value),
      `${want === 'below' ? '<' : '>='} ${target * 100} %`,
      met === undefined ? 'not measured yet' : met ? 'met' : 'MISSED',
    ]),
    columns,
  );
  const work = table(
    [
      { title: 'turns', least: 10 },
      { title: 'count', align: 'right' },
      { title: 'ended well', align: 'right' },
      { title: 'calls made again', align: 'right' },
    ],
    view.work.map(({ when, turns, endedWell, repeated }) => [when, count(turns), shareText(endedWell), shareText(repeated)]),
    columns,
  );
  return `${heading}\n\n${targets}\n${table([{ title: 'figure', least: 12 }, { title: '' }], rowsOf(view), columns)}\n${work}`;
}

function rowsOf(view: MetricsView): readonly (readonly string[])[] {
  const input = view.inputTokens + view.cacheReadTokens;
  const mean = (sum: number): string => (view.compactions === 0 ? '-' : count(sum / view.compactions));
  return [
    ['requests', `${count(view.requests)}, ${count(view.overflows)} did not fit`],
    ['context', `${shareText(view.meanUtilization)} of the window on average, ${shareText(view.mostUtilization)} at most`],
    ['compactions', `${count(view.compactions)}, of these ${count(view.degraded)} degraded; ${count(view.failed)} failed`],
    ['tokens', `${mean(view.tokensBefore)} -> ${mean(view.tokensAfter)} in a compaction, on average`],
    ['rollbacks', count(view.rollbacks)],
    ['offloaded', `${count(view.offloadedResults)} results, ${size(view.offloadedBytes)} of ${size(view.toolBytes)} of tool output`],
    ['memories', count(view.memories)],
    ['input', `${count(input)} tokens, ${shareText(input === 0 ? undefined : view.cacheReadTokens / input)} from the cache`],
    ['output', `${count(view.outputTokens)} tokens`],
    ['cost', `${dollars(view.costUsd)}, where the price is known`],
  ];
}

/** With one decimal: a target of 95 % is not met by 94.6 %. */
const shareText = (share: number | undefined): string => (share === undefined ? '-' : `${(Math.floor(share * 1_000) / 10).toFixed(1)} %`);
