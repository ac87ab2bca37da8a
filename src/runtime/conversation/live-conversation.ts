import { rememberSession } from '../../agent/memory/remember.ts';
import { clearContext } from '../../agent/rollback/rollback.ts';
import { changeModel } from '../../agent/turn/change-model.ts';
import { runPersonCommand } from '../../agent/turn/person/person-command.ts';
import { runTurn, type TurnOptions } from '../../agent/turn/turn.ts';
import { requirePrices } from '../models/cost-limit.ts';
import type { Runtime } from '../runtime.ts';
import { attach } from './attachments.ts';
import { appendChangeNotices } from './change-notices.ts';
import { createSessionHooks } from './hooks/session-hooks.ts';
import { appendOngoing } from './ongoing.ts';
import { steerBy } from './steer.ts';
import type { Conversation, LiveConversation } from './types.ts';

export type LiveOptions = {
  readonly resumed: boolean;
  /** A model that was asked for and whose window is or may be smaller: before the first turn the present one makes room. */
  readonly pendingModel: string | undefined;
};

/** Lets a conversation go on. */
export function createLiveConversation(conversation: Conversation, options: LiveOptions, runtime: Runtime): LiveConversation {
  const { session, deps, tools, jobs, close } = conversation;
  const { model, fallbackModels } = runtime.config.compaction;
  refuseUnpriced([session.model, options.pendingModel, model, ...fallbackModels], deps, runtime);
  const { resumed } = options;
  emitStart(conversation, resumed);
  const lastId = session.context.messages.at(-1)?.id;
  const wasUsed = () => session.context.messages.at(-1)?.id !== lastId;
  const hooks = createSessionHooks(conversation, { source: resumed ? 'resume' : 'startup', sleep: runtime.environment.sleep });
  let { pendingModel } = options;
  let isFirst = resumed;
  return {
    ...conversation,
    resumed,
    say: async (text, signal, nextQueued) => {
      runtime.mcp.start();
      await hooks.start(signal);
      const nextModel = pendingModel;
      pendingModel = undefined;
      if (nextModel !== undefined) await changeModel(nextModel, session, deps, signal);
      appendChangeNotices(session, runtime);
      appendOngoing(session, jobs, { now: runtime.environment.now(), all: isFirst });
      isFirst = false;
      await hooks.submit(text, signal);
      const attachments = await attach(text, conversation, runtime, signal);
      const nextSteering = nextQueued && steerBy(nextQueued, { submit: hooks.submit, conversation, runtime });
      return hooks.turn(runTurn(text, session, deps, { ...turnBounds(runtime), signal, tools, attachments, nextSteering }));
    },
    runCommand: async (command, signal) => {
      return runPersonCommand(command, session, deps, { tools, signal });
    },
    changeModel: async (name, signal) => {
      refuseUnpriced([name], deps, runtime);
      await changeModel(name, session, deps, signal);
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
      deps.report.emit({ type: 'session_ended', messages: session.context.messages.length });
      close();
    },
  };
}

function refuseUnpriced(
  names: readonly (string | undefined | null)[],
  { model }: Pick<Conversation['deps'], 'model'>,
  { costLimited }: Runtime,
): void {
  if (costLimited)
    requirePrices(
      names.filter((name) => typeof name === 'string'),
      model,
    );
}

/** `timeout` begins with the turn. */
function turnBounds({ config, environment, maxTurnSeconds }: Runtime): Pick<TurnOptions, 'maxSteps' | 'timeout'> {
  const timeout = maxTurnSeconds === undefined ? undefined : environment.deadline(maxTurnSeconds * 1_000);
  return { maxSteps: config.agent.maxSteps ?? Number.POSITIVE_INFINITY, timeout };
}

function emitStart({ session, deps }: Conversation, resumed: boolean): void {
  const { windowTokens, assumed } = deps.model.facts(session.model);
  deps.report.emit({ type: 'session_started', resumed, model: session.model, windowTokens, windowAssumed: assumed });
}

const REFLECT_MS = 30_000;

async function reflect({ session, deps }: Conversation, { config, models, prompt, environment }: Runtime): Promise<void> {
  if (models.isOffline(session.model) || !config.memory.enabled || config.memory.useModel !== 'session-end') return;
  const { rememberByModel } = await import('../../agent/memory/remember-by-model.ts');
  await rememberByModel(session, deps, { prompt: prompt('memory-extract'), signal: environment.deadline(REFLECT_MS) });
}
