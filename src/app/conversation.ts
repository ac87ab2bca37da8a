import { join } from 'node:path';
import { auditRecord } from '../agent/audit.ts';
import type { AgentDeps, SummaryPrompts } from '../agent/deps.ts';
import type { AskPermission, Confirm, Emit, Model, OpenedLog, SessionLog, Tool } from '../agent/ports.ts';
import { Session } from '../agent/session.ts';
import { limitsFor } from '../context/limits.ts';
import { type CountTokens, createMeasure } from '../context/measure.ts';
import type { Config } from '../domain/config.ts';
import type { AuditRecord } from '../domain/event.ts';
import { textOf } from '../domain/message.ts';
import type { PermissionMode } from '../domain/permission.ts';
import { type HeaderRecord, RECORD_VERSION } from '../domain/record.ts';
import { OFFLINE_MODEL } from '../model/catalog.ts';
import { pathsOf } from '../store/paths.ts';
import type { Store } from '../store/store.ts';
import type { Recall } from '../tools/recall.ts';
import { createTools } from '../tools/tools.ts';
import { type FrozenBase, frozenBase, type SystemPrompt } from './frozen-base.ts';
import type { World } from './world.ts';

/** What a conversation is made with; the same for all conversations of one process. */
export type Setting = {
  readonly world: World;
  readonly home: string;
  readonly config: Config;
  readonly store: Store;
  readonly model: Model;
  readonly modelName: string;
  /** The built-in model without a language model: it cannot summarise. */
  readonly offline: boolean;
  /** Counts only once `ready` has resolved: the tokenizer takes longer to load than all the rest. */
  readonly count: CountTokens;
  readonly ready: () => Promise<void>;
  readonly prompt: (name: string) => string;
  readonly mode: PermissionMode;
  readonly allowed: ReadonlySet<string>;
  readonly askPermission: AskPermission;
  readonly confirm: Confirm;
  /** Where events go beside the audit log. */
  readonly show: Emit;
};

export type Conversation = { readonly session: Session; readonly deps: AgentDeps; readonly close: () => void };

/** A new session in the working folder. */
export function startConversation(setting: Setting, group: string): Conversation {
  const { store, world, modelName } = setting;
  const sessionId = store.sessions.newSessionId();
  const tools = toolsOf({ sessionId, group, model: modelName }, setting);
  const context = { ...baseOf(tools, modelName, { setting, group }), shortTermSummary: '', messages: [], anchorFloor: 0 };
  const opened = createdWhenUsed(store, {
    type: 'header',
    v: RECORD_VERSION,
    sessionId,
    group,
    cwd: world.cwd(),
    model: modelName,
    context,
  });
  return begun(converse(opened, tools, setting), { resumed: false });
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
  const conversation = converse(opened, toolsOf(opened.header, setting), setting);
  for (const message of opened.warnings) conversation.deps.emit({ type: 'warning', message });
  return conversation;
}

/** An earlier session, to go on with. A model that was asked for by name answers from now on. */
export function resumeConversation(setting: Setting, sessionId: string, wanted: { readonly model: string | undefined }): Conversation {
  const conversation = openConversation(setting, sessionId);
  const { session, deps } = conversation;
  const other = setting.offline || session.model === OFFLINE_MODEL;
  session.switchModel(wanted.model ?? (other ? setting.modelName : session.model));
  const unanswered = session.closeOpenCalls();
  if (unanswered > 0)
    deps.emit({
      type: 'warning',
      message: `The session ended in the middle of ${unanswered === 1 ? 'a tool call; it is' : `${unanswered} tool calls; they are`} marked as interrupted.`,
    });
  return begun(conversation, { resumed: true });
}

function begun(conversation: Conversation, { resumed }: { readonly resumed: boolean }): Conversation {
  const { session, deps, close } = conversation;
  const facts = deps.model.facts(session.model);
  deps.emit({ type: 'session_started', resumed, model: session.model, windowTokens: facts.windowTokens, windowAssumed: facts.assumed });
  return {
    ...conversation,
    close: () => {
      deps.emit({ type: 'session_ended', messages: session.context.messages.length });
      close();
    },
  };
}

function converse(opened: OpenedLog & { readonly isStored?: () => boolean }, tools: readonly Tool[], setting: Setting): Conversation {
  const { world, store, model, config } = setting;
  const measure = createMeasure(setting.count);
  const bodies = store.bodies(opened.header.sessionId);
  const session = new Session(opened, bodies, { now: world.now, newId: world.newId, measure });
  const isStored = opened.isStored ?? (() => true);
  const early: AuditRecord[] = [];
  const emit: Emit = (event) => {
    const record = auditRecord(event, { at: world.now().toISOString(), sessionId: session.id });
    if (record !== undefined) early.push(record);
    if (isStored()) for (const told of early.splice(0)) store.events.append(told);
    setting.show(event);
  };
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
    archive: store.archive(session.group),
    memories: store.memories(session.group),
    prompts: () => summaryPrompts(setting),
    renderSystem: () => baseOf(tools, session.model, { setting, group: session.group }).system,
    count: setting.count,
    measure,
    emit,
    now: world.now,
    newId: world.newId,
    deadline: world.deadline,
  };
  return { session, deps, close: () => session.close() };
}

/**
 * The system prompt is frozen, so what has changed since the last message is said in a flagged message of its own. Called when a
 * turn is about to begin, so that only looking at a session writes nothing.
 */
export function tellChanges({ session }: Conversation, world: World): void {
  const last = session.context.messages.at(-1);
  if (last === undefined) return;
  const today = world.now().toISOString().slice(0, 10);
  const changes = [
    ...(last.at.slice(0, 10) === today ? [] : [`The date is now ${today}.`]),
    ...(workingFolder(session) === world.cwd() ? [] : [`The working folder is now ${world.cwd()}.`]),
  ];
  if (changes.length === 0) return;
  const content = [{ type: 'text', text: changes.join('\n') }];
  session.appendOrForget({ type: 'message', message: session.message({ role: 'user', origin: 'notice', content }) });
}

/** The folder that the newest notice names, or where the session began. */
function workingFolder(session: Session): string {
  const notices = session.context.messages.filter((message) => message.origin === 'notice').map((message) => textOf(message.content));
  const named = notices.map((text) => /^The working folder is now (.+)\.$/m.exec(text)?.[1]);
  return named.findLast((folder) => folder !== undefined) ?? session.cwd;
}

type Owner = { readonly sessionId: string; readonly group: string; readonly model: string };

function toolsOf(owner: Owner, setting: Setting): readonly Tool[] {
  const { world, home, store, prompt, config, model } = setting;
  const { sessionId } = owner;
  const paths = pathsOf(home);
  const bodies = store.bodies(sessionId);
  return createTools({
    cwd: world.cwd(),
    home,
    sessionFolder: paths.session(sessionId),
    env: world.env,
    prompts: (name) => prompt(`tools/${name}`),
    pageChars: limitsFor(config, model.facts(owner.model).windowTokens).resultChars,
    readBody: bodies.readPath,
    platform: world.platform,
    shell: '/bin/sh',
    recall: recallOf(owner, setting),
    now: world.now,
    newId: world.newId,
    kill: (pid, signal) => world.kill(pid, signal),
  });
}

/** The database is loaded when something is looked up, and not before. */
function recallOf({ sessionId, group }: Owner, { world, home, store, show }: Setting): Recall {
  const place = { world, home, store, group, tell: (message: string) => show({ type: 'warning', message }) };
  return {
    search: async (wish, signal) => (await import('./recall.ts')).search(place, { ...wish, besideTurnOf: sessionId }, signal),
    open: async (ref, signal) => (await import('./recall.ts')).openRef(place, ref, signal),
  };
}

const summaryPrompts = ({ prompt }: Setting): SummaryPrompts => ({
  first: prompt('compact-summary'),
  update: prompt('compact-update'),
  merge: prompt('compact-merge'),
});

/** At most so much of a file that a person writes goes into every request. */
const INSTRUCTIONS_BYTES = 32 * 1024;

type Whose = { readonly setting: Setting; readonly group: string };

const baseOf = (tools: readonly Tool[], model: string, { setting, group }: Whose): FrozenBase =>
  frozenBase(
    { render: (prompt) => renderSystem(prompt, { setting, group }), tools: tools.map((tool) => tool.spec) },
    { config: setting.config, windowTokens: setting.model.facts(model).windowTokens },
  );

/** In the order of the prompt cache: what changes least comes first. */
function renderSystem(name: SystemPrompt, { setting, group }: Whose): string {
  const { world, home, store, prompt } = setting;
  const paths = pathsOf(home);
  const base = prompt(name)
    .replaceAll('{{cwd}}', () => world.cwd())
    .replaceAll('{{platform}}', () => world.platform)
    .replaceAll('{{date}}', () => world.now().toISOString().slice(0, 10));
  const soul = store.readText(paths.soul(group), INSTRUCTIONS_BYTES);
  const standing = store.readText(paths.instructions(group), INSTRUCTIONS_BYTES);
  return [
    base.trim(),
    soul && `Who you are, as the user wrote it:\n\n${soul.trim()}`,
    standing && `Standing instructions of the user for the group "${group}":\n\n${standing.trim()}`,
  ]
    .filter((part) => part !== undefined && part !== '')
    .join('\n\n');
}

export const promptFolder = (world: World): string => join(world.packageRoot, 'prompts');
