import { localize } from '../../domain/language.ts';
import { intervalsOf, type RatioName, type ReplayRun, type RunMetrics, ratioOf, ratios } from '../../replay/measure/summarise-runs.ts';
import type { ReplayRange } from '../../replay/policy.ts';

/** The runs of each window and policy, in the order of the range. */
export const runGroups = (runs: readonly ReplayRun[], { windows, policies }: ReplayRange) =>
  windows.flatMap((windowTokens) =>
    policies.map((policy) => ({
      windowTokens,
      policy,
      groupRuns: runs.filter((run) => run.windowTokens === windowTokens && run.policy === policy),
    })),
  );

/** Returns what writes a ratio of the runs with its interval; `figures` are those of the same runs. */
export function ratioTexts(runs: readonly ReplayRun[], figures: RunMetrics): (name: RatioName) => string {
  const intervals = intervalsOf(runs);
  return (name) => {
    const { part, whole } = ratios[name](figures);
    const interval = intervals[name];
    return `${percent(part, whole)}${interval === undefined ? '' : intervalText(interval)}`;
  };
}

const intervalText = ({ low, high }: { readonly low: number; readonly high: number }): string =>
  localize({ en: ` (${percentText(low)} to ${percentText(high)})`, zh: `（${percentText(low)} 至 ${percentText(high)}）` });

export function percent(part: number, whole: number): string {
  const ratio = ratioOf(part, whole);
  return ratio === undefined ? '-' : percentText(ratio);
}

/** Rounded down, so that a target that is just missed is not shown as met. */
export const percentText = (part: number): string => `${(Math.floor(part * 1_000) / 10).toFixed(1)} %`;
