import { withoutThinking } from '../context/apply-record.ts';
import { archivePage, archiveTitle } from '../context/archive-page.ts';
import { compressedHistory, summaryOf } from '../context/compressed-history.ts';
import { chooseCut, newestRequest } from '../context/cut.ts';
import { extractMemories } from '../context/extract-memories.ts';
import { boundLedger, gatherLedger, mergeLedger } from '../context/ledger.ts';
import type { Limits } from '../context/limits.ts';
import { shortTermSummary } from '../context/short-summary.ts';
import type { SessionContext } from '../domain/context.ts';
import { AbortedError } from '../domain/errors.ts';
import type { CompactedEvent, CompactionTrigger, PressureReason } from '../domain/event.ts';
import { emptyLedger, type Ledger } from '../domain/ledger.ts';
import { type BodyRef, type Message, type Summary, textOf, usageTotal } from '../domain/message.ts';
import type { AgentDeps } from './deps.ts';
import type { Session } from './session.ts';
import { reasonOf } from './session.ts';
import { bodiesIn, takeSnapshot } from './snapshot.ts';
import { type Summarised, summarise } from './summarise.ts';

export type Compaction = {
  readonly trigger: CompactionTrigger;
  readonly reasons: readonly PressureReason[];
  /** What the user wants kept, in the user's words. */
  readonly instructions: string | undefined;
  readonly limits: Limits;
  readonly signal: AbortSignal;
};

export type CompactionOutcome =
  | { readonly kind: 'compacted'; readonly event: CompactedEvent }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'failed'; readonly why: string };

/**
 * Replaces older messages by a summary. The order of its writes is the protocol: snapshot, archive, memories, then one
 * checkpoint that commits it; only then bodies are retired and the rest is written. Until the checkpoint nothing of the context
 * has changed, so a crash, a failure or a cancel before it leaves the old one. Rejects with AbortedError when cancelled, and with
 * store_failed when the disk will not take the snapshot or the checkpoint.
 */
export async function compact(wish: Compaction, session: Session, deps: AgentDeps): Promise<CompactionOutcome> {
  const started = deps.now().getTime();
  session.append();
  session.settleRatio();
  const parting = chooseParting(wish, session, deps);
  const before = session.count().tokens;
  if (parting === undefined) {
    if (wish.trigger === 'manual') deps.emit({ type: 'nothing_to_compact', messages: session.context.messages.length, tokens: before });
    return { kind: 'nothing' };
  }
  deps.emit({
    type: 'compaction_started',
    trigger: wish.trigger,
    reasons: wish.reasons,
    tokens: before,
    messages: session.context.messages.length,
  });
  try {
    const outcome = await perform(wish, parting, session, deps, started);
    if (outcome.kind === 'failed') deps.emit({ type: 'compaction_failed', trigger: wish.trigger, why: outcome.why });
    return outcome;
  } catch (error) {
    if (error instanceof AbortedError) deps.emit({ type: 'compaction_cancelled', trigger: wish.trigger });
    else deps.emit({ type: 'compaction_failed', trigger: wish.trigger, why: reasonOf(error) });
    throw error;
  }
}

type Parting = {
  readonly earlier: Summary | undefined;
  /** What the summary stands for from now on. */
  readonly material: readonly Message[];
  /** What is kept as it is: the newest request, wherever it stands, and the tail. */
  readonly kept: readonly Message[];
};

/** Decides what leaves; undefined when nothing would. */
function chooseParting({ trigger, limits }: Compaction, session: Session, deps: AgentDeps): Parting | undefined {
  const { messages } = session.context;
  const sizes = messages.map((message) => deps.measure.message(message, session.ratio));
  const size = sizes.reduce((sum, tokens) => sum + tokens, 0);
  if (trigger === 'manual' && messages.length <= limits.keepMessages && size <= limits.keepTokens) return undefined;
  const choice = chooseCut(messages, { sizes, keepTokens: limits.keepTokens, keepMessages: limits.keepMessages });
  if (choice.kind === 'cannot') return undefined;
  const earlier = summaryOf(messages);
  const material = messages.slice(earlier === undefined ? 0 : 1, choice.index);
  const request = newestRequest(messages);
  const tail = messages.slice(choice.index);
  const carried = messages[request];
  const kept = carried !== undefined && request < choice.index ? [carried, ...tail] : tail;
  return material.some((message) => !kept.includes(message)) ? { earlier, material, kept } : undefined;
}

async function perform(wish: Compaction, parting: Parting, session: Session, deps: AgentDeps, started: number): Promise<CompactionOutcome> {
  const { signal, trigger } = wish;
  const before = session.count().tokens;
  const messagesBefore = session.context.messages.length;
  deps.emit({ type: 'compaction_step', step: 'snapshot', part: 1, parts: 1 });
  const snapshot = takeSnapshot('compaction', session, deps);
  archive(session, deps);
  const memoriesAdded = flushMemories(parting.material, session, deps);
  const ledger = ledgerOf(parting, session);
  const made = await summarise(
    {
      material: parting.material,
      earlier: parting.earlier,
      ledger,
      instructions: wish.instructions,
      targetTokens: wish.limits.summaryTokens,
      asked: trigger === 'manual',
      bodyOf: session.bodies.read,
      signal,
    },
    session,
    deps,
  );
  if (usageTotal(made.spent.usage) > 0) session.book('compaction', made.spent.usage, made.spent.costUsd);
  if (signal.aborted) throw new AbortedError();
  if (made.kind === 'failed') return { kind: 'failed', why: made.why };

  const context = newContext(parting, { made, ledger, limits: wish.limits }, session, deps);
  const after = deps.measure.context(context, session.ratio).tokens;
  // Both by the same measure: what a provider reported for the old past says nothing about the new one.
  if (after >= before || deps.measure.raw(context) >= deps.measure.raw(session.context))
    return { kind: 'failed', why: `the summary would not make the context smaller (${before} -> ${after} tokens)` };

  deps.emit({ type: 'compaction_step', step: 'commit', part: 1, parts: 1 });
  session.append({ type: 'checkpoint', reason: 'compaction', snapshotId: snapshot.id, context });
  const event: CompactedEvent = {
    type: 'compacted',
    trigger,
    method: made.method,
    snapshotId: snapshot.id,
    tokensBefore: before,
    tokensAfter: after,
    messagesBefore,
    messagesKept: parting.kept.length,
    bodiesRetired: retireBodies(session, deps),
    memoriesAdded,
    ...made.spent,
    ms: Math.max(0, deps.now().getTime() - started),
  };
  afterCommit({ event, context, topic: archiveTitle(parting.material) }, session, deps);
  return { kind: 'compacted', event };
}

/** Complete and readable, for people; a failure is told and does not stop the compaction, since the snapshot holds it all. */
function archive(session: Session, deps: AgentDeps): void {
  deps.emit({ type: 'compaction_step', step: 'archive', part: 1, parts: 1 });
  const { messages } = session.context;
  const title = archiveTitle(messages);
  try {
    const markdown = archivePage({ title, at: deps.now().toISOString(), sessionId: session.id, messages, bodyOf: session.bodies.read });
    deps.archive.write({ title, markdown });
  } catch (error) {
    deps.emit({ type: 'warning', message: `The readable archive was not written: ${reasonOf(error)}` });
  }
}

/** Before anything leaves the context, on every path; what cannot be written is told and still is in the snapshot. */
function flushMemories(material: readonly Message[], session: Session, deps: AgentDeps): number {
  if (!deps.config.compaction.memoryFlush) return 0;
  deps.emit({ type: 'compaction_step', step: 'memory', part: 1, parts: 1 });
  try {
    const added = deps.memories.add(extractMemories(material, { sessionId: session.id }));
    deps.emit({ type: 'memory_extracted', ...added });
    return added.decisions + added.facts + added.preferences + added.runtime;
  } catch (error) {
    deps.emit({ type: 'warning', message: `No memories were written: ${reasonOf(error)}` });
    return 0;
  }
}

function ledgerOf({ earlier, material }: Parting, session: Session): Ledger {
  const { read: bodyOf, path: bodyPath } = session.bodies;
  return boundLedger(mergeLedger(earlier?.ledger ?? emptyLedger, gatherLedger(material, { bodyOf, bodyPath })));
}

type NewContext = { readonly made: Extract<Summarised, { kind: 'summarised' }>; readonly ledger: Ledger; readonly limits: Limits };

/** The summary, then what is kept, without thinking blocks: they are bound to a past that is no longer there. */
function newContext(parting: Parting, { made, ledger, limits }: NewContext, session: Session, deps: AgentDeps): SessionContext {
  const { context } = session;
  const count = (text: string) => deps.measure.text(text, session.ratio);
  const summary = compressedHistory({
    id: deps.newId(),
    at: deps.now().toISOString(),
    text: made.text,
    ledger,
    messages: (parting.earlier?.messages ?? 0) + parting.material.length,
    ledgerTokens: limits.ledgerTokens,
    count,
    mode: deps.mode,
  });
  const messages = [summary, ...withoutThinking(parting.kept)];
  return {
    ...context,
    system: deps.config.compaction.keepSystemPrompt ? context.system : deps.renderSystem(),
    shortTermSummary: shortTermSummary(made.text, { tokens: limits.shortSummaryTokens, count }),
    messages,
    anchorFloor: messages.length,
  };
}

/** Moves the bodies that nothing in the context stands for any more; recall, rollback and the agent still find them. */
export function retireBodies(session: Session, deps: Pick<AgentDeps, 'emit'>): number {
  const keep = new Set(bodiesIn(session.context.messages).map((ref: BodyRef) => ref.sha256));
  const { retired, failed } = session.bodies.retire(keep);
  for (const path of failed) deps.emit({ type: 'warning', message: `The offloaded file could not be deleted: ${path}` });
  return retired;
}

type Committed = {
  readonly event: CompactedEvent;
  readonly context: SessionContext;
  /** What the oldest request of the compressed part was about. */
  readonly topic: string;
};

const methods: Readonly<Record<CompactedEvent['method'], string>> = {
  model: 'summarised by the model',
  rules: 'summarised by rules',
  rules_degraded: 'summarised by rules, degraded: no model answered',
};

/** Everything here is told or derived; the compaction stands whatever becomes of it. */
function afterCommit({ event, context, topic }: Committed, session: Session, deps: AgentDeps): void {
  const { snapshotId, tokensAfter } = event;
  const at = deps.now().toISOString();
  const line = `${methods[event.method]}, ${event.messagesKept} of ${event.messagesBefore} messages kept${topic === '' ? '' : `: ${topic}`}`;
  deps.snapshots.noteOutcome(snapshotId, { at, messages: context.messages.length, tokensAfter, line });
  try {
    const text = textOf(context.messages[0]?.content ?? []);
    deps.memories.writeSessionSummary(session.id, `# Session ${session.id}\n\nUpdated ${at}, snapshot ${snapshotId}.\n\n${text}\n`);
  } catch (error) {
    deps.emit({ type: 'warning', message: `The session's summary file was not written: ${reasonOf(error)}` });
  }
  deps.emit(event);
}
