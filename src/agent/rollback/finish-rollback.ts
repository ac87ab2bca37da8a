import { type StateBeforeMessage, stateBefore } from '../../context/history/past.ts';
import { usageTotal } from '../../domain/session/message.ts';
import type { NewRecord } from '../../domain/session/record.ts';
import type { SnapshotMeta } from '../../domain/session/snapshot.ts';
import { warn } from '../deps.ts';
import type { Session } from '../session/session.ts';
import { retireBodies } from '../session/snapshot.ts';
import { afterRewind } from './rewind.ts';
import { afterRollback, type RollbackDeps } from './rollback.ts';

/**
 * What a crash cut off behind the checkpoint of a rollback: its outcome is written last, so without one the memories may not have
 * followed. To be called when a session was opened, with the records read back; doing it twice changes nothing. Once something was
 * said after the rollback nothing is done, since what was learned from that must stay. Never throws.
 */
export function finishRollback(
  records: readonly NewRecord[],
  listSnapshots: () => readonly SnapshotMeta[],
  { session, deps }: { readonly session: Session; readonly deps: RollbackDeps },
): void {
  const last = records.findLast(({ type }) => type === 'checkpoint' || type === 'message');
  if (last?.type !== 'checkpoint' || last.reason !== 'rollback') return;
  const { snapshotId: undoId, restored } = last;
  const meta = undoId === undefined ? undefined : listSnapshots().find(({ id }) => id === undoId);
  if (meta === undefined || restored === undefined || meta.outcome !== undefined) return;
  retireBodies(session, deps);
  const lookup = deps.disk.snapshots.read(restored);
  const state = lookup.kind === 'found' ? undefined : stateBefore(deps.disk.past(session.id), restored);
  if (lookup.kind === 'found') afterRollback(lookup, { undo: meta.id, tokens: lookup.meta.tokens }, session, deps);
  else if (state !== undefined) afterRewind(state, { undo: meta.id, tokens: reportedTokens(state) }, session, deps);
  else {
    const message = {
      en: `The last rollback was cut short, and ${restored} is gone: the memories extracted since are not marked as superseded.`,
      zh: `上次回滚中断，且 ${restored} 已不存在：此后提取的记忆未标记为已取代。`,
    };
    warn(deps.report.emit, message);
  }
}

/** Nothing is counted here: when a session is opened, the tokenizer may not be loaded yet. */
function reportedTokens({ context: { messages } }: StateBeforeMessage): number {
  const usage = messages.findLast((message) => message.usage !== undefined)?.usage;
  return usage === undefined ? 0 : usageTotal(usage);
}
