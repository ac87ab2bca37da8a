import { realpathSync } from 'node:fs';
import type { Emit } from '../../agent/ports/effects.ts';
import { leftOutWarning } from '../../context/history/left-out-text.ts';
import type { Effort } from '../../domain/config/effort.ts';
import { errorReason, SanbotError } from '../../domain/errors.ts';
import type { SanbotEvent } from '../../domain/event.ts';
import { because, type Warn } from '../../domain/language.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { areNear } from '../../store/held-acts.ts';
import type { Environment } from '../environment.ts';
import { buildRuntime, type Runtime, type RuntimeOptions } from '../runtime.ts';
import { consolidateDaily } from './consolidate-daily.ts';
import { openConversation, resumeConversation, startConversation } from './conversation.ts';
import type { LiveConversation } from './types.ts';

/** A list that can be asked for has all of them. */
const MAX_PROBLEMS = 5;

/**
 * The one door to conversations, for every front end: a runtime with what a start tells and what earlier processes left undone. `group` is that
 * of new sessions. Whoever opened it closes its MCP servers.
 */
export async function openRuntime(environment: Environment, { group, ...options }: RuntimeOptions & { readonly group: string }) {
  const runtime = await buildRuntime(environment, options);
  const { skills, commands } = runtime;
  const problems = [...skills.problems, ...runtime.agents.problems, ...(runtime.interactive ? commands.problems : [])];
  for (const problem of problems.slice(0, MAX_PROBLEMS)) options.warn(problem);
  await finishHeldActs(runtime, options.warn);
  await consolidateDaily(runtime, group);
  return runtime;
}

export type ConversationStart = {
  /** That of a new session. */
  readonly group: string;
  /** The id of the session to go on with; undefined for a new one. */
  readonly resume: string | undefined;
  /** The id of a new one, where it is to have a certain one. */
  readonly newId?: string | undefined;
  readonly model?: string | undefined;
  readonly effort?: Effort | undefined;
};

export const openLiveConversation = (runtime: Runtime, { group, resume, newId, model, effort }: ConversationStart): LiveConversation =>
  resume === undefined
    ? startConversation(runtime, group, newId && freeId(runtime, newId))
    : resumeConversation(runtime, resume, { model, effort });

/** Throws usage where another session has it. */
function freeId({ store }: Runtime, id: string): string {
  if (!store.sessions.has(id)) return id;
  throw new SanbotError(
    'usage',
    { en: `--session-id ${id}: there is a session of this id`, zh: `--session-id ${id}：已有此 id 的会话` },
    { en: `Continue it with --resume ${id}, or give another id.`, zh: `用 --resume ${id} 继续，或给出另一个 id。` },
  );
}

/** Keeps the events of a conversation that opens until there is somebody to hear them. */
export function holdEvents() {
  const held: SanbotEvent[] = [];
  let hear: Emit = (event) => void held.push(event);
  return {
    show: (event: SanbotEvent): void => hear(event),
    release: (listener: Emit): void => {
      hear = listener;
      for (const event of held.splice(0)) listener(event);
    },
  };
}

/**
 * What commands in the sandbox left that runs later, and a killed process could not put back, is put back and told, whichever session they
 * were of. To be called before anything of a conversation in this folder runs. A session that is open elsewhere is left to whoever has it.
 * Never rejects; reads one name where there is nothing.
 */
export async function finishHeldActs(runtime: Runtime, warn: Warn): Promise<void> {
  const { store, environment } = runtime;
  const here = orUndefined(() => realpathSync(environment.cwd())) ?? environment.cwd();
  const places = [here, ...runtime.folders()];
  for (const { sessionId } of store.heldActs.all().filter(({ folders }) => areNear(folders, places))) {
    if (!store.sessions.has(sessionId)) store.heldActs.clear(sessionId);
    else
      try {
        await finish(sessionId, runtime, warn);
      } catch (error) {
        if (!(error instanceof SanbotError && error.code === 'session_locked')) warn(because(NOT_FINISHED, errorReason(error)));
      }
  }
}

const NOT_FINISHED = {
  en: 'What a command of an earlier session left may run by itself later, and could not be put back',
  zh: '较早会话的命令留下的内容之后可能会自动运行，且无法放回原状',
};

async function finish(sessionId: string, runtime: Runtime, warn: Warn): Promise<void> {
  const conversation = openConversation(runtime, sessionId);
  try {
    (await conversation.changes()).settleLeft();
    const left = await conversation.acts.leave();
    if (left !== undefined) warn(leftOutWarning(left));
  } finally {
    conversation.close();
  }
}
