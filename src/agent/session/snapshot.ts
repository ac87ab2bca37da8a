import { because } from '../../domain/language.ts';
import type { Message, StubRef } from '../../domain/session/message.ts';
import type { SnapshotMeta, SnapshotOutcome, SnapshotReason } from '../../domain/session/snapshot.ts';
import { type AgentDeps, warn } from '../deps.ts';
import type { SnapshotBody } from '../ports/disk.ts';
import type { Session } from './session.ts';

/** Saves the whole context as it is, with the bodies its stubs stand for, before anything replaces it. */
export function takeSnapshot(reason: SnapshotReason, session: Session, { disk, report }: Pick<AgentDeps, 'disk' | 'report'>): SnapshotMeta {
  const { context } = session;
  const tokens = session.estimate.count().tokens;
  const bodies = readBodies(context.messages, session, (path) =>
    warn(report.emit, {
      en: `An offloaded result is missing or changed, so the snapshot is without it: ${path}`,
      zh: `一个转存的结果缺失或已被更改，快照中没有它：${path}`,
    }),
  );
  const meta = disk.snapshots.write({ sessionId: session.id, group: session.group, reason, model: session.model, tokens, context, bodies });
  report.emit({ type: 'snapshot_written', snapshotId: meta.id, reason, messages: meta.messages, tokens, bytes: meta.bytes });
  return meta;
}

/** The bodies of these messages' stubs that can be read; of each other one its path is told. */
export const readBodies = (
  messages: readonly Message[],
  { bodies }: Session,
  tellMissing: (path: string) => void,
): readonly SnapshotBody[] =>
  uniqueStubs(messages).flatMap(({ body: ref }) => {
    const text = bodies.read(ref);
    if (text === undefined) tellMissing(bodies.path(ref));
    return text === undefined ? [] : { ref, text };
  });

/** Notes what became of the context that a snapshot was taken of, once that is committed. */
export const recordOutcome = (
  snapshotId: string,
  outcome: Omit<SnapshotOutcome, 'at' | 'messages'>,
  session: Session,
  { clock, disk }: Pick<AgentDeps, 'clock' | 'disk'>,
): void =>
  disk.snapshots.recordOutcome(snapshotId, { at: clock.now().toISOString(), messages: session.context.messages.length, ...outcome });

export const uniqueStubs = (messages: readonly Message[]): readonly StubRef[] => [
  ...new Map(messages.flatMap(({ stubs = [] }) => stubs.map((stub) => [stub.body.sha256, stub]))).values(),
];

/** The hashes of the bodies that these messages stand on. */
export const liveHashes = (messages: readonly Message[]): ReadonlySet<string> =>
  new Set(messages.flatMap(({ stubs = [] }) => stubs.map(({ body }) => body.sha256)));

/** Moves the bodies that nothing in the context stands for any more; recall, rollback and the agent still find them. */
export function retireBodies(session: Session, { report }: Pick<AgentDeps, 'report'>): number {
  const { retired, failed } = session.bodies.retire(liveHashes(session.context.messages));
  for (const why of failed) warn(report.emit, because({ en: 'The offloaded file could not be deleted', zh: '无法删除转存文件' }, why));
  return retired;
}
