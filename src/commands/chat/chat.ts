import { compact, prepareCompaction } from '../../agent/compaction/compact.ts';
import { limitsOf, modelFacts, windowTooSmall } from '../../agent/deps.ts';
import { pinCost, pinMessage, unpinMessage } from '../../agent/memory/pins.ts';
import { remember } from '../../agent/memory/remember.ts';
import { addedSince, findMessage, lastChange, rewind } from '../../agent/rollback/rewind.ts';
import { clearContext, findSnapshot, rollBack } from '../../agent/rollback/rollback.ts';
import { changeModel } from '../../agent/turn/change-model.ts';
import { runTurn } from '../../agent/turn/turn.ts';
import { pastMessages, stateOfSnapshot } from '../../context/history/past.ts';
import { todoListIn } from '../../context/history/todo-list.ts';
import { SanbotError } from '../../domain/errors.ts';
import type { AuditRecord } from '../../domain/event.ts';
import { memoryKinds } from '../../domain/memory/memory.ts';
import { OFFLINE_MODEL } from '../../model/catalog.ts';
import { type LiveConversation, resumeConversation, startConversation } from '../../runtime/conversation/conversation.ts';
import type { EndReason } from '../../runtime/conversation/hooks.ts';
import type { Conversation } from '../../runtime/conversation/types.ts';
import { storeWorldOf } from '../../runtime/open-store.ts';
import type { Setting } from '../../runtime/setting.ts';
import { pathsOf } from '../../store/files/paths.ts';
import { normalizeTitle } from '../../store/session/change-session.ts';
import { writeTitle } from '../../store/session/session-title.ts';
import type { ChatPort, ModelView, RollbackPreview } from '../../terminal/repl/chat-port.ts';
import { rewindPreview } from '../../terminal/views/rewind-text.ts';
import { rollbackDifference } from '../../terminal/views/rollback-difference.ts';
import { contextView } from './context-view.ts';
import { filesThen } from './files-then.ts';
import { pathsFrom } from './paths-from.ts';
import { pinLines, pinnedLines } from './pin-lines.ts';
import { shownCompaction } from './show-compaction.ts';
import { tellChanges } from './tell-changes.ts';

export type ChatStart = { readonly group: string; readonly resume: string | undefined; readonly model: string | undefined };

export type Chat = ChatPort & {
  /** Tells when no conversation fits beside the system prompt and the tools; needs the tokenizer. */
  readonly checkWindow: () => void;
  /** What an orderly end does first. Never rejects. */
  readonly reflect: () => Promise<void>;
  readonly close: (reason: EndReason) => Promise<void>;
};

/** The chat of one process: one conversation at a time, and all that a person can ask about it. */
export function openChat(setting: Setting, start: ChatStart): Chat {
  const begin = (): LiveConversation => startConversation(setting, start.group);
  let current =
    start.resume === undefined ? begin() : resumeConversation(setting, start.resume, { model: setting.offline ? undefined : start.model });
  let resumed = start.resume !== undefined;
  let compactions = 0;

  const counting = () => countingCompactions(current, () => compactions++);

  /** The next one is opened before this one is closed, so that a failure leaves the chat where it was. */
  const changeTo = async (open: () => LiveConversation, isResumed: boolean): Promise<void> => {
    const next = open();
    await current.end('other');
    current = next;
    resumed = isResumed;
    compactions = 0;
  };

  return {
    session: () => ({ sessionId: current.session.id, resumed, messages: current.session.context.messages.length }),
    send: async (text, signal) => {
      await setting.ready();
      await current.start(signal);
      const { moveTo } = current;
      current = { ...current, moveTo: undefined };
      if (moveTo !== undefined) await changeModel(moveTo, current.session, counting(), signal);
      tellChanges(current, setting);
      await runTurn(text, current.session, counting(), { signal, maxSteps: setting.config.agent.maxSteps });
    },
    compact: async (instructions, signal) => {
      await setting.ready();
      const { session, deps } = current;
      const limits = limitsOf(session, deps);
      const outcome = await compact({ trigger: 'manual', reasons: [], instructions, limits, signal }, session, deps);
      if (outcome.kind === 'compacted') compactions += 1;
    },
    previewCompaction: async (instructions, signal) => {
      await setting.ready();
      const { session, deps } = current;
      const limits = limitsOf(session, deps);
      const prepared = await prepareCompaction({ trigger: 'manual', reasons: [], instructions, limits, signal }, session, deps);
      if (prepared.kind !== 'prepared') return undefined;
      return shownCompaction(prepared, session, deps, (outcome) => {
        if (outcome.kind === 'compacted') compactions += 1;
      });
    },
    context: async () => {
      await setting.ready();
      return contextView(current.session, current.deps, modelView(current, setting));
    },
    history: () => setting.store.snapshots.list(current.session.id),
    previewRollback: async (snapshotId) => previewRollback(snapshotId, current, setting),
    previewUndo: async () => {
      const last = lastChange(setting.store.snapshots.list(current.session.id), current.session);
      if (last === undefined) return undefined;
      const since = addedSince(last, current.session.context.messages);
      return { ...(await previewRollback(last.id, current, setting)), since };
    },
    rollback: async (snapshotId) => {
      await setting.ready();
      const snapshot = findSnapshot(snapshotId, setting.store.snapshots);
      const { n } = stateOfSnapshot(current.deps.past(current.session.id), { ...snapshot.meta, context: snapshot.context });
      rollBack(snapshot, current.session, current.deps);
      return n;
    },
    pastMessages: () => pastMessages(current.deps.past(current.session.id)),
    previewRewind: async (message) => {
      const before = findMessage(message, current.session, current.deps);
      return rewindPreview(current.session.context.messages, { message: before.message, messages: before.context.messages });
    },
    rewind: async (message) => {
      await setting.ready();
      const before = findMessage(message, current.session, current.deps);
      return { text: rewind(before, current.session, current.deps).text, since: before.n };
    },
    filesThen: (since) => filesThen(current, setting, since),
    memory: () => {
      const { group } = current.session;
      const entries = setting.store.memories(group).list();
      const files = memoryKinds.map((kind) => ({
        kind,
        path: pathsOf(setting.home).extracted(group, kind),
        entries: entries.filter((entry) => entry.kind === kind),
      }));
      return { on: setting.config.memory.enabled, files };
    },
    remember: (text) => {
      if (!setting.config.memory.enabled)
        throw new SanbotError('refused', 'Memory is switched off', { hint: 'Set memory.enabled to true.' });
      return remember({ text, kind: undefined, source: 'user' }, current.session, current.deps);
    },
    recall: async (query, signal) => {
      const { world, home, store, show } = setting;
      const tell = (message: string) => show({ type: 'warning', message });
      const { search } = await import('../../runtime/conversation/recall.ts');
      return search({ world, home, store, group: current.session.group, tell }, { query, limit: MAX_HITS }, signal);
    },
    sessions: () => setting.store.sessions.list(),
    resume: async (sessionId) => {
      if (sessionId !== current.session.id) await changeTo(() => resumeConversation(setting, sessionId, { model: undefined }), true);
    },
    newSession: async () => changeTo(begin, false),
    clear: async () => {
      await setting.ready();
      clearContext(current.session, current.deps);
      current.renew('clear');
    },
    model: () => modelView(current, setting),
    changeModel: async (name, signal) => {
      refuseUnavailable(name, setting);
      await setting.ready();
      await changeModel(name, current.session, counting(), signal);
      current = { ...current, moveTo: undefined };
    },
    cost: () => ({ ...current.session.spent, compactions }),
    pinnable: () => pinLines(current.session),
    pins: async () => {
      await setting.ready();
      const { session, deps } = current;
      return { pins: pinnedLines(session), ...pinCost(session, deps) };
    },
    pin: async (number) => {
      await setting.ready();
      pinMessage(number - 1, current.session, current.deps);
    },
    unpin: async (messageId) => unpinMessage(messageId, current.session),
    todo: () => todoListIn(current.session.context.messages) ?? [],
    events: () => {
      const found: AuditRecord[] = [];
      setting.store.events.read({ sessionId: current.session.id }, (record) => {
        found.push(record);
        if (found.length > MAX_EVENTS) found.shift();
      });
      return found;
    },
    rename: async (title) => renameOpen(current, setting, title),
    fork: async () => {
      const { world, home, store } = setting;
      const { forkSession } = await import('../sessions/fork.ts');
      const tell = (message: string) => current.deps.emit({ type: 'warning', message });
      const forked = forkSession({ world, home, store, tell }, current.session.id);
      await changeTo(() => resumeConversation(setting, forked, { model: undefined }), true);
      return forked;
    },
    exportTo: async (wanted) => {
      const { id } = current.session;
      const file = wanted ?? `${id}.md`;
      const { exportToFile } = await import('../sessions/export-session.ts');
      const tell = (message: string) => current.deps.emit({ type: 'warning', message });
      return { file, bytes: exportToFile(setting.world, { home: setting.home, session: id, file }, tell) };
    },
    files: (prefix) => pathsFrom(setting.world.cwd(), prefix),
    checkWindow: () => {
      const problem = windowTooSmall(current.session, current.deps, limitsOf(current.session, current.deps));
      if (problem !== undefined) current.deps.emit({ type: 'warning', message: problem });
    },
    reflect: () => current.reflect(),
    close: (reason) => current.end(reason),
  };
}

async function previewRollback(snapshotId: string, { session }: Conversation, { ready, store }: Setting): Promise<RollbackPreview> {
  await ready();
  const found = findSnapshot(snapshotId, store.snapshots);
  const { messages } = session.context;
  const difference = rollbackDifference(messages, found.context.messages);
  return { snapshot: found.meta, messagesNow: messages.length, tokensNow: session.count().tokens, ...difference };
}

const countingCompactions = ({ deps }: Conversation, counted: () => void): Conversation['deps'] => ({
  ...deps,
  emit: (event) => {
    if (event.type === 'compacted') counted();
    deps.emit(event);
  },
});

function modelView({ session, deps }: Conversation, { offline }: Setting): ModelView {
  const { windowTokens, assumed } = modelFacts(session, deps);
  return { name: session.model, offline, windowTokens, windowAssumed: assumed };
}

/** Where the offline model answers, no other does. */
function refuseUnavailable(name: string, { offline }: Setting): void {
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
function renameOpen({ session }: Conversation, { world, home, show }: Setting, title: string): string {
  const line = normalizeTitle(title);
  session.append({ type: 'title', title: line });
  const disk = { ...storeWorldOf(world, home), warn: (message: string) => show({ type: 'warning', message }) };
  writeTitle(disk, pathsOf(home), { sessionId: session.id, title: line });
  return line;
}

const MAX_EVENTS = 30;
const MAX_HITS = 10;
