import type { Metrics } from './collect.ts';

export type TargetName = 'overflow_rate' | 'fidelity_in_context' | 'fidelity_one_look_up' | 'rollback_success';

/** A figure that has a target: shares from 0 to 1. */
export type TargetResult = {
  readonly name: TargetName;
  /** What it is, as a person would say it. */
  readonly means: string;
  /** So many, of so many. */
  readonly part: number;
  readonly whole: number;
  /** Their share; undefined while there is nothing to measure it by. */
  readonly value: number | undefined;
  readonly target: number;
  readonly want: 'at least' | 'below';
  readonly met: boolean | undefined;
};

/** The targets of the product, each with the figure of this log. */
export function compareWithTargets(metrics: Metrics): readonly TargetResult[] {
  const { factsInContext, factsOneLookUp, factsLost, rollbacks, failedRollbacks, overflows, requests } = metrics;
  const facts = factsInContext + factsOneLookUp + factsLost;
  const reachable = factsInContext + factsOneLookUp;
  return [
    targetResult('overflow_rate', 'requests that did not fit', { part: overflows, whole: requests, want: 'below', target: 0.05 }),
    targetResult('fidelity_in_context', 'facts still in context after a compaction', { part: factsInContext, whole: facts, target: 0.8 }),
    targetResult('fidelity_one_look_up', 'facts in context or one look-up away', { part: reachable, whole: facts, target: 0.95 }),
    targetResult('rollback_success', 'rollbacks that succeeded', { part: rollbacks, whole: rollbacks + failedRollbacks, target: 1 }),
  ];
}

/** Undefined where there is nothing to divide by. */
export const ratio = (part: number, whole: number): number | undefined => (whole > 0 ? part / whole : undefined);

type Figure = Pick<TargetResult, 'part' | 'whole' | 'target'> & { readonly want?: TargetResult['want'] };

function targetResult(name: TargetName, means: string, { part, whole, target, want = 'at least' }: Figure): TargetResult {
  const value = ratio(part, whole);
  const met = value === undefined ? undefined : want === 'below' ? value < target : value >= target;
  return { name, means, part, whole, target, want, value, met };
}
