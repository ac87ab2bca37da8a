import { compact, prepareCompaction } from '../../agent/compaction/compact.ts';
import { limitsOf, modelFacts, windowTooSmall } from '../../agent/deps.ts';
import { pinCost, pinMessage, unpinMessage } from '../../agent/memory/pins.ts';
import { remember } from '../../agent/memory/remember.ts';
import { addedSince, findMessage, lastChange, rewind } from '../../agent/rollback/rewind.ts';
import { findSnapshot, rollBack } from '../../agent/rollback/rollback.ts';
import { pastMessages, stateOfSnapshot } from '../../context/history/past.ts';
import { todoListIn } from '../../context/history/todo-list.ts';
import { SanbotError } from '../../domain/errors.ts';
import type { AuditRecord } from '../../domain/event.ts';
import { memoryKinds } from '../../domain/memory/memory.ts';
import { OFFLINE_MODEL } from '../../model/catalog.ts';
import { resumeConversation, startConversation } from '../../runtime/conversation/conversation.ts';
import type { Conversation, EndReason, LiveConversation } from '../../runtime/conversation/types.ts';
import { storeEnvironmentOf } from '../../runtime/open-store.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { pathsOf } from '../../store/files/paths.ts';
import { normalizeTitle } from '../../store/session/change-session.ts';
import { writeTitle } from '../../store/session/session-title.ts';
import type { ChatPort, ModelView, RollbackPreview } from '../../terminal/repl/chat-port.ts';
import { rewindPreview } from '../../terminal/views/rewind-text.ts';
import { rollbackDifference } from '../../terminal/views/rollback-difference.ts';
import { completePath } from './complete-path.ts';
import { contextView } from './context-view.ts';
import { pendingCompaction } from './pending-compaction.ts';
import { pinnableLines, pinnedLines } from './pins.ts';
import { restorableFiles } from './restorable-files.ts';

export type ChatStart = { readonly group: string; readonly resume: string | undefined; readonly model: string | undefined };

export type Chat = ChatPort & {
  /** Tells when no conversation fits beside the system prompt and the tools; needs the tokenizer. */
  readonly checkWindow: () => void;
  /** What an orderly end does first. Never rejects. */
  readonly reflect: () => Promise<void>;
  readonly close: (reason: EndReason) => Promise<void>;
};

/** The chat of one process: one conversation at a time, and all that a person can ask about it. */
export function openChat(chatRuntime: Runtime, start: ChatStart): Chat {
  let compactions = 0;
  const runtime: Runtime = {
    ...chatRuntime,
    show: (event) => {
      if (event.type === 'compacted') compactions += 1;
      chatRuntime.show(event);
    },
  };
  const startNew = (): LiveConversation => startConversation(runtime, start.group);
  let current =
    start.resume === undefined
      ? startNew()
      : resumeConversation(runtime, start.resume, { model: runtime.offline ? undefined : start.model });

  /** The next one is opened before this one is closed, so that a failure leaves the chat where it was. */
  const switchTo = async (open: () => LiveConversation): Promise<void> => {
    const next = open();
    await current.end('other');
    current = next;
    compactions = 0;
  };

  return {
    session: () => ({ sessionId: current.session.id, resumed: current.resumed, messages: current.session.context.messages.length }),
    send: async (text, signal) => {
      await current.say(text, signal);
    },
    compact: async (instructions, signal) => {
      await runtime.ready();
      const { session, deps } = current;
      const limits = limitsOf(session, deps);
      await compact({ trigger: 'manual', reasons: [], instructions, limits, signal }, session, deps);
    },
    previewCompaction: async (instructions, signal) => {
      await runtime.ready();
      const { session, deps } = current;
      const limits = limitsOf(session, deps);
      const preparation = await prepareCompaction({ trigger: 'manual', reasons: [], instructions, limits, signal }, session, deps);
      if (preparation.kind !== 'prepared') return undefined;
      return pendingCompaction(preparation, session, deps);
    },
    context: async () => {
      await runtime.ready();
      return contextView(current.session, current.deps, modelView(current, runtime));
    },
    history: () => runtime.store.snapshots.list(current.session.id),
    previewRollback: async (snapshotId) => previewRollback(snapshotId, current, runtime),
    previewUndo: async () => {
      const last = lastChange(runtime.store.snapshots.list(current.session.id), current.session);
      if (last === undefined) return undefined;
      const since = addedSince(last, current.session.context.messages);
      return { ...(await previewRollback(last.id, current, runtime)), since };
    },
    rollback: async (snapshotId) => {
      await runtime.ready();
      const snapshot = findSnapshot(snapshotId, runtime.store.snapshots);
      const { n } = stateOfSnapshot(current.deps.past(current.session.id), { ...snapshot.meta, context: snapshot.context });
      rollBack(snapshot, current.session, current.deps);
      return n;
    },
    pastMessages: () => pastMessages(current.deps.past(current.session.id)),
    previewRewind: async (message) => {
      const target = findMessage(message, current.session, current.deps);
      return rewindPreview(current.session.context.messages, { message: target.message, messages: target.context.messages });
    },
    rewind: async (message) => {
      await runtime.ready();
      const target = findMessage(message, current.session, current.deps);
      return { text: rewind(target, current.session, current.deps).text, since: target.n };
    },
    restorableFiles: (since) => restorableFiles(current, runtime, since),
    memory: () => {
      const { group } = current.session;
      const entries = runtime.store.memories(group).list();
      const files = memoryKinds.map((kind) => ({
        kind,
        path: pathsOf(runtime.home).extracted(group, kind),
        entries: entries.filter((entry) => entry.kind === kind),
      }));
      return { on: runtime.config.memory.enabled, files };
    },
    remember: (text) => {
      if (!runtime.config.memory.enabled)
        throw new SanbotError('refused', 'Memory is switched off', { hint: 'Set memory.enabled to true.' });
      return remember({ text, kind: undefined, source: 'user' }, current.session, current.deps);
    },
    recall: async (query, signal) => {
      const { environment, home, store, show } = runtime;
      const warn = (message: string) => show({ type: 'warning', message });
      const { search } = await import('../../runtime/conversation/recall.ts');
      return search({ environment, home, store, group: current.session.group, warn }, { query, limit: MAX_HITS }, signal);
    },
    sessions: () => runtime.store.sessions.list(),
    resume: async (sessionId) => {
      if (sessionId !== current.session.id) await switchTo(() => resumeConversation(runtime, sessionId, { model: undefined }));
    },
    newSession: async () => switchTo(startNew),
    clear: async () => {
      await current.clear();
    },
    model: () => modelView(current, runtime),
    changeModel: async (name, signal) => {
      refuseUnavailable(name, runtime);
      await current.changeModel(name, signal);
    },
    cost: () => ({ ...current.session.spent, compactions }),
    pinnable: () => pinnableLines(current.session),
    pins: async () => {
      await runtime.ready();
      const { session, deps } = current;
      return { pins: pinnedLines(session), ...pinCost(session, deps) };
    },
    pin: async (number) => {
      await runtime.ready();
      pinMessage(number - 1, current.session, current.deps);
    },
    unpin: async (messageId) => unpinMessage(messageId, current.session),
    todo: () => todoListIn(current.session.context.messages) ?? [],
    events: () => {
      const records: AuditRecord[] = [];
      runtime.store.events.read({ sessionId: current.session.id }, (record) => {
        records.push(record);
        if (records.length > MAX_EVENTS) records.shift();
      });
      return records;
    },
    rename: async (title) => renameCurrent(current, runtime, title),
    fork: async () => {
      const { environment, home, store } = runtime;
      const { forkSession } = await import('../sessions/fork.ts');
      const warn = (message: string) => current.deps.emit({ type: 'warning', message });
      const copyId = forkSession({ environment, home, store, warn }, current.session.id);
      await switchTo(() => resumeConversation(runtime, copyId, { model: undefined }));
      return copyId;
    },
    exportTo: async (name) => {
      const { id } = current.session;
      const file = name ?? `${id}.md`;
      const { exportToFile } = await import('../sessions/export-session.ts');
      const warn = (message: string) => current.deps.emit({ type: 'warning', message });
      return { file, bytes: exportToFile(runtime.environment, { home: runtime.home, session: id, file }, warn) };
    },
    files: (prefix) => completePath(runtime.environment.cwd(), prefix),
    checkWindow: () => {
      const problem = windowTooSmall(current.session, current.deps, limitsOf(current.session, current.deps));
      if (problem !== undefined) current.deps.emit({ type: 'warning', message: problem });
    },
    reflect: () => current.reflect(),
    close: (reason) => current.end(reason),
  };
}

async function previewRollback(snapshotId: string, { session }: Conversation, { ready, store }: Runtime): Promise<RollbackPreview> {
  await ready();
  const snapshot = findSnapshot(snapshotId, store.snapshots);
  const { messages } = session.context;
  const difference = rollbackDifference(messages, snapshot.context.messages);
  return { snapshot: snapshot.meta, messagesNow: messages.length, tokensNow: session.count().tokens, ...difference };
}

function modelView({ session, deps }: Conversation, { offline }: Runtime): ModelView {
  const { windowTokens, assumed } = modelFacts(session, deps);
  return { name: session.model, offline, windowTokens, windowAssumed: assumed };
}

/** Where the offline model answers, no other does. */
function refuseUnavailable(name: string, { offline }: Runtime): void {
  if (offline === (name === OFFLINE_MODEL)) return;
  throw offline
    ? new SanbotError('usage', `The offline model answers here, so the model stays as it is: ${name} needs a key`, {
        hint: `Leave, set ANTHROPIC_API_KEY (and no provider "offline"), then: sanbot --continue --model ${name}`,
      })
    : new SanbotError('usage', 'The offline model cannot be switched to, so the model stays as it is', {
        hint: 'Leave, then: SANBOT_PROVIDER=offline sanbot --continue',
      });
}

/** The log's record first; the file beside it is derived from it. */
function renameCurrent({ session }: Conversation, { environment, home, show }: Runtime, title: string): string {
  const line = normalizeTitle(title);
  session.append({ type: 'title', title: line });
  const disk = { ...storeEnvironmentOf(environment, home), warn: (message: string) => show({ type: 'warning', message }) };
  writeTitle(disk, pathsOf(home), { sessionId: session.id, title: line });
  return line;
}

const MAX_EVENTS = 30;
const MAX_HITS = 10;
