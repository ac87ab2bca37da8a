import { because } from '../../domain/language.ts';
import type { BodyRef, Message } from '../../domain/session/message.ts';
import type { SnapshotMeta, SnapshotReason } from '../../domain/session/snapshot.ts';
import type { AgentDeps } from '../deps.ts';
import type { SnapshotBody } from '../ports/disk.ts';
import type { Session } from './session.ts';

/** Saves the whole context as it is, with the bodies its stubs stand for, before anything replaces it. */
export function takeSnapshot(reason: SnapshotReason, session: Session, { disk, report }: Pick<AgentDeps, 'disk' | 'report'>): SnapshotMeta {
  const { context } = session;
  const tokens = session.estimate.count().tokens;
  const bodies = referencedBodies(context.messages).flatMap((ref): SnapshotBody[] => {
    const text = session.bodies.read(ref);
    if (text !== undefined) return [{ ref, text }];
    report.emit({
      type: 'warning',
      message: {
        en: `An offloaded result is missing or changed, so the snapshot is without it: ${session.bodies.path(ref)}`,
        zh: `一个转存的结果缺失或已被更改，快照中没有它：${session.bodies.path(ref)}`,
      },
    });
    return [];
  });
  const meta = disk.snapshots.write({ sessionId: session.id, group: session.group, reason, model: session.model, tokens, context, bodies });
  report.emit({ type: 'snapshot_written', snapshotId: meta.id, reason, messages: meta.messages, tokens, bytes: meta.bytes });
  return meta;
}

/** The bodies that stubs of these messages stand for, each once. */
export function referencedBodies(messages: readonly Message[]): readonly BodyRef[] {
  const refs = new Map<string, BodyRef>();
  for (const stub of messages.flatMap((message) => message.stubs ?? [])) refs.set(stub.body.sha256, stub.body);
  return [...refs.values()];
}

/** Moves the bodies that nothing in the context stands for any more; recall, rollback and the agent still find them. */
export function retireBodies(session: Session, { report }: Pick<AgentDeps, 'report'>): number {
  const liveHashes = new Set(referencedBodies(session.context.messages).map((ref: BodyRef) => ref.sha256));
  const { retired, failed } = session.bodies.retire(liveHashes);
  for (const why of failed)
    report.emit({ type: 'warning', message: because({ en: 'The offloaded file could not be deleted', zh: '无法删除转存文件' }, why) });
  return retired;
}
