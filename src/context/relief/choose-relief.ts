/**
 * What is done first about a context at the hard limit: a batch of results goes to files, or older messages are summarised at once.
 *
 * Both make room, at different prices. A batch keeps more that can be read in place, but everything behind its first change is written to
 * the provider's cache again; a summary that reads the cached past pays mostly for its own words, and leaves less to carry.
 *
 * Numbers come in, priced by `price-relief.ts`; a choice comes out as data, with the figures that a receipt repeats. Offloading is the
 * default, since it loses nothing: it is skipped only where compacting is clearly cheaper.
 */

/** Where one way out leads. Costs are estimates in dollars at the model's prices. */
export type ReliefOption = {
  /** Tokens of the next request. */
  readonly tokensAfter: number;
  /** Tokens of the conversation that the next request still shows word for word. */
  readonly readableTokens: number;
  /** The next request, and a summary where there is one. */
  readonly costNow: number;
  /** Each later step, for carrying the context until it is full again. */
  readonly costPerStep: number;
  /** What is likely paid to look up again what can no longer be read in place. */
  readonly lookUpCost: number;
  /** Steps until the context is full again; at least 1. */
  readonly steps: number;
};

export type ReliefOptions = {
  /** The batch alone. */
  readonly offload: ReliefOption;
  readonly compact: ReliefOption;
  /** The batch, and a compaction right after it. */
  readonly both: ReliefOption;
};

export type ReliefSituation = {
  /** `compaction.relief`. */
  readonly order: 'auto' | 'offload-first';
  /** The batch would make the context smaller. */
  readonly canOffload: boolean;
  /** A compaction is allowed now, and has not just failed. */
  readonly canCompact: boolean;
  /** Nothing of the past is in the provider's cache any more. */
  readonly cacheCold: boolean;
  /** No model would make the summary. */
  readonly summaryByRule: boolean;
  /** The batch changes nothing but what a compaction would keep as it is. */
  readonly newestOnly: boolean;
  /** The batch would be followed by a compaction at once. */
  readonly offloadFallsShort: boolean;
  /** Undefined where no compaction is allowed, or no price is known. */
  readonly options: ReliefOptions | undefined;
};

/** Why a batch is skipped: what compacting is estimated to cost, and what it takes the place of. */
export type SkippedBatch = {
  readonly compact: ReliefOption;
  /** The batch alone, or with the compaction that would have followed it at once. */
  readonly offload: ReliefOption;
};

export type ReliefChoice =
  | {
      readonly first: 'offload';
      readonly why: 'cannot_compact' | 'setting' | 'cold_cache' | 'rule_summary' | 'newest_part' | 'no_price' | 'not_cheaper';
    }
  | { readonly first: 'compact'; readonly why: 'nothing_to_offload' }
  | ({ readonly first: 'compact'; readonly why: 'cheaper' } & SkippedBatch);

/** Compacting has to cost at most this share of what it replaces, since an offload loses nothing. */
const MAX_COST_SHARE = 3 / 4;

/** Chooses what is done first. Depends on nothing but the numbers, and not on the currency of the prices. */
export function chooseRelief(situation: ReliefSituation): ReliefChoice {
  const { options } = situation;
  if (!situation.canOffload) return { first: 'compact', why: 'nothing_to_offload' };
  if (!situation.canCompact) return { first: 'offload', why: 'cannot_compact' };
  if (situation.order === 'offload-first') return { first: 'offload', why: 'setting' };
  if (situation.cacheCold) return { first: 'offload', why: 'cold_cache' };
  if (situation.summaryByRule) return { first: 'offload', why: 'rule_summary' };
  if (situation.newestOnly) return { first: 'offload', why: 'newest_part' };
  if (options === undefined) return { first: 'offload', why: 'no_price' };
  const { compact } = options;
  const offload = situation.offloadFallsShort ? options.both : options.offload;
  const isCheaper = costOfStep(offload) > 0 && costOfStep(compact) <= MAX_COST_SHARE * costOfStep(offload);
  return isCheaper ? { first: 'compact', why: 'cheaper', compact, offload } : { first: 'offload', why: 'not_cheaper' };
}

/** What each step costs until the context is full again, so that options which last differently long can be compared. */
export const costOfStep = ({ costNow, lookUpCost, costPerStep, steps }: ReliefOption): number =>
  (costNow + lookUpCost) / steps + costPerStep;
