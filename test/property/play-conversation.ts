import { compact } from '../../src/agent/compaction/compact.ts';
import { type AgentDeps, limitsOf, withEmit } from '../../src/agent/deps.ts';
import { pinMessage, unpinMessage } from '../../src/agent/memory/pins.ts';
import type { ModelFacts, ModelRequest } from '../../src/agent/ports/model.ts';
import { findMessage, rewind } from '../../src/agent/rollback/rewind.ts';
import { clearContext, findSnapshot, rollBack } from '../../src/agent/rollback/rollback.ts';
import type { Session } from '../../src/agent/session/session.ts';
import { changeModel } from '../../src/agent/turn/change-model.ts';
import { runTurn } from '../../src/agent/turn/turn.ts';
import { pastMessages } from '../../src/context/history/past.ts';
import { SanbotError } from '../../src/domain/errors.ts';
import type { SanbotEvent } from '../../src/domain/event.ts';
import { isThinking } from '../../src/domain/session/message.ts';
import { type AgentWorld, createAgentWorld, roughCount, type ToolWithSpec, tool } from '../support/agent-world.ts';
import { says, signedBlock, signedSummary, user } from '../support/build.ts';
import { callsTools, fails, fakeModel, overflows, refusesThinking, replies, type Script, type Step } from '../support/fake-model.ts';
import { goodSummary } from '../support/summary.ts';
import type { Act, Turn, Wish } from './conversation.ts';

export type Played = {
  readonly events: readonly SanbotEvent[];
  /** Of turns, in order. */
  readonly requests: readonly ModelRequest[];
  /** For each of them, how many records the log had when it left. */
  readonly recordsAt: readonly number[];
  readonly records: AgentWorld['store']['records'];
};

const MODELS = ['test', 'other'] as const;

/** A session of an earlier version, the same in each world. */
const BEGUN = [signedSummary(), user('and now?'), says('It goes on.')];

export const factsFor = (wish: Wish): ModelFacts => ({
  windowTokens: wish.window,
  assumed: false,
  maxOutputTokens: 4_000,
  costUsd: () => 0,
});

/**
 * Plays it through the real loop against the strict fake, which refuses thinking behind a changed past, broken pairs and overflows. `opened` gets
 * each session that is opened.
 */
export async function play(acts: readonly Act[], wish: Wish, opened: (session: Session) => void = () => undefined): Promise<Played> {
  const look = tool('look', (input) => `${++at.calls} `.repeat(3_000).slice(0, charsOf(input)));
  const at: Playing = { tools: [look], plan: undefined, step: 0, calls: 0, summaries: 0, stop: new AbortController() };
  const model = fakeModel(scriptOf(at, wish), { countTokens: roughCount, signed: [signedBlock] });
  const world = createAgentWorld({
    messages: wish.signed ? BEGUN : [],
    tools: at.tools,
    canSummarise: wish.summaries !== 'rules',
    config: {
      compaction: {
        softTokenRatio: 0.5,
        enabled: wish.compaction,
        keepRecentMessages: wish.keepRecentMessages,
        keepRecentTokens: wish.keepRecentMessages * 300,
        maxToolOutputBytes: wish.maxToolOutputBytes,
        background: wish.background,
        llmFallbackToRules: wish.summaries !== 'nobody',
        retryCount: 0,
      },
      offload: { enabled: wish.offload },
      pruning: { keepLastAssistants: wish.keepLastAssistants, maxToolResultChars: wish.pruneAboveChars },
    },
    deps: { model: { ask: model.ask, facts: () => factsFor(wish) } },
  });
  const recordsAt: number[] = [];
  const emit = (event: SanbotEvent): void => {
    if (event.type === 'request' && event.purpose === 'turn') recordsAt.push(world.store.records.length);
    world.events.push(event);
  };
  let session = world.session;
  opened(session);
  for (const each of acts) {
    world.clock.now = new Date(world.clock.now.getTime() + (each.type === 'pause' ? 3_600_000 : 1_000));
    at.stop = new AbortController();
    if (each.type === 'reopen') {
      await session.summariser.prepared?.result;
      session.close();
      session = world.reopened();
      opened(session);
    } else await perform(each, session, withEmit(world.deps, emit), at).catch(mayBe);
  }
  session.close();
  model.done();
  const requests = model.requests.filter(({ purpose }) => purpose === 'turn');
  return { events: world.events, requests, recordsAt, records: world.store.records };
}

type Playing = {
  readonly tools: readonly ToolWithSpec[];
  plan: Turn | undefined;
  step: number;
  calls: number;
  summaries: number;
  stop: AbortController;
};

const scriptOf =
  (at: Playing, wish: Wish): Script =>
  (request) => {
    const tokens = roughCount(JSON.stringify([request.system, request.tools, request.messages]));
    // What a turn asks is made to fit beforehand; where the user has switched that off, and for a summary, the API may have to say so.
    if (tokens > wish.window && request.purpose === 'turn' && wish.compaction)
      throw new Error(`${tokens} tokens for a window of ${wish.window}`);
    if (tokens > wish.window) return overflows(tokens, wish.window);
    if (request.purpose === 'summary') return summaryStep(at, wish);
    const step = at.step++;
    const { results = [], thinks = false, fault } = at.plan ?? {};
    const wrong = fault?.step === step ? faulty(fault.kind, request, { at, tokens }) : undefined;
    if (wrong !== undefined) return wrong;
    const sizes = results[step];
    const more = thinks ? { thinking: `I think of ${step}.` } : {};
    return sizes === undefined
      ? replies('That is done.', more)
      : callsTools(
          sizes.map((chars) => ({ name: 'look', input: { chars }, id: `c${++at.calls}` })),
          more,
        );
  };

function summaryStep(at: Playing, { summaries }: Wish): Step {
  at.summaries += 1;
  if (summaries === 'nobody' || (summaries === 'in_turns' && at.summaries % 3 !== 0)) return fails('model_failed', 'down');
  return replies(`${goodSummary}\nThe ${at.summaries}th.`);
}

/** The fault, where it can happen at all. */
function faulty(
  kind: NonNullable<Turn['fault']>['kind'],
  { messages }: ModelRequest,
  { at, tokens }: { readonly at: Playing; readonly tokens: number },
): Step | undefined {
  switch (kind) {
    case 'overflow':
      return overflows(tokens, Math.max(6_000, tokens - 1));
    case 'stale_thinking':
      return messages.some(({ content }) => content.some(isThinking)) ? refusesThinking() : undefined;
    case 'fails':
      return fails('model_unreachable');
    case 'aborted':
      return replies('It begins, and then', { during: () => at.stop.abort() });
    case 'cut_call':
      return callsTools([{ name: 'look', input: { chars: 1 }, id: `c${++at.calls}` }], { stopReason: 'max_tokens' });
  }
}

async function perform(each: Act, session: Session, deps: AgentDeps, at: Playing): Promise<void> {
  const { signal } = at.stop;
  const { messages, pins = [] } = session.context;
  switch (each.type) {
    case 'turn':
      at.plan = each;
      at.step = 0;
      await runTurn('ask '.repeat(each.chars / 4 + 1), session, deps, { signal, maxSteps: 50, tools: at.tools });
      return;
    case 'compact':
      await compact({ trigger: 'manual', reasons: [], instructions: undefined, limits: limitsOf(session, deps), signal }, session, deps);
      return;
    case 'clear':
      clearContext(session, deps);
      return;
    case 'notice': {
      const content = [{ type: 'text', text: `It is ${deps.clock.now().toISOString()}.` }];
      session.append({ type: 'message', message: session.message({ role: 'user', origin: 'notice', notice: 'date', content }) });
      return;
    }
    case 'model':
      return changeModel(session.model === MODELS[0] ? MODELS[1] : MODELS[0], session, deps, signal);
    case 'pin':
      if (messages.length > 0) pinMessage(each.pick % messages.length, session, deps);
      return;
    case 'unpin':
      if (pins.length > 0) unpinMessage(pins[each.pick % pins.length]?.messageId ?? '', session);
      return;
    case 'rewind': {
      const said = pastMessages(deps.disk.past(session.id)).length;
      if (said > 0) rewind(findMessage(String((each.pick % said) + 1), session, deps), session, deps);
      return;
    }
    case 'rollback': {
      const ids = [
        ...new Set([...deps.disk.past(session.id)].flatMap((record) => (record.type === 'checkpoint' ? (record.snapshotId ?? []) : []))),
      ];
      const id = ids[each.pick % Math.max(1, ids.length)];
      if (id !== undefined) rollBack(findSnapshot(id, deps.disk.snapshots), session, deps);
      return;
    }
    case 'pause':
    case 'reopen':
      return;
  }
}

/** A single exchange may be larger than so small a window, a model may be out of reach, a pin too large, a step the same again: all said, and the conversation goes on. */
const mayBe = (error: unknown): void => {
  const expected = ['context_cannot_fit', 'model_unreachable', 'refused', 'loop_detected'];
  if (!(error instanceof SanbotError) || !expected.includes(error.code)) throw error;
};

const charsOf = (input: unknown): number =>
  typeof input === 'object' && input !== null && 'chars' in input && typeof input.chars === 'number' ? input.chars : 0;
