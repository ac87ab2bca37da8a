/**
 * A session with all that works on it: its log, the agent's dependencies, its tools and its hooks. A new one gets its prompt and the specs
 * of its tools first, then its log, and the tools last, since they work on a session that is open.
 *
 * `openConversation` is for looking at a session and rolling it back: it runs no hooks and changes nothing by being opened. `start` and
 * `resume` give a live one, in which somebody can speak; `say` then takes every step before a turn, whoever the front end is.
 *
 * Starting SanBot and leaving again leaves no session behind: the folder comes with the first record, and events before it wait for
 * it. Nothing is asked or shown here except through the ports that the runtime was given.
 */

import { dropPreparedSummary } from '../../agent/compaction/prepared-summary.ts';
import { type AgentDeps, reportInstructions, warn } from '../../agent/deps.ts';
import { remember } from '../../agent/memory/remember.ts';
import type { Bodies, LeftOutFiles, OpenedLog, SessionLog } from '../../agent/ports/disk.ts';
import type { Emit } from '../../agent/ports/effects.ts';
import type { Helpers, RunHooks } from '../../agent/ports/tools.ts';
import { finishRollback } from '../../agent/rollback/rewind.ts';
import { auditRecord } from '../../agent/session/audit.ts';
import { fileChangeRecorder } from '../../agent/session/file-change-recorder.ts';
import { Session } from '../../agent/session/session.ts';
import { leftOutWarning } from '../../context/history/left-out-text.ts';
import { withoutText } from '../../context/prompt/system-prompt.ts';
import { withEffort } from '../../domain/config/effort.ts';
import { SanbotError } from '../../domain/errors.ts';
import type { AuditRecord } from '../../domain/event.ts';
import { type HeaderRecord, RECORD_VERSION } from '../../domain/session/record.ts';
import { OFFLINE_MODEL } from '../../model/catalog.ts';
import { pathsOf } from '../../store/files/paths.ts';
import { peekSession, recordsHere } from '../../store/session/peek-session.ts';
import type { Jobs } from '../../tools/command/jobs/jobs.ts';
import { createHelpers } from '../helper/helper.ts';
import { measureFor } from '../models/models.ts';
import { plansOf } from '../plan/plans.ts';
import { folderInstructions, freezePrompt, projectFor, summaryPrompts } from '../prompt/render-system.ts';
import type { Runtime } from '../runtime.ts';
import { recallContextOf } from '../runtime.ts';
import type { Flags } from '../settings.ts';
import { createHookRunner } from './hooks/hook-runner.ts';
import { removeTranscript } from './hooks/hook-transcript.ts';
import { createLiveConversation } from './live-conversation.ts';
import { createOnFirstAppend, type NewLog } from './log-on-first-append.ts';
import { interruptedText, killedText, ongoingLines } from './ongoing.ts';
import { embedInBackground } from './recall/embed-in-background.ts';
import { createSessionActs } from './session-acts.ts';
import { createSessionJobs, createSessionTools, sessionToolSpecs } from './session-tools.ts';
import type { Conversation, LiveConversation } from './types.ts';

/** A new session in the working folder. `id` is one that was given out for it before. */
export function startConversation(runtime: Runtime, group: string, id?: string): LiveConversation {
  const { store, environment, modelName } = runtime;
  const sessionId = id ?? store.sessions.newSessionId();
  const project = projectFor(runtime, modelName);
  const base = freezePrompt(runtime, { group, project, model: modelName, tools: sessionToolSpecs(runtime) });
  const endpoint = runtime.model.endpointOf?.(modelName);
  const context = { ...base, shortTermSummary: '', messages: [], anchorFloor: 0 };
  const openedLog = createOnFirstAppend(store, {
    type: 'header',
    v: RECORD_VERSION,
    sessionId,
    group,
    cwd: environment.cwd(),
    model: modelName,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(runtime.interactive ? {} : { unattended: true as const }),
    context,
  });
  const conversation = createConversation(openedLog, runtime);
  const files = project.instructions.map(withoutText);
  reportInstructions(conversation.deps.report.emit, files, project.unread);
  return createLiveConversation(conversation, { resumed: false, pendingModel: undefined }, runtime);
}

/** An earlier session, where it stands, to look at or roll back; opening it changes nothing in it. */
export function openConversation(runtime: Runtime, sessionId: string): Conversation {
  const openedLog = runtime.store.sessions.open(sessionId);
  const conversation = createConversation(openedLog, runtime);
  for (const message of openedLog.warnings) warn(conversation.deps.report.emit, message);
  const { session, deps } = conversation;
  finishRollback(openedLog.records, () => runtime.store.snapshots.list(sessionId), { session, deps });
  return conversation;
}

/** A session as it stands on disk, also while another process has it open: without its lock, and nothing can be written to it. */
export function viewConversation(runtime: Runtime, sessionId: string): Conversation {
  const { header, records, warnings } = peekSession(pathsOf(runtime.home), sessionId);
  const refuse = (): never => {
    throw new Error('A session that is only looked at cannot be written to');
  };
  const log: SessionLog = { sessionId, append: refuse, bytesSinceCheckpoint: () => 0, close: () => undefined };
  return createConversation({ log, header, records, warnings }, runtime);
}

/** An earlier session, to go on with. A model that was asked for by name answers from now on; one of a smaller or unknown window from the next turn on. */
export function resumeConversation(runtime: Runtime, sessionId: string, options: Pick<Flags, 'model' | 'effort'>): LiveConversation {
  const conversation = openConversation(runtime, sessionId);
  const { session, deps } = conversation;
  const kept = options.model === undefined ? resumedModel(conversation, runtime) : availableModel(options.model, runtime);
  const name = runtime.models.isOffline(kept) ? kept : withEffort(kept, options.effort, kept, session.model);
  const usesOffline = runtime.models.isOffline(name) || session.model === OFFLINE_MODEL;
  runtime.models.resumeWith(name);
  const [requestedFacts, currentFacts] = [deps.model.facts(name), deps.model.facts(session.model)];
  const isSmaller =
    !usesOffline && name !== session.model && (requestedFacts.assumed || requestedFacts.windowTokens < currentFacts.windowTokens);
  if (!isSmaller) session.switchModel(name, deps.model.endpointOf?.(name));
  const unanswered = session.closeOpenCalls();
  if (unanswered > 0) warn(deps.report.emit, interruptedText(unanswered));
  const killed = session.helpers.killed();
  if (killed.length > 0) warn(deps.report.emit, killedText(killed));
  return createLiveConversation(conversation, { resumed: true, pendingModel: isSmaller ? name : undefined }, runtime);
}

/** A session keeps its model and its endpoint; what was held offline goes on with whatever model there is now. */
function resumedModel({ session, close }: Conversation, runtime: Runtime): string {
  const { model, endpoint } = session;
  if (model === OFFLINE_MODEL) return runtime.modelName;
  if (runtime.models.keepEndpoint({ model, endpoint })) return model;
  if (runtime.offline) return runtime.modelName;
  close();
  throw new SanbotError(
    'usage',
    {
      en: `The session used ${model} at ${endpoint ?? 'Anthropic'}, which is not configured here`,
      zh: `该会话使用 ${endpoint ?? 'Anthropic'} 的 ${model}，此处没有配置`,
    },
    {
      en: 'Configure it again (sanbot config path names the file), or go on with another model: --model NAME.',
      zh: '请重新配置（sanbot config path 显示文件），或用另一个模型继续：--model NAME。',
    },
  );
}

/** Where nobody is asked, the offline model answers for every name. */
const availableModel = (name: string, { models: { isOffline, fullName } }: Runtime): string =>
  isOffline(fullName(name)) ? OFFLINE_MODEL : fullName(name);

function createConversation(openedLog: OpenedLog & Partial<NewLog>, runtime: Runtime): Conversation {
  const { environment, store, config } = runtime;
  const measure = measureFor(runtime, () => session.model);
  const stored = store.bodies(openedLog.header.sessionId);
  const save: Bodies['save'] = (body) => {
    openedLog.begin?.();
    return stored.save(body);
  };
  const session = new Session(openedLog, { ...stored, save }, { now: environment.now, newId: environment.newId, measure });
  const isStored = openedLog.isStored ?? (() => true);
  const { embeddings } = runtime;
  const embedding = embedInBackground(() =>
    embeddings === undefined || !isStored() ? undefined : { ...recallContextOf(runtime, session.group), embeddings },
  );
  const audit = createAudit(session.id, isStored, runtime);
  const emit: Emit = (event) => {
    audit(event);
    if (runtime.interactive || event.type !== 'turn_ended') embedding.hear(event);
  };
  const jobs = createSessionJobs(session.id, runtime);
  const past = (sessionId: string) => (isStored() ? recordsHere(pathsOf(runtime.home), sessionId) : []);
  const tell = (left: LeftOutFiles): void => warn(emit, leftOutWarning(left));
  const owner = { store: () => openedLog.begin?.(), past: () => past(session.id), tell };
  const acts = createSessionActs({ session, jobs, ...owner }, runtime);
  const recorder = fileChangeRecorder(session, { changes: acts.changes, newId: environment.newId });
  const runHooks = createHookRunner({ sessionId: session.id, cwd: session.cwd, emit, acts }, runtime);
  const deps: AgentDeps = {
    config,
    model: modelOf(session, runtime),
    clock: { now: environment.now, newId: environment.newId, deadline: environment.deadline, idleMs: runtime.idle.ms },
    report: {
      emit,
      checkCompaction: async (compaction) => (await import('./recall/recall.ts')).checkWithTimeout(runtime, session, compaction),
    },
    person: personOf(runtime, runHooks),
    disk: {
      ...{ snapshots: store.snapshots, past, acts },
      archive: store.archive(session.group),
      memories: store.memories(session.group),
    },
    prompts: promptsOf(session, jobs, runtime),
    measure,
  };
  const tools = createAllTools({ session, deps, header: openedLog.header, fileChangeRecorder: recorder, jobs, acts }, runtime);
  const close = (): void => {
    embedding.stop();
    dropPreparedSummary({ en: 'the session was left', zh: '已离开会话' }, session, deps);
    if (runHooks !== undefined) removeTranscript(runtime.home, session.id);
    session.close();
  };
  return { session, deps, tools, fileChangeRecorder: recorder, acts, changes: acts.changes, jobs, close };
}

type ToolParts = Pick<Conversation, 'session' | 'deps' | 'fileChangeRecorder' | 'jobs' | 'acts'> & { readonly header: HeaderRecord };

/** The tools of a session; its helpers get theirs when they begin. */
function createAllTools({ session, deps, ...parts }: ToolParts, runtime: Runtime): Conversation['tools'] {
  const toolsFor = (owner: Session, helper?: string, helpers?: Helpers): Conversation['tools'] =>
    createSessionTools(
      {
        ...{ ...parts, fileChangeRecorder: () => parts.fileChangeRecorder(helper), model: () => owner.model },
        ...{ sentMessages: () => owner.sent.messages, cwd: owner.cwd === session.cwd ? undefined : owner.cwd },
        remember: (request) => remember({ ...request, source: 'agent' }, session, deps),
        person: deps.person,
        ...(helpers !== undefined && { helpers, plans: plansOf({ session, deps }, runtime) }),
      },
      runtime,
    );
  const helpers = createHelpers({ session, deps, specs: () => sessionToolSpecs(runtime), createTools: toolsFor, runtime });
  return toolsFor(session, undefined, helpers);
}

/** What the agent knows of the person; the permission mode may change at any time. */
function personOf(runtime: Runtime, runHooks: RunHooks | undefined): AgentDeps['person'] {
  const { modes, interactive, allowed, permissions, trustsFolder, askPermission, confirm } = runtime;
  return {
    get mode() {
      return modes.current();
    },
    ...{ interactive, allowed, permissions, trustsFolder, askPermission, confirm },
    ...(runHooks !== undefined && { runHooks }),
  };
}

const promptsOf = (session: Session, jobs: Jobs, runtime: Runtime): AgentDeps['prompts'] => ({
  summary: () => summaryPrompts(runtime),
  ongoing: () => ongoingLines(session, jobs, runtime.environment.now()),
  folder: folderInstructions(runtime, () => session.model),
  base: (model) =>
    freezePrompt(runtime, { group: session.group, model, project: projectFor(runtime, model), tools: sessionToolSpecs(runtime) }),
});

/** Whether it can summarise may change with the model of the session. */
const modelOf = (session: Session, { model, models, fallbackModel: fallback }: Runtime): AgentDeps['model'] => ({
  ...model,
  ...(fallback !== undefined && { fallback }),
  get canSummarise() {
    return !models.isOffline(session.model);
  },
});

/** To the audit log and to the screen. What happens before the session is stored waits for its folder. */
function createAudit(sessionId: string, isStored: () => boolean, { environment, store, show }: Runtime): Emit {
  const backlog: AuditRecord[] = [];
  return (event) => {
    const record = auditRecord(event, { at: environment.now().toISOString(), sessionId });
    if (record !== undefined) backlog.push(record);
    if (isStored()) for (const entry of backlog.splice(0)) store.events.append(entry);
    show(event);
  };
}
