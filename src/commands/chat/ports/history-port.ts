import { addedSince, findMessage, lastChange, rewind } from '../../../agent/rollback/rewind.ts';
import { findSnapshot, rollBack } from '../../../agent/rollback/rollback.ts';
import { wholeText } from '../../../agent/turn/person-input.ts';
import { pastMessages, stateOfSnapshot } from '../../../context/history/past.ts';
import { openTasks, todoListIn } from '../../../context/history/todo-list.ts';
import { SanbotError } from '../../../domain/errors.ts';
import type { AuditRecord } from '../../../domain/event.ts';
import type { Warn } from '../../../domain/language.ts';
import { isToolUse, type Message, type ReadBody, textOf } from '../../../domain/session/message.ts';
import { resumeConversation, startConversation } from '../../../runtime/conversation/conversation.ts';
import type { Conversation } from '../../../runtime/conversation/types.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import { entryExists } from '../../../store/files/disk.ts';
import { pathsOf } from '../../../store/files/paths.ts';
import type {
  ChangesPort,
  FormerState,
  RollbackPort,
  RollbackPreview,
  SessionsPort,
  SessionView,
} from '../../../terminal/chat/history-port.ts';
import { rewindPreview, rollbackDifference } from '../../../terminal/views/rollback-text.ts';
import { isLive } from '../../../tools/command/jobs/job-state.ts';
import { actsFrom, actsSince } from '../../changes/acts.ts';
import { pastChanges } from '../../changes/past-changes.ts';
import { nameSession } from '../name-session.ts';
import { restorableFiles } from '../restorable-files.ts';
import type { Current } from './current.ts';
import { folderPlace } from './folder-place.ts';

/** Of those that run by themselves. */
const hasFailedSync = ({ config, home }: Runtime): boolean => config.sync.auto !== null && entryExists(pathsOf(home).syncFailed);

/** `group` is that of new sessions. */
export function createSessionsPort({ conversation, runtime, switchTo }: Current, group: string): SessionsPort {
  const resume = (sessionId: string) => switchTo((counted) => resumeConversation(counted, sessionId, { model: undefined }));
  return {
    current: () => {
      const { session, resumed, jobs } = conversation();
      const { messages } = session.context;
      return {
        ...{ sessionId: session.id, cwd: session.cwd, resumed, messages: messages.length },
        ...lastExchange(messages, session.bodies.read),
        openTasks: openTasks(todoListIn(messages)),
        jobs: jobs.list().flatMap((job) => (isLive(job) ? [`${job.name} ${job.command}`] : [])),
      };
    },
    place: () => ({ ...folderPlace(conversation().session.cwd, runtime.environment.homedir()), hasFailedSync: hasFailedSync(runtime) }),
    list: () => runtime.store.sessions.list(),
    resume: async (named) => {
      const sessionId = runtime.store.sessions.findId(named);
      if (sessionId !== conversation().session.id) await resume(sessionId);
    },
    startNew: () => switchTo((counted) => startConversation(counted, group)),
    fork: async () => {
      requireSomething(conversation());
      const { forkSession } = await import('../../sessions/fork.ts');
      const copyId = forkSession({ ...runtime, warn: warnOf(conversation()) }, conversation().session.id);
      await resume(copyId);
      return copyId;
    },
    rename: async (title) => nameSession(conversation(), runtime, title),
    exportTo: async (file) => {
      requireSomething(conversation());
      return exportTo(conversation(), runtime, file);
    },
    events: () => newestEvents(conversation(), runtime),
  };
}

/** There is nothing on disk before the first message. */
function requireSomething({ session, deps }: Conversation): void {
  for (const _ of deps.disk.past(session.id)) return;
  throw new SanbotError(
    'refused',
    { en: 'Nothing has been said in this session yet, so there is nothing to copy', zh: '此会话中还没有任何消息，没有可复制的内容' },
    { en: 'Send a message first.', zh: '请先发送一条消息。' },
  );
}

/** The newest message of the user, and what the model said after it; a summary may stand for both. */
function lastExchange(messages: readonly Message[], read: ReadBody): Pick<SessionView, 'last' | 'isCutShort'> {
  const at = messages.findLastIndex(({ origin }) => origin === 'user');
  const message = messages[at];
  if (message === undefined) return {};
  const replies = messages.slice(at + 1).filter(({ origin }) => origin === 'model');
  const answer = replies.map(({ content }) => textOf(content)).findLast((text) => text.trim() !== '') ?? '';
  const end = messages.findLast(({ origin }) => origin !== 'notice');
  const isCutShort = end?.origin !== 'model' || end.stopReason === 'interrupted' || end.content.some(isToolUse);
  return { last: { said: wholeText(message, read), answer }, isCutShort };
}

const warnOf =
  ({ deps }: Conversation): Warn =>
  (message) =>
    deps.report.emit({ type: 'warning', message });

async function exportTo(conversation: Conversation, { environment, home }: Runtime, name: string | undefined) {
  const { session } = conversation;
  const file = name ?? `${session.id}.md`;
  const { exportToFile } = await import('../../sessions/export-session.ts');
  return { file, bytes: exportToFile(environment, { home, session: session.id, file }, warnOf(conversation)) };
}

const MAX_EVENTS = 30;

function newestEvents({ session }: Conversation, { store }: Runtime): readonly AuditRecord[] {
  const records: AuditRecord[] = [];
  store.events.read({ sessionId: session.id }, (record) => {
    records.push(record);
    if (records.length > MAX_EVENTS) records.shift();
  });
  return records;
}

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
      rollBack(findSnapshot(snapshotId, runtime.store.snapshots), session, deps);
    },
    pastMessages: () => pastMessages(conversation().deps.disk.past(conversation().session.id)),
    previewRewind: async (message) => {
      const { session, deps } = conversation();
      const target = findMessage(message, session, deps);
      return rewindPreview(session.context.messages, { message: target.message, messages: target.context.messages });
    },
    rewind: async (message) => {
      const { session, deps } = conversation();
      return rewind(findMessage(message, session, deps), session, deps).text;
    },
    restorableFiles: async (to) =>
      restorableFiles(conversation(), runtime, { ...actsSince(lastRecordOf(to, current)), isBeforeRewind: true }),
  };
}

/** The number of the log's record with which a state ended. */
function lastRecordOf(to: FormerState, { conversation, runtime }: Current): number {
  const { session, deps } = conversation();
  if ('message' in to) return findMessage(to.message, session, deps).n;
  const { meta, context } = findSnapshot(to.snapshot, runtime.store.snapshots);
  return stateOfSnapshot(deps.disk.past(session.id), { ...meta, context }).n;
}

export function createChangesPort({ conversation, runtime }: Current): ChangesPort {
  const past = async () => {
    (await conversation().changes()).settleLeft();
    return pastChanges(conversation(), runtime);
  };
  return {
    acts: async () => (await past()).rows,
    differences: async (number) => (await past()).differences(number),
    total: async () => (await past()).total(),
    restorable: (choice) => restorableFiles(conversation(), runtime, actsFrom(choice)),
  };
}

async function preview(snapshotId: string, { conversation, runtime }: Current): Promise<RollbackPreview> {
  const { session } = conversation();
  const snapshot = findSnapshot(snapshotId, runtime.store.snapshots);
  const { messages } = session.context;
  const difference = rollbackDifference(messages, snapshot.context.messages);
  return { snapshot: snapshot.meta, messagesNow: messages.length, tokensNow: session.estimate.count().tokens, ...difference };
}
