import { SanbotError } from '../domain/errors.ts';
import type { SnapshotMeta } from '../domain/snapshot.ts';
import { dropAhead } from './ahead.ts';
import type { AgentDeps } from './deps.ts';
import type { SnapshotFound } from './ports.ts';
import { reasonOf, type Session } from './session.ts';
import { retireBodies, takeSnapshot } from './snapshot.ts';

export type RolledBack = { readonly restored: string; readonly undo: string; readonly messages: number; readonly tokens: number };
export type FoundSnapshot = Extract<SnapshotFound, { kind: 'found' }>;
type RollbackDeps = Pick<AgentDeps, 'snapshots' | 'emit' | 'now'>;

/** Finds and verifies a snapshot. Throws not_found with the nearest ids, or store_damaged when it is not what was written. */
export function findSnapshot(id: string, snapshots: AgentDeps['snapshots']): FoundSnapshot {
  const found = snapshots.read(id);
  switch (found.kind) {
    case 'found':
      return found;
    case 'missing': {
      const nearest = found.nearest.length > 0 ? `The nearest are: ${found.nearest.join(', ')}.` : undefined;
      throw new SanbotError('not_found', `There is no snapshot ${JSON.stringify(id)}`, nearest === undefined ? {} : { hint: nearest });
    }
    case 'altered':
      throw new SanbotError('store_damaged', `The snapshot ${id} is not as it was written: ${found.why}`, {
        hint: 'Nothing was changed. Choose another snapshot.',
      });
  }
}

/**
 * Makes a snapshot of this session current again. The present is saved first, so a rollback can be rolled back; bodies are on
 * disk before the one checkpoint that commits it. Interrupted at any step, the session is fully old or fully new.
 */
export function rollBack(snapshot: FoundSnapshot, session: Session, deps: RollbackDeps): RolledBack {
  if (snapshot.meta.sessionId !== session.id) {
    throw new SanbotError(
      'refused',
      `The snapshot ${snapshot.meta.id} belongs to session ${snapshot.meta.sessionId}, not to ${session.id}`,
    );
  }
  dropAhead('the session was rolled back', session, deps);
  const tokensBefore = session.count().tokens;
  const undo = commitRollback(snapshot, session, deps);
  retireBodies(session, deps);
  const { tokens } = session.count();
  const messages = snapshot.context.messages.length;
  const line = `rolled back to ${snapshot.meta.id}`;
  deps.snapshots.noteOutcome(undo.id, { at: deps.now().toISOString(), messages, tokensAfter: tokens, line, restored: snapshot.meta.id });
  deps.emit({ type: 'rolled_back', snapshotId: snapshot.meta.id, undoId: undo.id, messages, tokensBefore, tokensAfter: tokens });
  return { restored: snapshot.meta.id, undo: undo.id, messages, tokens };
}

function commitRollback(snapshot: FoundSnapshot, session: Session, deps: RollbackDeps): SnapshotMeta {
  try {
    session.append();
    const undo = takeSnapshot('rollback', session, deps);
    session.bodies.restore(snapshot.bodies);
    session.append({ type: 'checkpoint', reason: 'rollback', snapshotId: undo.id, context: snapshot.context });
    return undo;
  } catch (error) {
    deps.emit({ type: 'rollback_failed', snapshotId: snapshot.meta.id, why: reasonOf(error) });
    throw error;
  }
}

/** Starts the conversation anew in the same session; what was there can be rolled back to. Returns the snapshot's id. */
export function clearContext(session: Session, deps: RollbackDeps): string {
  dropAhead('the context was cleared', session, deps);
  session.append();
  const snapshot = takeSnapshot('clear', session, deps);
  const { messages } = session.context;
  session.append({
    type: 'checkpoint',
    reason: 'clear',
    snapshotId: snapshot.id,
    context: { ...session.context, shortTermSummary: '', messages: [], anchorFloor: 0 },
  });
  retireBodies(session, deps);
  const line = messages.length === 1 ? 'cleared 1 message' : `cleared ${messages.length} messages`;
  deps.snapshots.noteOutcome(snapshot.id, { at: deps.now().toISOString(), messages: 0, tokensAfter: session.count().tokens, line });
  deps.emit({ type: 'cleared', snapshotId: snapshot.id, messages: messages.length });
  return snapshot.id;
}
