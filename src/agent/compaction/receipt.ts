import type { CompactedEvent } from '../../domain/event.ts';
import type { Ledger } from '../../domain/session/ledger.ts';
import type { Message } from '../../domain/session/message.ts';
import { type MemoryCounts, RECEIPT_VERSION, type Receipt } from '../../domain/session/snapshot.ts';
import type { AgentDeps } from '../deps.ts';
import type { Session } from '../session/session.ts';
import { liveHashes, uniqueStubs } from '../session/snapshot.ts';
import type { CompactionPlan, PreparedCompaction } from './types.ts';

export type CommittedCompaction = {
  readonly event: CompactedEvent;
  readonly archivePath: string | undefined;
  readonly memories: MemoryCounts;
};

/** More than a person reads; the snapshot has them all. */
const MAX_BODIES = 100;

/** What a compaction did, for its snapshot's meta. */
export function receiptOf(
  prepared: PreparedCompaction,
  result: CommittedCompaction,
  session: Session,
  { measure }: Pick<AgentDeps, 'measure'>,
): Receipt {
  const { plan, context } = prepared;
  const { event, archivePath, memories } = result;
  const tokensOf = (messages: readonly Message[]): number =>
    messages.reduce((sum, message) => sum + measure.message(message, session.estimate.ratio), 0);
  const removed = removedMessages(plan);
  const summary = context.messages[0];
  const live = liveHashes(context.messages);
  const bodies = uniqueStubs(plan.old.messages).map(({ tool, body }) => ({
    path: session.bodies.path(body),
    tool,
    bytes: body.bytes,
    retired: !live.has(body.sha256),
  }));
  return {
    v: RECEIPT_VERSION,
    trigger: event.trigger,
    method: event.method,
    kept: { messages: plan.kept.length, tokens: tokensOf(plan.kept) },
    summarised: { messages: removed.length, tokens: tokensOf(removed) },
    summary: { tokens: tokensOf(summary === undefined ? [] : [summary]), standsFor: summary?.summary?.messages ?? 0 },
    bodies: bodies.slice(0, MAX_BODIES),
    moreBodies: Math.max(0, bodies.length - MAX_BODIES),
    filesRetired: event.bodiesRetired,
    archive: archivePath ?? null,
    ledger: ledgerCounts(plan.ledger),
    memories,
    usage: event.usage,
    costUsd: event.costUsd ?? null,
  };
}

/** The messages that a compaction takes out of the context, an earlier summary apart: it lives on in the new one. */
export function removedMessages({ kept, toSummarise }: Pick<CompactionPlan, 'kept' | 'toSummarise'>): readonly Message[] {
  const keptIds = new Set(kept.map(({ id }) => id));
  return toSummarise.filter(({ id }) => !keptIds.has(id));
}

/** How many facts the ledger has of each kind, those it has none of left out. */
export const ledgerCounts = (ledger: Ledger): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(ledger).flatMap(([kind, facts]) => {
      const count = facts === undefined ? 0 : Array.isArray(facts) ? facts.length : 1;
      return count === 0 ? [] : [[kind, count]];
    }),
  );
