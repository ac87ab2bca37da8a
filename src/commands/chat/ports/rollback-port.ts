import { addedSince, findMessage, lastChange, rewind } from '../../../agent/rollback/rewind.ts';
import { findSnapshot, rollBack } from '../../../agent/rollback/rollback.ts';
import { pastMessages, stateOfSnapshot } from '../../../context/history/past.ts';
import type { RollbackPort, RollbackPreview } from '../../../terminal/chat/rollback-port.ts';
import { rewindPreview } from '../../../terminal/views/rewind-text.ts';
import { rollbackDifference } from '../../../terminal/views/rollback-difference.ts';
import { restorableFiles } from '../restorable-files.ts';
import type { Current } from './current.ts';

export function createRollbackPort(current: Current): RollbackPort {
  const { conversation, runtime } = current;
  const snapshots = () => runtime.store.snapshots.list(conversation().session.id);
  return {
    snapshots,
    preview: (snapshotId) => preview(snapshotId, current),
    previewUndo: async () => {
      const { session } = conversation();
      const last = lastChange(snapshots(), session);
      if (last === undefined) return undefined;
      const since = addedSince(last, session.context.messages);
      return { ...(await preview(last.id, current)), since };
    },
    rollBack: async (snapshotId) => {
      const { session, deps } = conversation();
      const snapshot = findSnapshot(snapshotId, runtime.store.snapshots);
      const { n } = stateOfSnapshot(deps.disk.past(session.id), { ...snapshot.meta, context: snapshot.context });
      rollBack(snapshot, session, deps);
      return n;
    },
    pastMessages: () => pastMessages(conversation().deps.disk.past(conversation().session.id)),
    previewRewind: async (message) => {
      const { session, deps } = conversation();
      const target = findMessage(message, session, deps);
      return rewindPreview(session.context.messages, { message: target.message, messages: target.context.messages });
    },
    rewind: async (message) => {
      const { session, deps } = conversation();
      const target = findMessage(message, session, deps);
      return { text: rewind(target, session, deps).text, since: target.n };
    },
    restorableFiles: (since) => restorableFiles(conversation(), runtime, since),
  };
}

async function preview(snapshotId: string, { conversation, runtime }: Current): Promise<RollbackPreview> {
  const { session } = conversation();
  const snapshot = findSnapshot(snapshotId, runtime.store.snapshots);
  const { messages } = session.context;
  const difference = rollbackDifference(messages, snapshot.context.messages);
  return { snapshot: snapshot.meta, messagesNow: messages.length, tokensNow: session.estimate.count().tokens, ...difference };
}
