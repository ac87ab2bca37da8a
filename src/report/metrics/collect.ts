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
import type { Usage } from '../../domain/session/message.ts';

/** Turns ended, and calls made, before or after the first compaction of their session. */
export type PhaseMetrics = {
  readonly turns: number;
  /** Turns that the model ended by itself. */
  readonly endedWell: number;
  readonly calls: number;
  /** Calls that the same session had made before, word for word. */
  readonly repeatedCalls: number;
};

/** Sums over the audit log. Tokens are those of SanBot's counter, bytes UTF-8, money dollars. */
export type Metrics = {
  readonly from: string | undefined;
  readonly until: string | undefined;
  readonly sessions: number;
  readonly requests: number;
  readonly overflows: number;
  readonly sessionsWithOverflow: number;
  readonly compactions: number;
  readonly degradedCompactions: number;
  readonly failedCompactions: number;
  readonly tokensBeforeCompact: number;
  readonly tokensAfterCompact: number;
  /** Facts that compactions took out of the context, and what became of them. */
  readonly factsInContext: number;
  readonly factsOneLookUp: number;
  readonly factsLost: number;
  readonly rollbacks: number;
  readonly failedRollbacks: number;
  readonly toolResults: number;
  readonly toolBytes: number;
  readonly offloadedResults: number;
  readonly offloadedBytes: number;
  readonly memories: number;
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  /** Of the replies and summaries whose price is known. */
  readonly costUsd: number;
  /** Mean and largest share of the model's window that a request took, 0 to 1. */
  readonly meanUtilization: number;
  readonly mostUtilization: number;
  readonly beforeCompaction: PhaseMetrics;
  readonly afterCompaction: PhaseMetrics;
};

export type Collector = { readonly add: (record: AuditRecord) => void; readonly result: () => Metrics };

/** Folds records in the order of the log; what an unknown version of SanBot wrote is passed over. Memory grows with the calls made. */
export function createCollector(): Collector {
  const sums = new Map<string, number>();
  const sessions = new Map<string, SessionState>();
  let from: string | undefined;
  let until: string | undefined;
  const add = (name: string, n: number): void => void sums.set(name, (sums.get(name) ?? 0) + n);
  return {
    add: (record) => {
      from = from === undefined || record.at < from ? record.at : from;
      until = until === undefined || record.at > until ? record.at : until;
      const session = sessions.get(record.sessionId) ?? { compacted: false, overflowed: false, calls: new Set<string>() };
      sessions.set(record.sessionId, session);
      const event = readEvent(record);
      addEvent(event, session, add);
      if (event.type === 'request') sums.set('most', Math.max(sums.get('most') ?? 0, utilization(event)));
    },
    result: () => resultOf(sums, { from, until, sessions }),
  };
}

type SessionState = { compacted: boolean; overflowed: boolean; readonly calls: Set<string> };
type Add = (name: string, n: number) => void;

function addEvent(event: ReadEvent | UnknownEvent, session: SessionState, add: Add): void {
  const phase = session.compacted ? 'after' : 'before';
  switch (event.type) {
    case 'request':
      if (event.purpose !== 'turn') return;
      add('requests', 1);
      add('utilization', utilization(event));
      return;
    case 'overflow':
      add('overflows', 1);
      if (!session.overflowed) add('sessionsWithOverflow', 1);
      session.overflowed = true;
      return;
    case 'tool_started':
      addCall(event, session, { phase, add });
      return;
    case 'tool_ended':
      add('toolResults', 1);
      add('toolBytes', event.bytes);
      return;
    case 'offloaded':
      add('offloadedResults', event.results.length);
      for (const { bytes } of event.results) add('offloadedBytes', bytes);
      return;
    case 'compacted':
      addCompacted(event, add);
      session.compacted = true;
      return;
    case 'compaction_failed':
      add('failedCompactions', 1);
      addCost(event, add);
      return;
    // A summary costs what it costs, whatever becomes of it.
    case 'reply':
    case 'compaction_cancelled':
    case 'compaction_discarded':
    case 'summary_prepared':
    case 'summary_dropped':
      addCost(event, add);
      return;
    case 'compaction_checked':
      for (const name of ['inContext', 'oneLookUp', 'lost'] as const) add(name, event[name]);
      return;
    case 'rolled_back':
      add('rollbacks', 1);
      return;
    case 'rollback_failed':
      add('failedRollbacks', 1);
      return;
    case 'memory_extracted':
      for (const name of ['decisions', 'facts', 'preferences', 'runtime'] as const) add('memories', event[name]);
      return;
    case 'turn_ended':
      add(`${phase}.turns`, 1);
      if (event.stopReason === 'end_turn') add(`${phase}.endedWell`, 1);
  }
}

type Phase = { readonly phase: string; readonly add: Add };

function addCall({ tool, title }: ReadEventOf<'tool_started'>, { calls }: SessionState, { phase, add }: Phase): void {
  const call = `${tool} ${title}`;
  add(`${phase}.calls`, 1);
  if (calls.has(call)) add(`${phase}.repeatedCalls`, 1);
  calls.add(call);
}

function addCompacted(event: ReadEventOf<'compacted'>, add: Add): void {
  add('compactions', 1);
  if (event.method === 'rules_degraded') add('degradedCompactions', 1);
  add('tokensBefore', event.tokensBefore);
  add('tokensAfter', event.tokensAfter);
  addCost(event, add);
}

function addCost({ usage, costUsd = 0 }: { readonly usage?: Usage | undefined; readonly costUsd?: number | undefined }, add: Add): void {
  for (const [name, tokens] of Object.entries(usage ?? {})) add(name, tokens);
  add('costUsd', costUsd);
}

/** The share of the window that a request of a turn took. */
const utilization = ({ purpose, tokens, windowTokens }: ReadEventOf<'request'>): number =>
  purpose === 'turn' && windowTokens > 0 ? tokens / windowTokens : 0;

type CollectedState = {
  readonly from: string | undefined;
  readonly until: string | undefined;
  readonly sessions: ReadonlyMap<string, SessionState>;
};

function resultOf(sums: ReadonlyMap<string, number>, { from, until, sessions }: CollectedState): Metrics {
  const sumOf = (name: string): number => sums.get(name) ?? 0;
  const work = (phase: string): PhaseMetrics => ({
    turns: sumOf(`${phase}.turns`),
    endedWell: sumOf(`${phase}.endedWell`),
    calls: sumOf(`${phase}.calls`),
    repeatedCalls: sumOf(`${phase}.repeatedCalls`),
  });
  return {
    from,
    until,
    sessions: sessions.size,
    requests: sumOf('requests'),
    overflows: sumOf('overflows'),
    sessionsWithOverflow: sumOf('sessionsWithOverflow'),
    compactions: sumOf('compactions'),
    degradedCompactions: sumOf('degradedCompactions'),
    failedCompactions: sumOf('failedCompactions'),
    tokensBeforeCompact: sumOf('tokensBefore'),
    tokensAfterCompact: sumOf('tokensAfter'),
    factsInContext: sumOf('inContext'),
    factsOneLookUp: sumOf('oneLookUp'),
    factsLost: sumOf('lost'),
    rollbacks: sumOf('rollbacks'),
    failedRollbacks: sumOf('failedRollbacks'),
    toolResults: sumOf('toolResults'),
    toolBytes: sumOf('toolBytes'),
    offloadedResults: sumOf('offloadedResults'),
    offloadedBytes: sumOf('offloadedBytes'),
    memories: sumOf('memories'),
    inputTokens: sumOf('inputTokens'),
    cacheReadTokens: sumOf('cacheReadTokens'),
    cacheWriteTokens: sumOf('cacheWriteTokens'),
    outputTokens: sumOf('outputTokens'),
    costUsd: sumOf('costUsd'),
    meanUtilization: sumOf('requests') === 0 ? 0 : sumOf('utilization') / sumOf('requests'),
    mostUtilization: sumOf('most'),
    beforeCompaction: work('before'),
    afterCompaction: work('after'),
  };
}
