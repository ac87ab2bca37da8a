import { addUsage, noUsage, type Usage } from '../../domain/session/message.ts';
import { addMiss, type Miss } from '../../domain/session/model-answer.ts';

/** What some requests used and cost together; `costUsd` undefined when a price in it is not known. */
export type Cost = { readonly usage: Usage; readonly costUsd: number | undefined };

/** All requests together, summaries included; the part of the summaries apart. */
export type SessionUsage = Cost & {
  readonly requests: number;
  readonly compactionUsage: Usage;
  readonly compactionCostUsd: number | undefined;
  /** What the provider says that it had to read anew, and why. */
  readonly misses: readonly Miss[];
};

/** Adds up what this process used and paid since it opened the session; nothing of it is stored, since the audit log has every request. */
export function createUsageMeter() {
  let total = noSessionUsage;
  let turn = noCost;
  return {
    get total() {
      return total;
    },
    /** What was used since the turn began, summaries included. */
    get turn() {
      return turn;
    },
    startTurn: (): void => {
      turn = noCost;
    },
    /** Adds one request, or the requests of one compaction; nothing when the provider did not say what it used. */
    record: (purpose: 'turn' | 'compaction', usage: Usage | undefined, costUsd: number | undefined): void => {
      if (usage === undefined) return;
      total = addRequest(total, purpose, { usage, costUsd });
      turn = addCosts(turn, { usage, costUsd });
    },
    recordMiss: (miss: Miss | undefined): void => {
      if (miss !== undefined) total = { ...total, misses: addMiss(total.misses, miss) };
    },
  };
}

export function addRequest(total: SessionUsage, purpose: 'turn' | 'compaction', cost: Cost): SessionUsage {
  const { usage, costUsd } = purpose === 'turn' ? noCost : cost;
  return addSessionUsage(total, { requests: 1, ...cost, compactionUsage: usage, compactionCostUsd: costUsd, misses: [] });
}

export const noCost: Cost = { usage: noUsage, costUsd: 0 };
export const noSessionUsage: SessionUsage = { requests: 0, ...noCost, compactionUsage: noUsage, compactionCostUsd: 0, misses: [] };

export const addSessionUsage = (a: SessionUsage, b: SessionUsage): SessionUsage => {
  const summaries = addCosts(
    { usage: a.compactionUsage, costUsd: a.compactionCostUsd },
    { usage: b.compactionUsage, costUsd: b.compactionCostUsd },
  );
  return {
    ...{ requests: a.requests + b.requests, ...addCosts(a, b) },
    ...{ compactionUsage: summaries.usage, compactionCostUsd: summaries.costUsd },
    misses: b.misses.reduce(addMiss, a.misses),
  };
};

/** A cost that is not known makes the sum unknown. */
export const addCosts = (a: Cost, b: Cost): Cost => ({
  usage: addUsage(a.usage, b.usage),
  costUsd: a.costUsd === undefined || b.costUsd === undefined ? undefined : a.costUsd + b.costUsd,
});
