import type { Task } from './task.ts';

export const ways = ['open', 'files first', 'by summary'] as const;
export type Way = (typeof ways)[number];
/** A task in one of the ways. */
export type Cell = { readonly task: Task; readonly way: Way };

export const MIN_COMPACTIONS = 3;

/**
 * Small enough that the work of each task goes through three compactions and more, as test/stress/unit/bench/live/run.test.ts shows. Where
 * results go to files first, what is left of them takes less.
 */
const softWindows = { 'files first': 9_500, 'by summary': 18_000 } as const;
/** Work of this many tokens needs those; longer work needs larger ones, or there would be far more than three. */
const USUAL_TOKENS = 90_000;
const MAX_TIMES = 1.6;

const softWindow = (task: Task, way: Exclude<Way, 'open'>): number =>
  Math.round(softWindows[way] * Math.min(MAX_TIMES, Math.max(1, workOf(task).grown / USUAL_TOKENS)));

/** The settings of a run, beside those of the model. Nothing comes from earlier sessions, and nothing is left for later ones. */
export const settingsOf = ({ task, way }: Cell) => ({
  memory: { enabled: false },
  compaction: { softWindow: way === 'open' ? 0 : softWindow(task, way) },
  ...(way === 'by summary' && { offload: { enabled: false } }),
});

export type Price = { readonly input: number; readonly cacheRead: number; readonly cacheWrite: number; readonly output: number };
export type Estimate = { readonly steps: number; readonly tokens: number; readonly usd: number | undefined };

/** System prompt, tools and task. */
const BASE_TOKENS = 5_500;
const BYTES_A_TOKEN = { en: 3, zh: 4.5 } as const;
/** What a step says and calls, thinking included. */
const STEP_TOKENS = 200;
const SUMMARY_TOKENS = 2_500;

/** What the work is in all if each file is read and written in a step of its own. */
function workOf({ files, wanted, language }: Task): { readonly steps: number; readonly output: number; readonly grown: number } {
  const tokensOf = (some: Task['files']) =>
    [...some.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0) / BYTES_A_TOKEN[language];
  const steps = files.size + wanted.size + 5;
  const output = steps * STEP_TOKENS + tokensOf(wanted) / 2;
  return { steps, output, grown: BASE_TOKENS + tokensOf(files) + output };
}

/** What a run sends and costs, with a provider that caches prompts. */
export function estimate({ task, way }: Cell, price: Price | undefined): Estimate {
  const { steps, output, grown } = workOf(task);
  const limit = way === 'open' ? grown : softWindow(task, way) * 0.8;
  const compactions = way === 'open' ? 0 : Math.max(MIN_COMPACTIONS, Math.round(grown / (limit * 1.5)));
  const context = way === 'open' ? (BASE_TOKENS + grown) / 2 : limit * 0.8;
  const cached = steps * context + compactions * limit;
  const anew = grown + compactions * (limit / 2);
  const said = output + compactions * SUMMARY_TOKENS;
  const usd = price && (cached * price.cacheRead + anew * price.cacheWrite + said * price.output) / 1_000_000;
  return { steps, tokens: Math.round(cached + anew + said), usd };
}
