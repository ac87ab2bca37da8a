import { join } from 'node:path';
import { dropPreparedSummary } from '../../agent/compaction/ahead.ts';
import type { AgentDeps, SummaryPrompts } from '../../agent/deps.ts';
import { remember, rememberSession } from '../../agent/memory/remember.ts';
import type { Emit, OpenedLog, SessionLog, Tool } from '../../agent/ports.ts';
import { finishRollback } from '../../agent/rollback/finish-rollback.ts';
import { auditRecord } from '../../agent/session/audit.ts';
import { fileChangeRecorder } from '../../agent/session/note-file.ts';
import { Session } from '../../agent/session/session.ts';
import { createMeasure } from '../../context/measure/measure.ts';
import type { Instructions } from '../../context/prompt/system-prompt.ts';
import type { AuditRecord } from '../../domain/event.ts';
import { type HeaderRecord, RECORD_VERSION } from '../../domain/session/record.ts';
import { OFFLINE_MODEL } from '../../model/catalog.ts';
import { pathsOf } from '../../store/files/paths.ts';
import { allRecords } from '../../store/session/peek-session.ts';
import type { Store } from '../../store/store.ts';
import { freezeBase, projectFor } from '../prompt/render-system.ts';
import type { Setting } from '../setting.ts';
import type { World } from '../world.ts';
import { type EndReason, type HookedLife, hookedLife, hooksOf, removeTranscript } from './hooks.ts';
import { type LateNote, type LateSession, lateNote, toolsOf } from './session-tools.ts';
import type { Conversation } from './types.ts';

/** One that goes on: its hooks run. */
export type LiveConversation = Conversation & Pick<HookedLife, 'start' | 'renew'> & { readonly end: (reason: EndReason) => Promise<void> };

/** A new session in the working folder. */
export function startConversation(setting: Setting, group: string): LiveConversation {
  const { store, world, modelName } = setting;
  const sessionId = store.sessions.newSessionId();
  const late: LateSession = {};
  const files = lateNote();
  const tools = toolsOf({ sessionId, group, model: modelName, late, noteFile: files.note }, setting);
  const project = projectFor(setting, modelName);
  const base = freezeBase(setting, { group, project, model: modelName, tools: tools.map(({ spec }) => spec) });
  const context = { ...base, shortTermSummary: '', messages: [], anchorFloor: 0 };
  const opened = createdWhenUsed(store, {
    type: 'header',
    v: RECORD_VERSION,
    sessionId,
    group,
    cwd: world.cwd(),
    model: modelName,
    context,
  });
  const conversation = converse(opened, { tools, late, files }, setting);
  tellInstructions(conversation, project.instructions);
  return begun(conversation, setting, { resumed: false });
}

function tellInstructions({ deps }: Pick<Conversation, 'deps'>, files: readonly Instructions[]): void {
  if (files.length === 0) return;
  deps.emit({ type: 'instructions_read', files: files.map(({ path, text, cut }) => ({ path, chars: text.length, cut })) });
}

/** Starting SanBot and leaving again makes no session: its folder comes with the first record. */
function createdWhenUsed(store: Store, header: HeaderRecord): OpenedLog & { readonly isStored: () => boolean } {
  let created: SessionLog | undefined;
  const log: SessionLog = {
    sessionId: header.sessionId,
    append: (record) => {
      created ??= store.sessions.create(header).log;
      return created.append(record);
    },
    bytesSinceCheckpoint: () => created?.bytesSinceCheckpoint() ?? 0,
    close: () => created?.close(),
  };
  return { log, header, records: [], warnings: [], isStored: () => created !== undefined };
}

/** An earlier session, where it stands, to look at or roll back; opening it changes nothing in it. */
export function openConversation(setting: Setting, sessionId: string): Conversation {
  const opened = setting.store.sessions.open(sessionId);
  const { group, model } = opened.header;
  const late: LateSession = {};
  const files = lateNote();
  const tools = toolsOf({ sessionId, group, model, late, noteFile: files.note }, setting);
  const conversation = converse(opened, { tools, late, files }, setting);
  for (const message of opened.warnings) conversation.deps.emit({ type: 'warning', message });
  const { session, deps } = conversation;
  finishRollback(opened.records, () => setting.store.snapshots.list(sessionId), { session, deps });
  return conversation;
}

/** An earlier session, to go on with. A model that was asked for by name answers from now on; one of a smaller or unknown window is left in `moveTo`. */
export function resumeConversation(setting: Setting, sessionId: string, wanted: { readonly model: string | undefined }): LiveConversation {
  const conversation = openConversation(setting, sessionId);
  const { session, deps } = conversation;
  const other = setting.offline || session.model === OFFLINE_MODEL;
  const name = wanted.model ?? (other ? setting.modelName : session.model);
  const [facts, now] = [deps.model.facts(name), deps.model.facts(session.model)];
  const isSmaller = !other && name !== session.model && (facts.assumed || facts.windowTokens < now.windowTokens);
  if (!isSmaller) session.switchModel(name);
  const unanswered = session.closeOpenCalls();
  if (unanswered > 0)
    deps.emit({
      type: 'warning',
      message: `The session ended in the middle of ${unanswered === 1 ? 'a tool call; it is' : `${unanswered} tool calls; they are`} marked as interrupted.`,
    });
  return begun(isSmaller ? { ...conversation, moveTo: name } : conversation, setting, { resumed: true });
}

const REFLECT_MS = 30_000;

async function reflect({ session, deps }: Conversation, { config, offline, prompt, world }: Setting): Promise<void> {
  if (offline || !config.memory.enabled || config.memory.useModel !== 'session-end') return;
  const { rememberByModel } = await import('../../agent/memory/remember-by-model.ts');
  await rememberByModel(session, deps, { prompt: prompt('memory-extract'), signal: world.deadline(REFLECT_MS) });
}

function begun(conversation: Conversation, setting: Setting, { resumed }: { readonly resumed: boolean }): LiveConversation {
  const { session, deps, close } = conversation;
  const facts = deps.model.facts(session.model);
  deps.emit({ type: 'session_started', resumed, model: session.model, windowTokens: facts.windowTokens, windowAssumed: facts.assumed });
  const before = session.context.messages.at(-1)?.id;
  const wasUsed = () => session.context.messages.at(-1)?.id !== before;
  const { start, renew, end } = hookedLife(conversation, resumed ? 'resume' : 'startup');
  return {
    ...conversation,
    start,
    renew,
    reflect: async () => {
      if (wasUsed()) await reflect(conversation, setting);
    },
    end: async (reason) => {
      if (wasUsed()) rememberSession(session, deps);
      await end(reason);
      deps.emit({ type: 'session_ended', messages: session.context.messages.length });
      close();
    },
  };
}

type Workshop = { readonly tools: readonly Tool[]; readonly late: LateSession; readonly files: LateNote };

function converse(
  opened: OpenedLog & { readonly isStored?: () => boolean },
  { tools, late, files }: Workshop,
  setting: Setting,
): Conversation {
  const { world, store, model, config } = setting;
  const measure = createMeasure(setting.count);
  const bodies = store.bodies(opened.header.sessionId);
  const session = new Session(opened, bodies, { now: world.now, newId: world.newId, measure });
  const noteFile = fileChangeRecorder(session, store.fileVersions(session.id));
  files.begin(noteFile);
  const isStored = opened.isStored ?? (() => true);
  const early: AuditRecord[] = [];
  const emit: Emit = (event) => {
    const record = auditRecord(event, { at: world.now().toISOString(), sessionId: session.id });
    if (record !== undefined) early.push(record);
    if (isStored()) for (const told of early.splice(0)) store.events.append(told);
    setting.show(event);
  };
  const runHooks = hooksOf({ sessionId: session.id, cwd: session.cwd, emit }, setting);
  const deps: AgentDeps = {
    config,
    model,
    canSummarise: !setting.offline,
    toolsFor: () => tools,
    mode: setting.mode,
    allowed: setting.allowed,
    askPermission: setting.askPermission,
    confirm: setting.confirm,
    snapshots: store.snapshots,
    past: (sessionId) => (isStored() ? allRecords(pathsOf(setting.home), sessionId) : []),
    archive: store.archive(session.group),
    memories: store.memories(session.group),
    prompts: () => summaryPrompts(setting),
    renderSystem: () => {
      const { group, model } = session;
      return freezeBase(setting, { group, model, project: projectFor(setting, model), tools: tools.map(({ spec }) => spec) }).system;
    },
    count: setting.count,
    measure,
    emit,
    now: world.now,
    newId: world.newId,
    deadline: world.deadline,
    ...(runHooks !== undefined && { runHooks }),
    checkCompaction: async (compacted) =>
      (await import('./check-compaction.ts')).checkInTime(
        { world, home: setting.home, store, group: session.group },
        session.id,
        compacted,
      ),
  };
  late.sent = () => session.sent.messages;
  late.remember = (wish) => remember({ ...wish, source: 'agent' }, session, deps);
  const close = (): void => {
    dropPreparedSummary('the session was left', session, deps);
    if (runHooks !== undefined) removeTranscript(setting.home, session.id);
    session.close();
  };
  return { session, deps, noteFile, reflect: async () => undefined, close };
}

const summaryPrompts = ({ prompt }: Setting): SummaryPrompts => ({
  first: prompt('compact-summary'),
  update: prompt('compact-update'),
  merge: prompt('compact-merge'),
});

export const promptFolder = (world: World): string => join(world.packageRoot, 'prompts');
