import { limitsOf, warnOfWindow } from '../agent/deps.ts';
import type { AskPermission } from '../agent/ports/tools.ts';
import { findMessage, rewind } from '../agent/rollback/rewind.ts';
import { flagFor, permissionFlags } from '../commands/chat/tool-flags.ts';
import { SanbotError } from '../domain/errors.ts';
import { isText, textOf } from '../domain/session/message.ts';
import { holdEvents, openLiveConversation, openRuntime } from '../runtime/conversation/open-runtime.ts';
import type { LiveConversation } from '../runtime/conversation/types.ts';
import { type Environment, processEnvironment } from '../runtime/environment.ts';
import { groupOf } from '../runtime/home.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { recallContextOf } from '../runtime/runtime.ts';
import { readSettings } from '../runtime/settings.ts';
import { projectRootOf } from '../runtime/trust/repository.ts';
import { createJsonOutput } from '../terminal/screen/json-output.ts';
import type { AgentEvent, AgentInput, AgentPermissions, AgentSettings, RecalledHit, SanbotAgent } from './agent-types.ts';
import { blocksOf } from './context-agent.ts';
import { checkOf, compactContext, orInterrupted, rollbackOf, undoLast } from './open-context.ts';
import { ownTools } from './own-tools.ts';

type Output = ReturnType<typeof createJsonOutput>;

/** Opens a session as `sanbot -p` does, with the program in the place of the person. */
export async function openAgent(settings: AgentSettings): Promise<SanbotAgent> {
  const environment = environmentOf(settings);
  const { model, store = {}, permissions = {}, maxSteps, maxCostUsd } = settings;
  const mode = permissions.mode ?? 'ask';
  const group = groupOf(environment, {});
  const events = holdEvents();
  let output: Output | undefined;
  const runtime = await openRuntime(environment, {
    settings: readSettings(environment, { home: store.home, model, maxSteps }),
    ...{ group, mode, maxCostUsd },
    onlyTrustedInstructions: mode === 'bypass',
    ...rulesOf(settings),
    ownTools: ownTools(settings.tools ?? []),
    askPermission: askBy(permissions, (denied) => output?.onDenied(denied)),
    confirm: async () => true,
    show: events.show,
    warn: (message) => events.show({ type: 'warning', message }),
  });
  const conversation = openLiveConversation(runtime, { group, resume: store.session, model });
  const queue = createQueue();
  const sessionId = conversation.session.id;
  output = createJsonOutput({ sessionId, streaming: true, write: (line) => queue.push(JSON.parse(line)) });
  events.release(output.onEvent);
  if (!conversation.resumed) warnOfWindow(conversation.session, conversation.deps);
  return agentOf({ conversation, runtime, output, queue });
}

/** The process as it is: it belongs to somebody else, so nothing of it is hidden or ended. */
function environmentOf({ env = {}, cwd }: AgentSettings): Environment {
  const { hide: _, ...environment } = processEnvironment();
  const { HOME: userHome } = env;
  return {
    ...{ ...environment, env: { ...environment.env, ...env } },
    ...(cwd !== undefined && { cwd: () => cwd }),
    ...(userHome !== undefined && { homedir: () => userHome }),
  };
}

/** Names of tools of its own are no flags of the command line. */
function rulesOf({ tools = [], permissions: { allow = [], deny = [] } = {} }: AgentSettings) {
  const own = tools.map(({ name }) => name);
  const [ownAllowed, others] = [allow.filter((each) => own.includes(each)), allow.filter((each) => !own.includes(each))];
  const flags = permissionFlags({ allow: others, deny: deny.filter((each) => !own.includes(each)) });
  const denied = deny.filter((each) => own.includes(each)).map((tool) => ({ tool }));
  const rules = flags.rules && { ...flags.rules, deny: [...flags.rules.deny, ...denied] };
  return { allowed: [...flags.allowed, ...ownAllowed], rules };
}

const askBy =
  ({ ask }: AgentPermissions, onDenied: Output['onDenied']): AskPermission =>
  async ({ tool, title, preview, access, irreversible, offers, session }, signal) => {
    if (ask === undefined) {
      onDenied({ title, allow: flagFor(tool, offers) });
      return 'nobody';
    }
    const answer = await ask({ tool, title, preview, access, ...(irreversible && { irreversible: irreversible.en }) }, signal);
    if (answer === 'session') return session === undefined ? 'once' : 'session';
    return answer ? 'once' : 'no';
  };

type Parts = {
  readonly conversation: LiveConversation;
  readonly runtime: Runtime;
  readonly output: Output;
  readonly queue: ReturnType<typeof createQueue>;
};

function agentOf(parts: Parts): SanbotAgent {
  const { conversation, runtime } = parts;
  const { session, deps } = conversation;
  const turns = createTurnLock();
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= closeAgent(parts);
    return closing;
  };
  return {
    sessionId: session.id,
    send: (input, { signal } = {}) => sendTurn(input, signal, { ...parts, turns }),
    compact: (options = {}) => turns.during(() => orInterrupted(() => compactContext(options, conversation))),
    undo: () => {
      turns.refuse();
      return undoLast(conversation, runtime.store.snapshots.list(session.id));
    },
    rewind: (message) => {
      turns.refuse();
      const result = rewind(findMessage(String(message), session, deps), session, deps);
      return { ...rollbackOf(result), text: result.text };
    },
    recall: (query, options = {}) => recallIn(query, options, parts),
    context: () => {
      const { windowTokens } = limitsOf(session, deps);
      return { ...checkOf(conversation), model: session.model, windowTokens, messages: session.context.messages.length };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function closeAgent({ conversation, runtime }: Parts): Promise<void> {
  try {
    await conversation.reflect();
    await conversation.end('other');
  } finally {
    await runtime.mcp.close();
  }
}

type Sending = Parts & { readonly turns: ReturnType<typeof createTurnLock> };

async function* sendTurn(
  input: AgentInput,
  signal: AbortSignal | undefined,
  { conversation, output, queue, turns }: Sending,
): AsyncGenerator<AgentEvent, void, undefined> {
  turns.refuse();
  const blocks = blocksOf(input);
  const stop = new AbortController();
  const stopped = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  const media = blocks.filter((block) => !isText(block));
  let failure: unknown;
  const turn = turns.during(async () => {
    try {
      await orInterrupted(() => conversation.say(textOf(blocks), stopped, undefined, media));
      output.finish();
    } catch (error) {
      failure = error;
      output.finish(error);
    }
  });
  try {
    for (let event = await queue.next(); ; event = await queue.next()) {
      yield event;
      if (event.type === 'result') break;
    }
  } finally {
    stop.abort();
    await turn;
    queue.drop();
  }
  if (failure !== undefined) throw failure;
}

/** Events in their order, for one reader. */
function createQueue() {
  let waiting: AgentEvent[] = [];
  let wake: (() => void) | undefined;
  return {
    push: (event: AgentEvent): void => {
      waiting.push(event);
      wake?.();
    },
    next: async (): Promise<AgentEvent> => {
      for (let event = waiting.shift(); ; event = waiting.shift()) {
        if (event !== undefined) return event;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    /** What a reader that left has not seen. */
    drop: (): void => {
      waiting = [];
    },
  };
}

/** A turn and what changes the context come one after the other. */
function createTurnLock() {
  let isRunning = false;
  const refuse = (): void => {
    if (isRunning) throw new SanbotError('usage', { en: 'A turn is running in this session', zh: '此会话中有一轮正在进行' });
  };
  return {
    refuse,
    during: async <Result>(work: () => Promise<Result>): Promise<Result> => {
      refuse();
      isRunning = true;
      try {
        return await work();
      } finally {
        isRunning = false;
      }
    },
  };
}

const MAX_HITS = 10;

async function recallIn(
  query: string,
  { limit = MAX_HITS, signal = new AbortController().signal }: { readonly limit?: number; readonly signal?: AbortSignal },
  { conversation: { session }, runtime }: Parts,
): Promise<readonly RecalledHit[]> {
  const { search } = await import('../runtime/conversation/recall/recall.ts');
  const project = projectRootOf(runtime.environment);
  const request = { query, limit, project };
  const { hits } = await orInterrupted(() => search(recallContextOf(runtime, session.group), request, signal));
  return hits.map(({ ref, sessionId, at, kind, score, snippet }) => ({ ref, sessionId, at, kind, score, text: snippet.text }));
}
