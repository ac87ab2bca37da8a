import { type PastState, stateOfSnapshot } from '../../context/history/past.ts';
import { appendPins } from '../../context/history/pins.ts';
import { errorReason, SanbotError } from '../../domain/errors.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import type { Message } from '../../domain/session/message.ts';
import type { SnapshotMeta } from '../../domain/session/snapshot.ts';
import { dropPreparedSummary } from '../compaction/prepared-summary.ts';
import { type AgentDeps, orWarn } from '../deps.ts';
import { flushMemories } from '../memory/remember.ts';
import type { SnapshotBody, SnapshotLookup, Snapshots } from '../ports/disk.ts';
import type { Session } from '../session/session.ts';
import { recordOutcome, retireBodies, takeSnapshot } from '../session/snapshot.ts';

export type RollbackResult = { readonly restored: string; readonly undo: string; readonly messages: number; readonly tokens: number };
export type VerifiedSnapshot = Extract<SnapshotLookup, { kind: 'found' }>;
export type RollbackDeps = Pick<AgentDeps, 'clock' | 'disk' | 'report'>;

/** Finds and verifies a snapshot. Throws not_found with the nearest ids, or store_damaged when it is not what was written. */
export function findSnapshot(id: string, snapshots: Snapshots): VerifiedSnapshot {
  const lookup = snapshots.read(id);
  switch (lookup.kind) {
    case 'found':
      return lookup;
    case 'missing': {
      const { nearest } = lookup;
      throw new SanbotError(
        'not_found',
        { en: `There is no snapshot ${JSON.stringify(id)}`, zh: `没有快照 ${JSON.stringify(id)}` },
        nearest.length === 0 ? undefined : { en: `Similar ids: ${nearest.join(', ')}.`, zh: `相近的 id：${nearest.join('、')}。` },
      );
    }
    case 'altered':
      throw new SanbotError(
        'store_damaged',
        { en: `The snapshot ${id} is not as it was written: ${lookup.why.en}`, zh: `快照 ${id} 与写入时不同：${lookup.why.zh}` },
        { en: 'Nothing was changed. Choose another snapshot.', zh: '没有做任何更改。请选择另一个快照。' },
      );
  }
}

/**
 * Makes a snapshot of this session current again. The present is saved first, so a rollback can be rolled back; bodies are on
 * disk before the one checkpoint that commits it. Interrupted at any step, the session is fully old or fully new.
 */
export function rollBack(snapshot: VerifiedSnapshot, session: Session, deps: RollbackDeps): RollbackResult {
  if (snapshot.meta.sessionId !== session.id) {
    throw new SanbotError('refused', {
      en: `The snapshot ${snapshot.meta.id} belongs to session ${snapshot.meta.sessionId}, not to ${session.id}`,
      zh: `快照 ${snapshot.meta.id} 属于会话 ${snapshot.meta.sessionId}，不属于 ${session.id}`,
    });
  }
  const tokensBefore = session.estimate.count().tokens;
  const { id, model } = snapshot.meta;
  const result = restoreState({ context: snapshot.context, bodies: snapshot.bodies, model, restored: id }, session, deps);
  deps.report.emit({
    type: 'rolled_back',
    snapshotId: id,
    undoId: result.undo,
    messages: result.messages,
    tokensBefore,
    tokensAfter: result.tokens,
  });
  afterRollback(snapshot, result, session, deps);
  return { restored: id, ...result };
}

export type TargetState = {
  readonly context: SessionContext;
  readonly bodies: readonly SnapshotBody[];
  /** Which model answered in it. */
  readonly model: string;
  /** The snapshot, or the user's message before which it stands. */
  readonly restored: string;
};

/**
 * The order of writes of every way back: the present in a snapshot, the bodies, the checkpoint that commits it. What is left to do then,
 * memories and at last the outcome, is done again at the next opening when a crash comes before it.
 */
export function restoreState(target: TargetState, session: Session, deps: RollbackDeps): Omit<RollbackResult, 'restored'> {
  dropPreparedSummary({ en: 'the session was rolled back', zh: '会话已回滚' }, session, deps);
  const undoSnapshot = commitRollback(target, session, deps);
  retireBodies(session, deps);
  return { undo: undoSnapshot.id, messages: session.context.messages.length, tokens: session.estimate.count().tokens };
}

export type CommittedRollback = { readonly undo: string; readonly tokens: number };

/** What follows once the way back to a snapshot is committed; with its outcome, which comes last, nothing is left to do. */
export function afterRollback(snapshot: VerifiedSnapshot, { undo, tokens }: CommittedRollback, session: Session, deps: RollbackDeps): void {
  const { id } = snapshot.meta;
  const loadState = () => stateOfSnapshot(deps.disk.past(session.id), { ...snapshot.meta, context: snapshot.context });
  rollBackMemories(loadState, { state: id, by: undo }, session, deps);
  recordOutcome(undo, { line: `rolled back to ${id}`, restored: id, tokensAfter: tokens }, session, deps);
}

/**
 * What was learned from messages that the state does not know is marked as superseded; what comes from the others, and a later rollback
 * marked, is current again. When it was learned does not matter: memories are taken when messages leave and when a session ends. The way back is
 * committed by then: a failure here is told, and changes nothing of it. `state` sorts among the ids of the session's snapshots.
 */
export function rollBackMemories(
  loadState: () => PastState,
  { state, by }: { readonly state: string; readonly by: string },
  session: Session,
  { disk, report }: Pick<AgentDeps, 'disk' | 'report'>,
): void {
  orWarn(report.emit, { en: 'The memories extracted since are not marked as superseded', zh: '此后提取的记忆未标记为已取代' }, () => {
    const { knownIds } = loadState();
    const isLater = (messageId: string): boolean => !knownIds.has(messageId);
    const counts = disk.memories.rollBack({ sessionId: session.id, by, isLater, isUndone: (id) => id >= state && id !== by });
    if (counts.superseded + counts.restored > 0) report.emit({ type: 'memory_superseded', ...counts });
  });
}

function commitRollback(
  { context: restoredContext, bodies, model, restored }: TargetState,
  session: Session,
  deps: RollbackDeps,
): SnapshotMeta {
  try {
    session.flush();
    const undoSnapshot = takeSnapshot('rollback', session, deps);
    session.bodies.restore(bodies);
    const pinnedContext = withPinsOf(session, restoredContext, { id: `${undoSnapshot.id}-pins`, at: deps.clock.now().toISOString() });
    // What another model counted is no measure for the one that answers now.
    const context = model === session.model ? pinnedContext : { ...pinnedContext, anchorFloor: pinnedContext.messages.length };
    session.append({ type: 'checkpoint', reason: 'rollback', snapshotId: undoSnapshot.id, restored, context });
    return undoSnapshot;
  } catch (error) {
    deps.report.emit({ type: 'rollback_failed', snapshotId: restored, why: errorReason(error) });
    throw error;
  }
}

/** The restored context with what was pinned then and what is pinned now; its messages stay as they were, and what they lack follows them. */
function withPinsOf(session: Session, context: SessionContext, stamp: Pick<Message, 'id' | 'at'>): SessionContext {
  const restoredPins = context.pins ?? [];
  const newPins = (session.context.pins ?? []).filter((pin) => !restoredPins.some(({ messageId }) => messageId === pin.messageId));
  if (newPins.length === 0) return context;
  const pins = [...restoredPins, ...newPins];
  return { ...context, pins, messages: appendPins(context.messages, pins, stamp) };
}

/** Starts the conversation anew in the same session; what was there can be rolled back to. Returns the snapshot's id. */
export function clearContext(session: Session, deps: RollbackDeps & Pick<AgentDeps, 'config'>): string {
  dropPreparedSummary({ en: 'the context was cleared', zh: '上下文已清空' }, session, deps);
  session.flush();
  const snapshot = takeSnapshot('clear', session, deps);
  const { messages } = session.context;
  flushMemories(messages, session, deps);
  session.append({
    type: 'checkpoint',
    reason: 'clear',
    snapshotId: snapshot.id,
    context: {
      ...session.context,
      shortTermSummary: '',
      messages: [],
      anchorFloor: 0,
      ...(session.context.pins === undefined ? {} : { pins: [] }),
    },
  });
  retireBodies(session, deps);
  const line = messages.length === 1 ? 'cleared 1 message' : `cleared ${messages.length} messages`;
  recordOutcome(snapshot.id, { tokensAfter: session.estimate.count().tokens, line }, session, deps);
  deps.report.emit({ type: 'cleared', snapshotId: snapshot.id, messages: messages.length });
  return snapshot.id;
}
