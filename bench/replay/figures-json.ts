import { READ_PRICE, WRITE_PRICE } from './measure/cache-cost.ts';
import { intervalsOf, meansOfKinds, metricsOf, type ReplayRun, relativeCost } from './measure/summarise-runs.ts';
import type { Variant } from './replay-file.ts';

const MAX_MISSES = 200;

export type Total = Readonly<ReturnType<typeof totalsOf>>[number];

/** The figures of each variant over all conversations. `between` has the shares of the main ones with 95 % confidence, drawing sessions. */
export function totalsOf(runs: readonly ReplayRun[], variants: readonly Variant[]) {
  const runsOf = ({ windowTokens, policy }: Variant): readonly ReplayRun[] =>
    runs.filter((run) => run.windowTokens === windowTokens && run.policy === policy);
  return variants.map((variant) => {
    const group = runsOf(variant);
    const metrics = metricsOf(group);
    const beside = variants.filter(({ windowTokens }) => windowTokens === variant.windowTokens);
    return {
      ...variant,
      ...metrics,
      meanOfKinds: meansOfKinds(metrics.kinds),
      between: intervalsOf(group),
      costAgainst: beside.map((other) => ({ policy: other.policy, ...relativeCost(group, runsOf(other)) })),
    };
  });
}

/** One object: `runs` a conversation and variant each, `totals` a variant each. Figures are counts. */
export function figuresJson(runs: readonly ReplayRun[], variants: readonly Variant[]): string {
  const each = runs.map(({ outcome, ...run }) => ({
    ...run,
    ...metricsOf([{ ...run, outcome }]),
    perRequest: outcome.requests,
    compactionReasons: outcome.reasons,
    stuck: outcome.stuck,
    ungrounded: outcome.grounding.invented,
    missesAtEnd: outcome.misses.slice(0, MAX_MISSES),
  }));
  const figures = { v: 1, prices: { read: READ_PRICE, write: WRITE_PRICE }, totals: totalsOf(runs, variants), runs: each };
  return `${JSON.stringify(figures, null, 2)}\n`;
}
