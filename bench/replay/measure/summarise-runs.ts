import type { Tally } from '../../../src/context/fidelity/fidelity.ts';
import type { ReplayOutcome } from '../outcome.ts';
import type { Policy } from '../policy.ts';
import { inputCost } from './cache-cost.ts';
import { allKinds, type RoundFidelity, sumKinds, sumTallies, type TalliesByKind, totalOf } from './fidelity.ts';

/** One replay of one conversation. */
export type ReplayRun = {
  readonly file: string;
  readonly part: string;
  readonly format: string;
  readonly windowTokens: number;
  readonly policy: Policy;
  /** The session in the home that was kept. */
  readonly sessionId?: string;
  readonly outcome: ReplayOutcome;
};

export const LAST_ROUND = 5;

export type RunMetrics = Readonly<ReturnType<typeof metricsOf>>;

/** The figures of one or several runs. Costs are in input tokens at list price: 0.1 for a cached one, 1.25 for one written to the cache. */
export function metricsOf(runs: readonly ReplayRun[]) {
  const outcomes = runs.map((run) => run.outcome);
  const requests = outcomes.flatMap((outcome) => outcome.requests);
  const looks = outcomes.flatMap((outcome) => outcome.fidelity);
  const sum = (select: (outcome: ReplayOutcome) => number): number => outcomes.reduce((total, outcome) => total + select(outcome), 0);
  const kinds = kindsOf(looks);
  return {
    sessions: outcomes.filter((outcome) => outcome.requests.length > 0).length,
    overflowSessions: outcomes.filter((outcome) => outcome.requests.some(({ overflow }) => overflow)).length,
    requests: requests.length,
    overflowRequests: requests.filter(({ overflow }) => overflow).length,
    compactions: sum(({ compactions }) => compactions),
    dropped: sum(({ dropped }) => dropped),
    offloads: sum(({ offloads }) => offloads),
    inputTokens: requests.reduce((total, { inputTokens }) => total + inputTokens, 0),
    cachedTokens: requests.reduce((total, { cachedTokens }) => total + cachedTokens, 0),
    cost: requests.reduce((total, request) => total + inputCost(request), 0),
    /** All judgements together: those after compactions, and the one at the end. */
    facts: allKinds(kinds),
    kinds,
    /** Judgements right after the first, second, … compaction; the last element is for the fifth and all later ones. */
    rounds: Array.from({ length: LAST_ROUND }, (_, at) => kindsOf(looks.filter(({ atEnd, round }) => !atEnd && isRound(round, at + 1)))),
    /** Judgements after at least five compactions, including the one at the end. */
    afterFive: kindsOf(looks.filter(({ round }) => round >= LAST_ROUND)),
    identifiers: sum(({ grounding }) => grounding.identifiers),
    grounded: sum(({ grounding }) => grounding.grounded),
    snapshots: sum(({ rollback }) => rollback.tried),
    snapshotsEqual: sum(({ rollback }) => rollback.equal),
    references: sumTallies(outcomes.map(({ references }) => references)),
    looks: sum(({ looks }) => looks),
    again: sumTallies(outcomes.map(({ again }) => again)),
    recordedTokens: sum(({ recordedTokens }) => recordedTokens),
  };
}

const kindsOf = (looks: readonly RoundFidelity[]): TalliesByKind => sumKinds(looks.map(({ kinds }) => kinds));

const isRound = (round: number, target: number): boolean => (target === LAST_ROUND ? round >= target : round === target);

/** Files and constraints, which must never be forgotten. */
export const mustKeep = ({ file, constraint }: TalliesByKind): Tally => sumTallies([file, constraint]);

/**
 * Returns the means of the shares of the kinds that there are: nearly all facts are names, and the share of all facts is hardly more than
 * theirs.
 */
export function meansOfKinds(kinds: TalliesByKind): { readonly known: number; readonly reachable: number } | undefined {
  const tallies = Object.values(kinds).filter((tally) => totalOf(tally) > 0);
  const mean = (share: (tally: Tally) => number): number => tallies.reduce((sum, tally) => sum + share(tally), 0) / tallies.length;
  if (tallies.length === 0) return undefined;
  return {
    known: mean((tally) => tally.inContext / totalOf(tally)),
    reachable: mean((tally) => (tally.inContext + tally.oneLookUp) / totalOf(tally)),
  };
}

/** Returns a part of a whole; undefined when there is nothing to measure. */
export const ratioOf = (part: number, whole: number): number | undefined => (whole === 0 ? undefined : part / whole);

/** The main figures, each as a part of a whole. */
export const ratios = {
  overflow: ({ overflowRequests, requests }: RunMetrics) => ({ part: overflowRequests, whole: requests }),
  cacheable: ({ cachedTokens, inputTokens }: RunMetrics) => ({ part: cachedTokens, whole: inputTokens }),
  known: ({ facts }: RunMetrics) => ({ part: facts.inContext, whole: totalOf(facts) }),
  reachable: ({ facts }: RunMetrics) => ({ part: facts.inContext + facts.oneLookUp, whole: totalOf(facts) }),
  mustKeepAfterFive: ({ afterFive }: RunMetrics) => ({ part: mustKeep(afterFive).inContext, whole: totalOf(mustKeep(afterFive)) }),
  grounded: ({ grounded, identifiers }: RunMetrics) => ({ part: grounded, whole: identifiers }),
  referencesKnown: ({ references }: RunMetrics) => ({ part: references.inContext, whole: totalOf(references) }),
  referencesReachable: ({ references }: RunMetrics) => ({ part: references.inContext + references.oneLookUp, whole: totalOf(references) }),
  repeated: ({ again, looks }: RunMetrics) => ({ part: totalOf(again), whole: looks }),
} as const;

export type RatioName = keyof typeof ratios;

/** Returns 95 % confidence intervals, resampling sessions; undefined for a figure that fewer than two sessions have. */
export function intervalsOf(runs: readonly ReplayRun[]): Readonly<Record<RatioName, ConfidenceInterval | undefined>> {
  const metrics = runs.map((run) => metricsOf([run]));
  const intervalOf = (name: RatioName): ConfidenceInterval | undefined => bootstrapInterval(metrics.map(ratios[name]));
  return {
    overflow: intervalOf('overflow'),
    cacheable: intervalOf('cacheable'),
    known: intervalOf('known'),
    reachable: intervalOf('reachable'),
    mustKeepAfterFive: intervalOf('mustKeepAfterFive'),
    grounded: intervalOf('grounded'),
    referencesKnown: intervalOf('referencesKnown'),
    referencesReachable: intervalOf('referencesReachable'),
    repeated: intervalOf('repeated'),
  };
}

/** Returns what one policy costs in units of another over the same sessions, with a confidence interval. */
export function relativeCost(runs: readonly ReplayRun[], others: readonly ReplayRun[]) {
  const parts = runs.flatMap((run) => {
    const other = others.find(({ file, part }) => file === run.file && part === run.part);
    return other === undefined ? [] : [{ part: metricsOf([run]).cost, whole: metricsOf([other]).cost }];
  });
  const sum = (field: 'part' | 'whole'): number => parts.reduce((total, each) => total + each[field], 0);
  return { ratio: ratioOf(sum('part'), sum('whole')), between: bootstrapInterval(parts) };
}

/** The share of one session, as a part and a whole. */
type Fraction = { readonly part: number; readonly whole: number };
export type ConfidenceInterval = { readonly low: number; readonly high: number };

/** How many times the sessions are resampled; the ends of the interval then vary by less than half a point for any share. */
const RESAMPLES = 1_000;

/** Returns the middle 95 % of the total share when sessions are drawn with replacement; undefined for fewer than two. Deterministic. */
function bootstrapInterval(parts: readonly Fraction[]): ConfidenceInterval | undefined {
  const nonEmpty = parts.filter(({ whole }) => whole > 0);
  if (nonEmpty.length < 2) return undefined;
  const next = createRandom();
  const shares = Array.from({ length: RESAMPLES }, () => {
    let [part, whole] = [0, 0];
    for (let i = 0; i < nonEmpty.length; i++) {
      const sample = nonEmpty[Math.floor(next() * nonEmpty.length)];
      part += sample?.part ?? 0;
      whole += sample?.whole ?? 0;
    }
    return whole === 0 ? 0 : part / whole;
  }).sort((a, b) => a - b);
  return { low: shares[Math.floor(RESAMPLES * 0.025)] ?? 0, high: shares[Math.ceil(RESAMPLES * 0.975) - 1] ?? 0 };
}

/** Returns a source of numbers in [0, 1) that is the same in every run (mulberry32). */
function createRandom(): () => number {
  let state = 0x5eed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
