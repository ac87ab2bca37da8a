import type { CompactedEvent } from '../../domain/event.ts';
import type { Ledger } from '../../domain/session/ledger.ts';
import type { Message } from '../../domain/session/message.ts';
import { type MemoryCounts, RECEIPT_VERSION, type Receipt } from '../../domain/session/snapshot.ts';
import type { AgentDeps } from '../deps.ts';
import type { Session } from '../session/session.ts';
import { bodiesIn } from '../session/snapshot.ts';
import type { PreparedCompaction } from './types.ts';

export type Done = { readonly event: CompactedEvent; readonly archived: string | undefined; readonly memories: MemoryCounts };

/** More than a person reads; the snapshot has them all. */
const MAX_BODIES = 100;

/** What a compaction did, for its snapshot's meta. */
export function receiptOf(prepared: PreparedCompaction, done: Done, session: Session, deps: Pick<AgentDeps, 'measure'>): Receipt {
  const { parting, ledger, context, old } = prepared;
  const { event, archived, memories } = done;
  const tokensOf = (messages: readonly Message[]): number =>
    messages.reduce((sum, message) => sum + deps.measure.message(message, session.ratio), 0);
  const summarised = leavingOf(prepared);
  const summary = context.messages[0];
  const stillThere = new Set(bodiesIn(context.messages).map(({ sha256 }) => sha256));
  const bodies = stubsOnce(old.messages).map(({ tool, body }) => ({
    path: session.bodies.path(body),
    tool,
    bytes: body.bytes,
    retired: !stillThere.has(body.sha256),
  }));
  return {
    v: RECEIPT_VERSION,
    trigger: event.trigger,
    method: event.method,
    kept: { messages: parting.kept.length, tokens: tokensOf(parting.kept) },
    summarised: { messages: summarised.length, tokens: tokensOf(summarised) },
    summary: { tokens: tokensOf(summary === undefined ? [] : [summary]), standsFor: summary?.summary?.messages ?? 0 },
    bodies: bodies.slice(0, MAX_BODIES),
    moreBodies: Math.max(0, bodies.length - MAX_BODIES),
    filesRetired: event.bodiesRetired,
    archive: archived ?? null,
    ledger: ledgerCounts(ledger),
    memories,
    usage: event.usage,
    costUsd: event.costUsd ?? null,
  };
}

/** The messages that a compaction takes out of the context, an earlier summary apart: it lives on in the new one. */
export function leavingOf({ parting }: Pick<PreparedCompaction, 'parting'>): readonly Message[] {
  const kept = new Set(parting.kept.map(({ id }) => id));
  return parting.material.filter(({ id }) => !kept.has(id));
}

/** How many facts the ledger has of each kind, those it has none of left out. */
export const ledgerCounts = (ledger: Ledger): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(ledger).flatMap(([kind, facts]) => (facts === undefined || facts.length === 0 ? [] : [[kind, facts.length]])),
  );

function stubsOnce(messages: readonly Message[]): NonNullable<Message['stubs']> {
  const found = new Map(messages.flatMap((message) => message.stubs ?? []).map((stub) => [stub.body.sha256, stub]));
  return [...found.values()];
}
