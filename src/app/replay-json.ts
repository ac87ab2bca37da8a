import type { ReplayOptions } from '../cli/actions.ts';
import { confidence, figuresOf, type ReplayRun } from '../replay/summarise-runs.ts';

const MOST_MISSES = 200;

/** One object: `runs` a conversation each, `totals` a window and policy each. Shares are for the reader to make: all figures are counts. */
export function replayJson(runs: readonly ReplayRun[], { windows, policies }: Pick<ReplayOptions, 'windows' | 'policies'>): string {
  const totals = windows.flatMap((windowTokens) =>
    policies.map((policy) => {
      const those = runs.filter((run) => run.windowTokens === windowTokens && run.policy === policy);
      return { windowTokens, policy, ...figuresOf(those), inContextBetween: confidence(those) ?? null };
    }),
  );
  const each = runs.map(({ outcome, ...run }) => ({
    ...run,
    ...figuresOf([{ ...run, outcome }]),
    compactionReasons: outcome.reasons,
    stuck: outcome.stuck,
    ungrounded: outcome.grounding.invented,
    missesAtEnd: outcome.misses.slice(0, MOST_MISSES),
  }));
  return `${JSON.stringify({ v: 1, prices: { read: 0.1, write: 1.25 }, totals, runs: each }, null, 2)}\n`;
}
