/**
 * The figures of `sanbot metrics`: what all sessions used, how often the context was made smaller, and what that cost and saved.
 *
 * Records of the audit log come in, in their order, one at a time; sums come out, as a table for a person or as text for Prometheus.
 * `targets.ts` holds what the product promises and compares it with what this log shows.
 *
 * Nothing is asked of a session's own log, and nothing is estimated: where there was nothing to measure, the figure is missing and not
 * zero. Records that a newer SanBot wrote are passed over.
 */

import { readEvent, type UnknownEvent } from '../../domain/event/read-event.ts';
import type { AuditRecord, ReadEvent, ReadEventOf } from '../../domain/event.ts';
import { noUsage, type Usage } from '../../domain/session/message.ts';
import { addMiss, type Miss } from '../../domain/session/model-answer.ts';

export type PhaseMetrics = Readonly<typeof noWork>;

const noWork = {
  turns: 0,
  endedWell: 0,
  calls: 0,
  repeatedCalls: 0,
};

/** Sums over the audit log. Tokens are those of SanBot's counter, bytes UTF-8, money dollars. */
export type Metrics = Readonly<typeof noSums> & {
  /** What the provider says that it had to read anew, and why. */
  readonly misses: readonly Miss[];
  readonly from: string | undefined;
  readonly until: string | undefined;
  readonly sessions: number;
  readonly meanUtilization: number;
  readonly mostUtilization: number;
  readonly beforeCompaction: PhaseMetrics;
  readonly afterCompaction: PhaseMetrics;
};

const noSums = {
  requests: 0,
  /** Of which the provider compared the start with the one before, and how many it found changed though nobody meant it. */
  compared: 0,
  unplannedChanges: 0,
  overflows: 0,
  sessionsWithOverflow: 0,
  /** With a turn that ended because its next request could not be made to fit. */
  sessionsBrokenOff: 0,
  compactions: 0,
  degradedCompactions: 0,
  failedCompactions: 0,
  tokensBeforeCompact: 0,
  tokensAfterCompact: 0,
  factsInContext: 0,
  factsOneLookUp: 0,
  factsLost: 0,
  rollbacks: 0,
  failedRollbacks: 0,
  toolResults: 0,
  toolBytes: 0,
  offloadedResults: 0,
  offloadedBytes: 0,
  memories: 0,
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  costUsd: 0,
};

/** Folds records in the order of the log; what an unknown version of SanBot wrote is passed over. Memory grows with the calls made. */
export function createCollector(): { readonly add: (record: AuditRecord) => void; readonly result: () => Metrics } {
  const totals: Totals = {
    sums: { ...noSums },
    before: { ...noWork },
    after: { ...noWork },
    utilization: 0,
    mostUtilization: 0,
    misses: [],
  };
  const sessions = new Map<string, SessionState>();
  let from: string | undefined;
  let until: string | undefined;
  return {
    add: (record) => {
      from = from === undefined || record.at < from ? record.at : from;
      until = until === undefined || record.at > until ? record.at : until;
      const session = sessions.get(record.sessionId) ?? { compacted: false, overflowed: false, brokenOff: false, calls: new Set<string>() };
      sessions.set(record.sessionId, session);
      addEvent(readEvent(record), session, totals);
    },
    result: () => {
      const { sums, before, after, utilization, mostUtilization, misses } = totals;
      const meanUtilization = sums.requests === 0 ? 0 : utilization / sums.requests;
      const phases = { beforeCompaction: before, afterCompaction: after };
      return { from, until, sessions: sessions.size, ...sums, misses, meanUtilization, mostUtilization, ...phases };
    },
  };
}

type SessionState = { compacted: boolean; overflowed: boolean; brokenOff: boolean; readonly calls: Set<string> };

type Totals = {
  readonly sums: typeof noSums;
  readonly before: typeof noWork;
  readonly after: typeof noWork;
  utilization: number;
  mostUtilization: number;
  misses: readonly Miss[];
};

function addEvent(event: ReadEvent | UnknownEvent, session: SessionState, totals: Totals): void {
  const { sums } = totals;
  const phase = session.compacted ? totals.after : totals.before;
  // A summary costs what it costs, whatever becomes of it; the end of a turn repeats what its replies cost.
  if (('usage' in event || 'costUsd' in event) && event.type !== 'turn_ended') addCost(event, sums);
  if ('prefix' in event && event.prefix !== undefined) addPrefix(event.prefix, totals);
  switch (event.type) {
    case 'request':
      addRequest(event, totals);
      return;
    case 'overflow':
      sums.overflows += 1;
      if (!session.overflowed) sums.sessionsWithOverflow += 1;
      session.overflowed = true;
      return;
    case 'tool_started':
      addCall(event, session, phase);
      return;
    case 'tool_ended':
      sums.toolResults += 1;
      sums.toolBytes += event.bytes;
      return;
    case 'offloaded':
      sums.offloadedResults += event.results.length;
      for (const { bytes } of event.results) sums.offloadedBytes += bytes;
      return;
    case 'compacted':
      sums.compactions += 1;
      if (event.method === 'rules_degraded') sums.degradedCompactions += 1;
      sums.tokensBeforeCompact += event.tokensBefore;
      sums.tokensAfterCompact += event.tokensAfter;
      session.compacted = true;
      return;
    case 'compaction_failed':
      sums.failedCompactions += 1;
      return;
    case 'compaction_checked':
      sums.factsInContext += event.inContext;
      sums.factsOneLookUp += event.oneLookUp;
      sums.factsLost += event.lost;
      return;
    case 'rolled_back':
      sums.rollbacks += 1;
      return;
    case 'rollback_failed':
      sums.failedRollbacks += 1;
      return;
    case 'memory_extracted':
      sums.memories += event.decisions + event.facts + event.preferences + event.runtime;
      return;
    case 'turn_ended':
      phase.turns += 1;
      if (event.code === 'context_cannot_fit' && !session.brokenOff) {
        sums.sessionsBrokenOff += 1;
        session.brokenOff = true;
      }
      if (event.stopReason === 'end_turn') phase.endedWell += 1;
  }
}

function addRequest({ purpose, tokens, windowTokens }: ReadEventOf<'request'>, totals: Totals): void {
  if (purpose !== 'turn') return;
  const utilization = windowTokens > 0 ? tokens / windowTokens : 0;
  totals.sums.requests += 1;
  totals.utilization += utilization;
  totals.mostUtilization = Math.max(totals.mostUtilization, utilization);
}

function addCall({ tool, title }: ReadEventOf<'tool_started'>, { calls }: SessionState, phase: Totals['before']): void {
  const call = `${tool} ${title}`;
  phase.calls += 1;
  if (calls.has(call)) phase.repeatedCalls += 1;
  calls.add(call);
}

function addPrefix(found: Miss, totals: Totals): void {
  totals.sums.compared += 1;
  if (found.changed !== 'nothing' && !found.planned) totals.sums.unplannedChanges += 1;
  totals.misses = addMiss(totals.misses, found);
}

type Cost = { readonly usage?: Usage | undefined; readonly costUsd?: number | undefined };

function addCost({ usage = noUsage, costUsd = 0 }: Cost, sums: Totals['sums']): void {
  sums.inputTokens += usage.inputTokens;
  sums.cacheReadTokens += usage.cacheReadTokens;
  sums.cacheWriteTokens += usage.cacheWriteTokens;
  sums.outputTokens += usage.outputTokens;
  sums.costUsd += costUsd;
}

export type TargetName = 'overflow_rate' | 'fidelity_in_context' | 'fidelity_one_look_up' | 'rollback_success';

export type TargetResult = {
  readonly name: TargetName;
  readonly means: string;
  readonly part: number;
  readonly whole: number;
  readonly value: number | undefined;
  readonly target: number;
  readonly want: 'at least' | 'below';
  readonly met: boolean | undefined;
};

export function compareWithTargets(metrics: Metrics): readonly TargetResult[] {
  const { factsInContext, factsOneLookUp, factsLost, rollbacks, failedRollbacks, sessions, sessionsBrokenOff } = metrics;
  const facts = factsInContext + factsOneLookUp + factsLost;
  const reachable = factsInContext + factsOneLookUp;
  return [
    targetResult('overflow_rate', 'sessions that broke off', { part: sessionsBrokenOff, whole: sessions, want: 'below', target: 0.05 }),
    targetResult('fidelity_in_context', 'facts still in context after a compaction', { part: factsInContext, whole: facts, target: 0.8 }),
    targetResult('fidelity_one_look_up', 'facts in context or one look-up away', { part: reachable, whole: facts, target: 0.95 }),
    targetResult('rollback_success', 'rollbacks that succeeded', { part: rollbacks, whole: rollbacks + failedRollbacks, target: 1 }),
  ];
}

export const ratio = (part: number, whole: number): number | undefined => (whole > 0 ? part / whole : undefined);

type Figure = Pick<TargetResult, 'part' | 'whole' | 'target'> & { readonly want?: TargetResult['want'] };

function targetResult(name: TargetName, means: string, { part, whole, target, want = 'at least' }: Figure): TargetResult {
  const value = ratio(part, whole);
  const met = value === undefined ? undefined : want === 'below' ? value < target : value >= target;
  return { name, means, part, whole, target, want, value, met };
}
