/**
 * A turn is what the user said and all that follows, until the model has nothing more to do.
 *
 *   message -> [ fit -> request -> reply -> tools ], again as long as the model calls tools -> digest
 *
 * What the user says meanwhile goes with the next request, behind the results of its tools.
 *
 * In: a text, a session, the tools and a signal. Out: events while it goes on, and at the end why it ended, what was said last and what
 * it cost.
 *
 * Whatever happens in between, the session that is left can be sent again: calls have results, an interrupted reply is kept as far as
 * it was seen, and what a tool did is on disk before anything is made of it. Failures that another request may heal are dealt with in
 * recover.ts, within bounds; all others reject. No tool runs before permission.ts allows it, or the person does. Nothing here draws on a
 * screen, and nothing here chooses what leaves the context: that is fit/.
 */

import { cycleIn, noRepeats } from '../../context/rules/repeated-steps.ts';
import { AbortedError, SanbotError } from '../../domain/errors.ts';
import type { StopReason } from '../../domain/event.ts';
import { type ContentBlock, isText } from '../../domain/session/message.ts';
import type { ModelReply } from '../../domain/session/model-answer.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { dropPreparedSummary, reportPreparedSummary } from '../compaction/prepared-summary.ts';
import { type AgentDeps, modelFacts, withEmit, workMs } from '../deps.ts';
import { createFit, type Fit } from '../fit/fit.ts';
import { continuesTurn } from '../hooks/hooks.ts';
import type { Tool } from '../ports/tools.ts';
import { requestNotice, turnRequest } from '../request.ts';
import type { Session } from '../session/session.ts';
import type { Cost } from '../session/usage.ts';
import { fallBack } from './change-model.ts';
import { digestTurn } from './digest.ts';
import { handleReply, type TurnState } from './handle-reply.ts';
import { userMessage } from './person-input.ts';
import { dropRefusedMedia, recoverFromOverflow, removeStaleThinking, suspectsOverflow } from './recover.ts';

/** The next message that waits, given out once; undefined when none does. Rejects with AbortedError when the signal aborts. */
export type NextSteering = (
  signal: AbortSignal,
) => Promise<{ readonly text: string; readonly attachments: readonly ContentBlock[] } | undefined>;

/** Its cost includes that of the summaries that were made on the way. */
export type TurnResult = Cost & {
  readonly stopReason: StopReason;
  /** What the assistant said last. */
  readonly text: string;
  readonly steps: number;
};

export type TurnOptions = {
  /** Infinity for no bound. */
  readonly maxSteps: number;
  readonly signal: AbortSignal;
  /** Aborts when the turn has taken as long as it may; the turn then rejects with time_exhausted, and what came of it so far is kept. */
  readonly timeout?: AbortSignal | undefined;
  /** What the model's calls run; the session's context has their specs. */
  readonly tools: readonly Tool[];
  /** Images and documents that the user sends along. */
  readonly attachments?: readonly ContentBlock[];
  /** What the user says while the turn runs: the next request has it. Left out where nobody can. */
  readonly nextSteering?: NextSteering | undefined;
};

/**
 * One turn: the user's message and all that follows until the model ends. The message is on disk before the first request, a
 * reply before its tools run, a result before the next request. An interrupted turn leaves a valid history and ends normally;
 * any failure rejects with SanbotError, and the history is valid then too.
 */
export async function runTurn(
  text: string,
  session: Session,
  baseDeps: AgentDeps,
  { timeout, ...options }: TurnOptions,
): Promise<TurnResult> {
  const turn = timeout === undefined ? options : { ...options, signal: AbortSignal.any([options.signal, timeout]) };
  const isOverTime = (): boolean => timeout?.aborted === true && !options.signal.aborted;
  const digest = digestTurn(session, baseDeps);
  const deps = withEmit(baseDeps, digest.emit);
  const startedAt = workMs(deps.clock);
  const state: TurnState = { steps: 0, lastText: '', brokenReplies: 0, repeats: noRepeats, continued: 0, isEnded: false, steered: [] };
  session.usage.startTurn();
  deps.report.emit({ type: 'turn_started' });
  let stopReason: StopReason = 'failed';
  let messageId: string | undefined;
  let failure: { readonly code?: string } = {};
  try {
    session.closeOpenCalls();
    const message = userMessage(text, turn.attachments ?? [], session, deps);
    session.appendOrDiscard({ type: 'message', message });
    messageId = message.id;
    await deps.model.fetchFacts?.(session.model, turn.signal);
    stopReason = await runSteps(session, deps, { ...turn, state });
    if (stopReason === 'interrupted' && isOverTime()) stopReason = 'max_seconds';
  } catch (error) {
    if (error instanceof SanbotError && error.code === 'cost_exhausted') stopReason = 'max_cost';
    if (error instanceof SanbotError) failure = { code: error.code };
    if (!(error instanceof AbortedError)) throw error;
    stopReason = isOverTime() ? 'max_seconds' : 'interrupted';
  } finally {
    if (turn.signal.aborted) dropPreparedSummary({ en: 'the turn was cancelled', zh: '本轮已取消' }, session, deps);
    else reportPreparedSummary(session);
    const ms = Math.max(0, workMs(deps.clock) - startedAt);
    if (messageId !== undefined)
      digest.write({ prompt: [text, ...state.steered].join('\n'), messageId, stopReason, reply: state.lastText });
    const contextTokens = session.estimate.count().tokens;
    deps.report.emit({ type: 'turn_ended', stopReason, ...failure, steps: state.steps, ...session.usage.turn, contextTokens, ms });
  }
  throwAtLimit(stopReason, state);
  return { stopReason, text: state.lastText, steps: state.steps, ...session.usage.turn };
}

type TurnRun = TurnOptions & { readonly state: TurnState };

async function runSteps(session: Session, deps: AgentDeps, run: TurnRun): Promise<StopReason> {
  const fit = createFit();
  const { state, signal } = run;
  while (state.steps < run.maxSteps) {
    if (state.steps > 0) await addSteering(session, deps, run);
    deps.model.checkBudget?.();
    const reply = await askOnce(session, deps, fit, run);
    state.steps += 1;
    const stopReason = await handleReply(reply, session, deps, run);
    if (signal.aborted) return 'interrupted';
    if (stopReason !== undefined && !(await goesOn(stopReason, session, deps, run))) return stopReason;
    if (cycleIn(state.repeats) !== undefined) return 'loop';
  }
  return 'max_steps';
}

/**
 * Stores what the user has said since the last request, behind the results of its calls: the next request carries both. A person who
 * steers watches, so steps are no longer compared with those before.
 */
async function addSteering(session: Session, deps: AgentDeps, { nextSteering, state, signal }: TurnRun): Promise<void> {
  for (let steering = await nextSteering?.(signal); steering !== undefined; steering = await nextSteering?.(signal)) {
    const { text, attachments } = steering;
    session.append({ type: 'message', message: userMessage(text, attachments, session, deps) });
    state.repeats = noRepeats;
    state.steered.push(text);
  }
}

/** A turn that has come to its end by itself goes on when a Stop hook finds it unfinished. */
async function goesOn(stopReason: StopReason, session: Session, deps: AgentDeps, { state, signal }: TurnRun): Promise<boolean> {
  if (stopReason !== 'end_turn' || state.isEnded) return false;
  const goesOn = await continuesTurn({ continued: state.continued, text: state.lastText }, session, deps, signal);
  state.continued += 1;
  return goesOn;
}

/** Sends the context as it is, and makes it fit again when the provider says that it does not. */
async function askOnce(session: Session, deps: AgentDeps, fit: Fit, { signal }: TurnRun): Promise<ModelReply> {
  for (let attempt = 1; ; attempt++) {
    await fit.makeFit(session, deps, signal);
    const facts = modelFacts(session, deps);
    const request = turnRequest(session, deps, facts);
    const tellRequest = requestNotice(session, deps, facts);
    await session.settled(signal);
    const streamed: string[] = [];
    const answer = await deps.model
      .ask(request, {
        signal,
        // What fails here fails again when the answer is there.
        onWait: () => void orUndefined(tellRequest),
        onText: (chunk) => {
          tellRequest();
          streamed.push(chunk);
          deps.report.emit({ type: 'text', text: chunk });
        },
        onThinking: (chunk) => {
          tellRequest();
          deps.report.emit({ type: 'thinking', text: chunk });
        },
        onRetry: (retry) => {
          tellRequest();
          streamed.length = 0;
          deps.report.emit({ type: 'retrying', ...retry });
        },
      })
      .finally(tellRequest)
      .catch(async (error: unknown) => {
        if (error instanceof AbortedError) keepPartialReply(streamed.join(''), session);
        if (dropRefusedMedia(error, session, deps) || (await fallBack(error, session, deps, signal))) return undefined;
        if (suspectsOverflow(error, session, deps)) return SUSPECTED_OVERFLOW;
        throw error;
      });
    if (answer === undefined) continue;
    if (answer.kind === 'reply' && !isOverflow(answer)) return answer;
    if (answer.kind === 'stale_thinking') removeStaleThinking(session, deps, attempt);
    else
      await recoverFromOverflow(answer.kind === 'overflow' ? answer : UNKNOWN_FIGURES, session, deps, {
        attempt,
        signal,
      });
  }
}

const UNKNOWN_FIGURES = { limitTokens: undefined, sentTokens: undefined };
const SUSPECTED_OVERFLOW = { kind: 'overflow', ...UNKNOWN_FIGURES, isSuspected: true } as const;

/** The window was full inside the reply; or a silent server cut the request to fill its window, and the reply got no room. */
const isOverflow = ({ stopReason, content, usage }: ModelReply): boolean =>
  stopReason === 'model_context_window_exceeded' ||
  (stopReason === 'max_tokens' && content.every(isBlankBlock) && usage !== undefined && usage.outputTokens <= 1);

const isBlankBlock = (block: ContentBlock): boolean => isText(block) && block.text.trim() === '';

/** What the user has seen of an interrupted reply stays in the conversation. */
function keepPartialReply(text: string, session: Session): void {
  if (text.trim() === '') return;
  session.append({
    type: 'message',
    message: session.message({
      role: 'assistant',
      origin: 'model',
      content: [{ type: 'text', text: text.trimEnd() }],
      model: session.model,
      stopReason: 'interrupted',
    }),
  });
}

/** A turn that a bound ended has not done what it was asked to do: throws, so that a script can tell it from one that has. */
function throwAtLimit(stopReason: StopReason, { steps, repeats }: TurnState): void {
  if (stopReason === 'max_seconds')
    throw new SanbotError('time_exhausted', {
      en: 'The turn was stopped: it took longer than it may',
      zh: '本轮已停止：超过了允许的时间',
    });
  if (stopReason === 'max_steps')
    throw new SanbotError('steps_exhausted', {
      en: `The turn was stopped after ${steps} ${steps === 1 ? 'step' : 'steps'}`,
      zh: `本轮在 ${steps} 步后停止`,
    });
  const cycle = cycleIn(repeats);
  if (stopReason !== 'loop' || cycle === undefined) return;
  const what = cycle.steps === 1 ? 'the same step' : `the same ${cycle.steps} steps`;
  throw new SanbotError('loop_detected', {
    en: `The turn was stopped: the model took ${what} ${cycle.times} times in a row, with the same results (${cycle.tools.join(', ')})`,
    zh: `本轮已停止：模型连续 ${cycle.times} 次重复相同的 ${cycle.steps} 步，结果也相同（${cycle.tools.join('、')}）`,
  });
}
