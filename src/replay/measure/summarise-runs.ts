import type { ReplayOutcome } from '../outcome.ts';
import type { Policy } from '../policy.ts';
import { type Interval, interval } from './bootstrap.ts';
import { costOf } from './cache-cost.ts';
import { allKinds, type ByKind, type RoundFidelity, sumKinds } from './fidelity.ts';
import { sumTallies, type Tally, totalOf } from './tally.ts';

/** One conversation replayed once. */
export type ReplayRun = {
  readonly file: string;
  readonly part: string;
  readonly format: string;
  readonly windowTokens: number;
  readonly policy: Policy;
  /** In the home that was kept. */
  readonly sessionId?: string;
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
  readonly references: Tally;
  readonly looks: number;
  readonly again: Tally;
  readonly recordedTokens: number;
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
    references: sumTallies(outcomes.map(({ references }) => references)),
    looks: sum(({ looks }) => looks),
    again: sumTallies(outcomes.map(({ again }) => again)),
    recordedTokens: sum(({ recordedTokens }) => recordedTokens),
  };
}

const kindsOf = (looks: readonly RoundFidelity[]): ByKind => sumKinds(looks.map(({ kinds }) => kinds));

const isRound = (round: number, wanted: number): boolean => (wanted === LAST_ROUND ? round >= wanted : round === wanted);

/** Files and constraints: what must never be forgotten. */
export const mustKeep = ({ file, constraint }: ByKind): Tally => sumTallies([file, constraint]);

/** A part of a whole; undefined when there is nothing to measure. */
export const share = (part: number, whole: number): number | undefined => (whole === 0 ? undefined : part / whole);

/** The main figures, each a part of a whole. */
export const shares = {
  overflow: ({ overflowRequests, requests }: RunFigures) => ({ part: overflowRequests, whole: requests }),
  cacheable: ({ cachedTokens, inputTokens }: RunFigures) => ({ part: cachedTokens, whole: inputTokens }),
  known: ({ facts }: RunFigures) => ({ part: facts.inContext, whole: totalOf(facts) }),
  reachable: ({ facts }: RunFigures) => ({ part: facts.inContext + facts.oneLookUp, whole: totalOf(facts) }),
  mustKeepAfterFive: ({ afterFive }: RunFigures) => ({ part: mustKeep(afterFive).inContext, whole: totalOf(mustKeep(afterFive)) }),
  grounded: ({ grounded, identifiers }: RunFigures) => ({ part: grounded, whole: identifiers }),
  referencesKnown: ({ references }: RunFigures) => ({ part: references.inContext, whole: totalOf(references) }),
  referencesReachable: ({ references }: RunFigures) => ({ part: references.inContext + references.oneLookUp, whole: totalOf(references) }),
  repeated: ({ again, looks }: RunFigures) => ({ part: totalOf(again), whole: looks }),
} as const;

export type ShareName = keyof typeof shares;

/** With 95 % confidence, drawing sessions; undefined for a figure that fewer than two sessions have. */
export function intervalsOf(runs: readonly ReplayRun[]): Readonly<Record<ShareName, Interval | undefined>> {
  const each = runs.map((run) => figuresOf([run]));
  const of = (name: ShareName): Interval | undefined => interval(each.map(shares[name]));
  return {
    overflow: of('overflow'),
    cacheable: of('cacheable'),
    known: of('known'),
    reachable: of('reachable'),
    mustKeepAfterFive: of('mustKeepAfterFive'),
    grounded: of('grounded'),
    referencesKnown: of('referencesKnown'),
    referencesReachable: of('referencesReachable'),
    repeated: of('repeated'),
  };
}

/** What one policy costs in units of another over the same sessions, and how sure that is. */
export function costAgainst(
  runs: readonly ReplayRun[],
  others: readonly ReplayRun[],
): { readonly ratio: number | undefined; readonly between: Interval | undefined } {
  const parts = runs.flatMap((run) => {
    const other = others.find(({ file, part }) => file === run.file && part === run.part);
    return other === undefined ? [] : [{ part: figuresOf([run]).cost, whole: figuresOf([other]).cost }];
  });
  const sum = (of: 'part' | 'whole'): number => parts.reduce((total, each) => total + each[of], 0);
  return { ratio: share(sum('part'), sum('whole')), between: interval(parts) };
}
