import { archivePage, archiveTitle } from '../../context/history/archive-page.ts';
import { AbortedError } from '../../domain/errors.ts';
import type { CompactedEvent, CompactionTrigger } from '../../domain/event.ts';
import { textOf } from '../../domain/session/message.ts';
import type { MemoryCounts } from '../../domain/session/snapshot.ts';
import type { AgentDeps } from '../deps.ts';
import { tellAfterCompaction } from '../hooks.ts';
import { flushMemories } from '../memory/remember.ts';
import { reasonOf, type Session } from '../session/session.ts';
import { retireBodies, takeSnapshot } from '../session/snapshot.ts';
import { dropAhead } from './ahead.ts';
import { receiptOf } from './compaction-receipt.ts';
import type { CompactionOutcome, PreparedCompaction, Spent } from './types.ts';

const CHANGED = 'the conversation has changed since the summary was made';

/**
 * Makes a prepared compaction the new context, at once and without a pause in which anything else could happen. The order of
 * its writes is the protocol: snapshot, archive, memories, then one checkpoint that commits it; only then bodies are retired and the
 * rest is written. Void when the context is no longer the one it was made for. Throws AbortedError when cancelled before the
 * checkpoint, and store_failed when the disk will not take the snapshot or the checkpoint.
 */
export async function commitCompaction(prepared: PreparedCompaction, session: Session, deps: AgentDeps): Promise<CompactionOutcome> {
  if (session.context !== prepared.old) {
    discardCompaction(prepared, deps, CHANGED);
    return { kind: 'failed', why: CHANGED };
  }
  const event = commitOrTell(prepared, session, deps);
  await check(event.snapshotId, prepared, session, deps);
  await tellAfterCompaction(event, session, deps, prepared.wish.signal);
  return { kind: 'compacted', event };
}

function commitOrTell(prepared: PreparedCompaction, session: Session, deps: AgentDeps): CompactedEvent {
  try {
    return commit(prepared, session, deps);
  } catch (error) {
    tellUnfinished(error, { trigger: prepared.wish.trigger, spent: prepared.spent }, deps);
    throw error;
  }
}

async function check(snapshotId: string, { old, context }: PreparedCompaction, session: Session, deps: AgentDeps): Promise<void> {
  try {
    const compacted = { before: old.messages, after: context, cwd: session.cwd, bodyOf: session.bodies.read };
    const found = await deps.checkCompaction?.(compacted);
    if (found !== undefined) deps.emit({ type: 'compaction_checked', snapshotId, ...found });
  } catch (error) {
    deps.emit({ type: 'warning', message: `The compaction was not checked: ${reasonOf(error)}` });
  }
}

/** Tells that it will not be; there is nothing to take back. */
export function discardCompaction({ wish, spent }: PreparedCompaction, deps: Pick<AgentDeps, 'emit'>, why?: string): void {
  deps.emit({ type: 'compaction_discarded', trigger: wish.trigger, ...(why === undefined ? {} : { why }), ...spent });
}

/** Tells that a compaction ended before its commit, and what it cost all the same. */
export function tellUnfinished(
  error: unknown,
  { trigger, spent }: { readonly trigger: CompactionTrigger; readonly spent: Spent },
  deps: Pick<AgentDeps, 'emit'>,
): void {
  if (error instanceof AbortedError) deps.emit({ type: 'compaction_cancelled', trigger, ...spent });
  else deps.emit({ type: 'compaction_failed', trigger, why: reasonOf(error), ...spent });
}

function commit(prepared: PreparedCompaction, session: Session, deps: AgentDeps): CompactedEvent {
  const { wish, parting, method, old, context, tokensBefore, tokensAfter, spent } = prepared;
  const started = deps.now().getTime();
  if (wish.signal.aborted) throw new AbortedError();
  deps.emit({ type: 'compaction_step', step: 'snapshot', part: 1, parts: 1 });
  const snapshot = takeSnapshot('compaction', session, deps);
  const archived = archive(session, deps);
  deps.emit({ type: 'compaction_step', step: 'memory', part: 1, parts: 1 });
  const memories = flushMemories(parting.material, session, deps);
  deps.emit({ type: 'compaction_step', step: 'commit', part: 1, parts: 1 });
  if (wish.signal.aborted) throw new AbortedError();
  session.append({ type: 'checkpoint', reason: 'compaction', snapshotId: snapshot.id, context });
  dropAhead('another compaction was made', session, deps);
  const event: CompactedEvent = {
    type: 'compacted',
    trigger: wish.trigger,
    method,
    snapshotId: snapshot.id,
    tokensBefore,
    tokensAfter,
    messagesBefore: old.messages.length,
    messagesKept: parting.kept.length,
    bodiesRetired: retireBodies(session, deps),
    memoriesAdded: memories.decisions + memories.facts + memories.preferences + memories.runtime,
    ...spent,
    ms: prepared.ms + Math.max(0, deps.now().getTime() - started),
  };
  afterCommit(prepared, { event, archived, memories }, session, deps);
  return event;
}

/** Complete and readable, for people; a failure is told and does not stop the compaction, since the snapshot holds it all. */
function archive(session: Session, deps: AgentDeps): string | undefined {
  deps.emit({ type: 'compaction_step', step: 'archive', part: 1, parts: 1 });
  const { messages } = session.context;
  const title = archiveTitle(messages);
  try {
    const markdown = archivePage({ title, at: deps.now().toISOString(), sessionId: session.id, messages, bodyOf: session.bodies.read });
    return deps.archive.write({ title, markdown });
  } catch (error) {
    deps.emit({ type: 'warning', message: `The readable archive was not written: ${reasonOf(error)}` });
    return undefined;
  }
}

type Committed = { readonly event: CompactedEvent; readonly archived: string | undefined; readonly memories: MemoryCounts };

const methods: Readonly<Record<CompactedEvent['method'], string>> = {
  model: 'summarised by the model',
  edited: 'summarised, then edited by you',
  rules: 'summarised by rules',
  hook: 'summarised by a hook',
  server: 'summarised by the API',
  rules_degraded: 'summarised by rules, degraded: no model answered',
};

/** Everything here is told or derived; the compaction stands whatever becomes of it. */
function afterCommit(prepared: PreparedCompaction, { event, archived, memories }: Committed, session: Session, deps: AgentDeps): void {
  const { context, parting } = prepared;
  const { snapshotId, tokensAfter } = event;
  const at = deps.now().toISOString();
  const topic = archiveTitle(parting.material);
  const line = `${methods[event.method]}, ${event.messagesKept} of ${event.messagesBefore} messages kept${topic === '' ? '' : `; topic: ${topic}`}`;
  const receipt = receiptOf(prepared, { event, archived, memories }, session, deps);
  deps.snapshots.noteOutcome(snapshotId, { at, messages: context.messages.length, tokensAfter, line, receipt });
  try {
    const text = textOf(context.messages[0]?.content ?? []);
    deps.memories.writeSessionSummary(session.id, `# Session ${session.id}\n\nUpdated ${at}, snapshot ${snapshotId}.\n\n${text}\n`);
  } catch (error) {
    deps.emit({ type: 'warning', message: `The session's summary file was not written: ${reasonOf(error)}` });
  }
  deps.emit(event);
}
