import { READ_PRICE, WRITE_PRICE } from '../../replay/measure/cache-cost.ts';
import { intervalsOf, meansOfKinds, metricsOf, type ReplayRun, relativeCost } from '../../replay/measure/summarise-runs.ts';
import type { ReplayRange } from '../../replay/policy.ts';

const MAX_MISSES = 200;

/** One object: `runs` a conversation each, `totals` a window and policy each. Figures are counts; `between` has the shares of the main ones with 95 % confidence, drawing sessions. */
export function replayJson(runs: readonly ReplayRun[], { windows, policies }: ReplayRange): string {
  const costs = (group: readonly ReplayRun[], windowTokens: number) =>
    policies.map((policy) => ({
      policy,
      ...relativeCost(
        group,
        runs.filter((run) => run.windowTokens === windowTokens && run.policy === policy),
      ),
    }));
  const totals = windows.flatMap((windowTokens) =>
    policies.map((policy) => {
      const group = runs.filter((run) => run.windowTokens === windowTokens && run.policy === policy);
      return {
        windowTokens,
        policy,
        ...metricsOf(group),
        meanOfKinds: meansOfKinds(metricsOf(group).kinds),
        between: intervalsOf(group),
        costAgainst: costs(group, windowTokens),
      };
    }),
  );
  const each = runs.map(({ outcome, ...run }) => ({
    ...run,
    ...metricsOf([{ ...run, outcome }]),
    perRequest: outcome.requests,
    compactionReasons: outcome.reasons,
    stuck: outcome.stuck.map(({ en }) => en),
    ungrounded: outcome.grounding.invented,
    missesAtEnd: outcome.misses.slice(0, MAX_MISSES),
  }));
  return `${JSON.stringify({ v: 1, prices: { read: READ_PRICE, write: WRITE_PRICE }, totals, runs: each }, null, 2)}\n`;
}
