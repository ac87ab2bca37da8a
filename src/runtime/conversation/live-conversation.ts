import { type AgentDeps, warn } from '../../agent/deps.ts';
import { HOOK_NOTICE } from '../../agent/hooks/hooks.ts';
import { rememberSession } from '../../agent/memory/remember.ts';
import { clearContext } from '../../agent/rollback/rollback.ts';
import type { Session } from '../../agent/session/session.ts';
import { changeModel } from '../../agent/turn/change-model.ts';
import { runPersonCommand } from '../../agent/turn/person-input.ts';
import { changeNews } from '../../agent/turn/record-changes.ts';
import { type NextSteering, runTurn, type TurnOptions } from '../../agent/turn/turn.ts';
import { leftOutWarning } from '../../context/history/left-out-text.ts';
import { folderNotice, foldersNotice, modeNotice, workingFolderIn } from '../../context/history/notices.ts';
import { promptChanges } from '../../context/prompt/prompt-changes.ts';
import { APPENDED } from '../../context/prompt/system-prompt.ts';
import { noEffortText, splitEffort } from '../../domain/config/effort.ts';
import { errorReason, SanbotError } from '../../domain/errors.ts';
import { because } from '../../domain/language.ts';
import { type Message, textOf } from '../../domain/session/message.ts';
import { requirePrices } from '../models/cost-limit.ts';
import { projectFor, renderMemory } from '../prompt/render-system.ts';
import type { Runtime } from '../runtime.ts';
import { attach } from './attachments.ts';
import { createSessionHooks, type SessionHooks } from './hooks/hook-transcript.ts';
import { appendServerNotice } from './mcp.ts';
import { appendOngoing } from './ongoing.ts';
import type { SessionActs } from './session-acts.ts';
import type { Conversation, LiveConversation, NextQueued } from './types.ts';

type LiveOptions = {
  readonly resumed: boolean;
  /** A model that was asked for and whose window is or may be smaller: before the first turn the present one makes room. */
  readonly pendingModel: string | undefined;
};

/** Lets a conversation go on. */
export function createLiveConversation(conversation: Conversation, options: LiveOptions, runtime: Runtime): LiveConversation {
  const { session, deps, tools, jobs, acts, close } = conversation;
  const { model, fallbackModels } = runtime.config.compaction;
  if (runtime.costLimited)
    requirePrices([session.model, options.pendingModel, runtime.fallbackModel, model, ...fallbackModels], deps.model);
  const { resumed } = options;
  const { windowTokens, assumed: windowAssumed } = deps.model.facts(session.model);
  deps.report.emit({ type: 'session_started', resumed, model: session.model, windowTokens, windowAssumed });
  warnOfEffort(conversation);
  const lastId = session.context.messages.at(-1)?.id;
  const wasUsed = () => session.context.messages.at(-1)?.id !== lastId;
  const hooks = createSessionHooks(conversation, { source: resumed ? 'resume' : 'startup', sleep: runtime.environment.sleep });
  let { pendingModel } = options;
  let isFirst = resumed;
  return {
    ...conversation,
    resumed,
    say: async (text, signal, nextQueued, media = []) => {
      runtime.mcp.start();
      await hooks.start(signal);
      const nextModel = pendingModel;
      pendingModel = undefined;
      if (nextModel !== undefined) await changeModel(nextModel, session, deps, signal);
      appendChangeNotices(session, runtime);
      await appendOngoing(session, jobs, { now: runtime.environment.now(), all: isFirst, changes: () => changeNews(deps) });
      isFirst = false;
      await hooks.submit(text, signal);
      const attachments = [...(await attach(text, conversation, runtime, signal)), ...media];
      const nextSteering = nextQueued && steerBy(nextQueued, { submit: hooks.submit, conversation, runtime });
      return hooks.turn(runTurn(text, session, deps, { ...turnBounds(runtime), signal, tools, attachments, nextSteering }));
    },
    runCommand: (command, signal) => runPersonCommand(command, session, deps, { tools, signal }),
    changeModel: async (name, signal) => {
      if (runtime.costLimited) requirePrices([name], deps.model);
      await changeModel(name, session, deps, signal);
      warnOfEffort(conversation);
      pendingModel = undefined;
    },
    clear: async () => {
      clearContext(session, deps);
      hooks.renew('clear');
    },
    reflect: async () => {
      if (wasUsed()) await reflect(conversation, runtime);
    },
    end: async (reason) => {
      if (wasUsed()) rememberSession(session, deps);
      const left = await jobs.leave();
      if (left.length > 0) deps.report.emit({ type: 'jobs_ended', jobs: left.map(({ name, command }) => ({ name, command })) });
      await hooks.end(reason);
      await leave(acts, deps);
      deps.report.emit({ type: 'session_ended', messages: session.context.messages.length });
      close();
    },
  };
}

function warnOfEffort({ session, deps }: Conversation): void {
  const { name, effort } = splitEffort(session.model);
  if (effort !== undefined && deps.model.facts(name).takesEffort === false) warn(deps.report.emit, noEffortText(name));
}

async function leave(acts: SessionActs, { report }: AgentDeps): Promise<void> {
  try {
    const left = await acts.leave();
    if (left !== undefined) warn(report.emit, leftOutWarning(left));
  } catch (error) {
    warn(
      report.emit,
      because({ en: 'What commands in the background changed was not written down', zh: '没有记录后台命令所做的更改' }, errorReason(error)),
    );
  }
}

/** `timeout` begins with the turn. */
function turnBounds({ config, environment, maxTurnSeconds }: Runtime): Pick<TurnOptions, 'maxSteps' | 'timeout'> {
  const timeout = maxTurnSeconds === undefined ? undefined : environment.deadline(maxTurnSeconds * 1_000);
  return { maxSteps: config.agent.maxSteps ?? Number.POSITIVE_INFINITY, timeout };
}

const REFLECT_MS = 30_000;

async function reflect({ session, deps }: Conversation, { config, models, prompt, environment }: Runtime): Promise<void> {
  if (models.isOffline(session.model) || !config.memory.enabled || config.memory.useModel !== 'session-end') return;
  const { rememberByModel } = await import('../../agent/memory/remember-by-model.ts');
  await rememberByModel(session, deps, { prompt: prompt('memory-extract'), signal: environment.deadline(REFLECT_MS) });
}

/**
 * The system prompt is frozen, so what has changed since the last message is said in flagged messages, one for each kind: the newest of
 * each kind outlives every compaction. Called when a turn is about to begin, so that only looking at a session writes nothing.
 */
function appendChangeNotices(session: Session, runtime: Runtime): void {
  appendServerNotice(session, runtime.mcp);
  appendNotice(session, modeNotice(runtime.modes.current(), session.context));
  appendNotice(session, foldersNotice(runtime.folders(), session.context.messages));
  const { system } = session.context;
  appendNotice(session, addedNotice(runtime.appendSystem, session.context));
  // What a hook says has just been added, and tells nothing of the day on which the work was left.
  const messages = session.context.messages.filter(({ notice }) => notice !== HOOK_NOTICE);
  const last = messages.at(-1);
  if (last === undefined) return;
  const project = projectFor(runtime, session.model);
  const options = { group: session.group, project, model: session.model };
  const currentState = {
    project,
    memory: renderMemory(runtime, options, { exceptSession: session.id }),
    allMemory: renderMemory(runtime, options, { unlimited: true }),
  };
  const isSameFolder = (workingFolderIn(session.context.messages) ?? session.cwd) === project.cwd;
  const notices = [
    ...(last.at.slice(0, 10) === project.date ? [] : [{ notice: 'date', content: textContent(`The date is now ${project.date}.`) }]),
    ...(isSameFolder ? [] : [folderNotice(project.cwd)]),
    ...promptChanges(system, messages, currentState).map(({ notice, text }) => ({ notice, content: textContent(text) })),
  ];
  for (const notice of notices) appendNotice(session, notice);
}

/** What this run adds to the system prompt of a session that was begun without it; undefined where it knows. */
function addedNotice(text: string, { system, messages }: Session['context']): Pick<Message, 'notice' | 'content'> | undefined {
  const content = textContent(`${APPENDED}\n\n${text}`);
  const isTold =
    system.includes(textOf(content)) || textOf(messages.findLast(({ notice }) => notice === 'added')?.content ?? []) === textOf(content);
  return text === '' || isTold ? undefined : { notice: 'added', content };
}

function appendNotice(session: Session, notice: Pick<Message, 'notice' | 'content'> | undefined): void {
  if (notice === undefined) return;
  session.appendOrDiscard({ type: 'message', message: session.message({ role: 'user', origin: 'notice', ...notice }) });
}

const textContent = (text: string): Message['content'] => [{ type: 'text', text }];

type SteerParts = Pick<SessionHooks, 'submit'> & {
  readonly conversation: Pick<Conversation, 'session' | 'deps' | 'tools'>;
  readonly runtime: Parameters<typeof attach>[2];
};

/** What waits, shown to the UserPromptSubmit hooks first as every message is: one that they block is told and left out. */
export const steerBy =
  (nextQueued: NextQueued, { submit, conversation, runtime }: SteerParts): NextSteering =>
  async (signal) => {
    for (let text = nextQueued(); text !== undefined; text = nextQueued()) {
      try {
        await submit(text, signal);
        return { text, attachments: await attach(text, conversation, runtime, signal) };
      } catch (error) {
        if (!(error instanceof SanbotError) || error.code !== 'refused') throw error;
        warn(conversation.deps.report.emit, error.shown.message);
      }
    }
    return undefined;
  };
