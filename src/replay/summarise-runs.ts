import { costOf } from './cache-cost.ts';
import { allKinds, type ByKind, type RoundFidelity, sumKinds, sumTallies, type Tally } from './fidelity.ts';
import type { Policy } from './policy.ts';
import type { ReplayOutcome } from './run.ts';

/** One conversation replayed once. */
export type ReplayRun = {
  readonly file: string;
  readonly part: string;
  readonly format: string;
  readonly windowTokens: number;
  readonly policy: Policy;
  readonly outcome: ReplayOutcome;
};

/** The figures of one or several runs. Costs are in input tokens at list price: a cached one 0.1, one written to the cache 1.25. */
export type RunFigures = {
  readonly sessions: number;
  readonly overflowSessions: number;
  readonly requests: number;
  readonly overflowRequests: number;
  readonly compactions: number;
  readonly dropped: number;
  readonly offloads: number;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly cost: number;
  /** Every look after a compaction and the one at the end together. */
  readonly facts: Tally;
  readonly kinds: ByKind;
  /** Looks right after the first, second, … compaction; the last one stands for the fifth and all later. */
  readonly rounds: readonly ByKind[];
  /** Looks with at least five compactions behind them, the one at the end included. */
  readonly afterFive: ByKind;
  readonly identifiers: number;
  readonly grounded: number;
  readonly snapshots: number;
  readonly snapshotsEqual: number;
};

export const LAST_ROUND = 5;

export function figuresOf(runs: readonly ReplayRun[]): RunFigures {
  const outcomes = runs.map((run) => run.outcome);
  const requests = outcomes.flatMap((outcome) => outcome.requests);
  const looks = outcomes.flatMap((outcome) => outcome.fidelity);
  const sum = (of: (outcome: ReplayOutcome) => number): number => outcomes.reduce((total, outcome) => total + of(outcome), 0);
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
    cost: requests.reduce((total, request) => total + costOf(request), 0),
    facts: allKinds(kinds),
    kinds,
    rounds: Array.from({ length: LAST_ROUND }, (_, at) => kindsOf(looks.filter(({ atEnd, round }) => !atEnd && isRound(round, at + 1)))),
    afterFive: kindsOf(looks.filter(({ round }) => round >= LAST_ROUND)),
    identifiers: sum(({ grounding }) => grounding.identifiers),
    grounded: sum(({ grounding }) => grounding.grounded),
    snapshots: sum(({ rollback }) => rollback.tried),
    snapshotsEqual: sum(({ rollback }) => rollback.equal),
  };
}

const kindsOf = (looks: readonly RoundFidelity[]): ByKind => sumKinds(looks.map(({ kinds }) => kinds));
const isRound = (round: number, wanted: number): boolean => (wanted === LAST_ROUND ? round >= wanted : round === wanted);

export const totalOf = (tally: Tally): number => tally.inContext + tally.oneLookUp + tally.lost;
/** Files and constraints: what must never be forgotten. */
export const mustKeep = ({ file, constraint }: ByKind): Tally => sumTallies([file, constraint]);

/** A part of a whole; undefined when there is nothing to measure. */
export const share = (part: number, whole: number): number | undefined => (whole === 0 ? undefined : part / whole);

/** How many times a bootstrap draws; its spread is then below half a point for any share. */
const DRAWS = 1_000;

/** The middle 95 % of the share of facts in context, when sessions are drawn anew with replacement. Same runs, same answer. */
export function confidence(runs: readonly ReplayRun[]): { readonly low: number; readonly high: number } | undefined {
  const tallies = runs.map((run) => allKinds(kindsOf(run.outcome.fidelity))).filter((tally) => totalOf(tally) > 0);
  if (tallies.length < 2) return undefined;
  const next = numbers();
  const shares = Array.from({ length: DRAWS }, () => {
    const drawn = sumTallies(tallies.map(() => tallies[Math.floor(next() * tallies.length)] ?? { inContext: 0, oneLookUp: 0, lost: 0 }));
    return share(drawn.inContext, totalOf(drawn)) ?? 0;
  }).sort((a, b) => a - b);
  return { low: shares[Math.floor(DRAWS * 0.025)] ?? 0, high: shares[Math.ceil(DRAWS * 0.975) - 1] ?? 0 };
}

/** Numbers in [0, 1) that are the same in every run (mulberry32). */
function numbers(): () => number {
  let state = 0x5eed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
