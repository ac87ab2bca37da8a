/**
 * A turn is what the user said and all that follows, until the model has nothing more to do.
 *
 *   message -> [ fit -> request -> reply -> tools ], again as long as the model calls tools -> digest
 *
 * In: a text, a session, the tools and a signal. Out: events while it goes on, and at the end why it ended, what was said last and what
 * it cost.
 *
 * Whatever happens in between, the session that is left can be sent again: calls have results, an interrupted reply is kept as far as
 * it was seen, and what a tool did is on disk before anything is made of it. Failures that another request may heal are dealt with in
 * recover.ts, within bounds; all others reject. No tool runs before permission.ts allows it, or the person does. Nothing here draws on a
 * screen, and nothing here chooses what leaves the context: that is fit/.
 */

import { addStep, cycleIn, newestStep, noRepeats, type Repeats } from '../../context/rules/repeated-steps.ts';
import { AbortedError, SanbotError } from '../../domain/errors.ts';
import type { StopReason } from '../../domain/event.ts';
import { admitReply } from '../../domain/session/admit-reply.ts';
import { type ContentBlock, isText, isToolUse, type Message, textOf, usageTotal } from '../../domain/session/message.ts';
import type { ModelReply } from '../../domain/session/model-answer.ts';
import { dropPreparedSummary, reportPreparedSummary } from '../compaction/prepared-summary.ts';
import { type AgentDeps, modelFacts, withEmit } from '../deps.ts';
import { createFit, type Fit } from '../fit/fit.ts';
import type { Tool } from '../ports/tools.ts';
import type { Session } from '../session/session.ts';
import type { Cost } from '../session/usage.ts';
import { digestTurn } from './digest.ts';
import { recoverFromOverflow, rejectsServerSummary, removeStaleThinking, unsignSummary, warnIfTruncated } from './recover.ts';
import { type RunToolsDeps, runTools } from './run-tools.ts';
import { throwAtLimit } from './turn-limits.ts';
import { turnRequest } from './turn-request.ts';

/** Its cost includes that of the summaries that were made on the way. */
export type TurnResult = Cost & {
  readonly stopReason: StopReason;
  /** What the assistant said last. */
  readonly text: string;
  readonly steps: number;
};

/** A reply cut off in the middle of a call, or empty, is asked for again this often in one turn. */
const MAX_BROKEN_REPLIES = 3;

export type TurnOptions = {
  /** Infinity for no bound. */
  readonly maxSteps: number;
  readonly signal: AbortSignal;
  /** What the model's calls run; the session's context has their specs. */
  readonly tools: readonly Tool[];
};

/**
 * One turn: the user's message and all that follows until the model ends. The message is on disk before the first request, a
 * reply before its tools run, a result before the next request. An interrupted turn leaves a valid history and ends normally;
 * any failure rejects with SanbotError, and the history is valid then too.
 */
export async function runTurn(text: string, session: Session, baseDeps: AgentDeps, turn: TurnOptions): Promise<TurnResult> {
  const digest = digestTurn(session, baseDeps);
  const deps = withEmit(baseDeps, digest.emit);
  const startedAt = deps.clock.now().getTime();
  const state: TurnState = { steps: 0, lastText: '', brokenReplies: 0, repeats: noRepeats };
  session.usage.startTurn();
  deps.report.emit({ type: 'turn_started' });
  let stopReason: StopReason = 'failed';
  let messageId: string | undefined;
  try {
    session.closeOpenCalls();
    const message = session.message({ role: 'user', origin: 'user', content: [{ type: 'text', text }] });
    session.appendOrDiscard({ type: 'message', message });
    messageId = message.id;
    await deps.model.fetchFacts?.(session.model, turn.signal);
    stopReason = await runSteps(session, deps, { ...turn, state });
    throwAtLimit(stopReason, { steps: state.steps, cycle: cycleIn(state.repeats) });
    return { stopReason, text: state.lastText, steps: state.steps, ...session.usage.turn };
  } catch (error) {
    if (error instanceof SanbotError && error.code === 'cost_exhausted') stopReason = 'max_cost';
    if (!(error instanceof AbortedError)) throw error;
    stopReason = 'interrupted';
    return { stopReason, text: state.lastText, steps: state.steps, ...session.usage.turn };
  } finally {
    if (turn.signal.aborted) dropPreparedSummary('the turn was cancelled', session, deps);
    else reportPreparedSummary(session);
    const ms = Math.max(0, deps.clock.now().getTime() - startedAt);
    if (messageId !== undefined) digest.write({ prompt: text, messageId, stopReason, reply: state.lastText });
    deps.report.emit({ type: 'turn_ended', stopReason, steps: state.steps, ...session.usage.turn, ms });
  }
}

type TurnState = { steps: number; lastText: string; brokenReplies: number; repeats: Repeats };

type TurnRun = TurnOptions & { readonly state: TurnState };

async function runSteps(session: Session, deps: AgentDeps, run: TurnRun): Promise<StopReason> {
  const fit = createFit();
  const { state, signal } = run;
  while (state.steps < run.maxSteps) {
    deps.model.checkBudget?.();
    const reply = await askOnce(session, deps, fit, run);
    state.steps += 1;
    const stopReason = await handleReply(reply, session, deps, run);
    if (signal.aborted) return 'interrupted';
    if (stopReason !== undefined) return stopReason;
    if (cycleIn(state.repeats) !== undefined) return 'loop';
  }
  return 'max_steps';
}

/** Sends the context as it is, and makes it fit again when the provider says that it does not. */
async function askOnce(session: Session, deps: AgentDeps, fit: Fit, { signal }: TurnRun): Promise<ModelReply> {
  for (let attempt = 1; ; attempt++) {
    if (rejectsServerSummary(session, deps)) unsignSummary(session, deps);
    await fit.makeFit(session, deps, signal);
    const facts = modelFacts(session, deps);
    const count = session.estimate.count();
    const request = turnRequest(session, deps, facts);
    deps.report.emit({ type: 'request', purpose: 'turn', tokens: count.tokens, windowTokens: facts.windowTokens });
    const streamed: string[] = [];
    const answer = await deps.model
      .ask(request, {
        signal,
        onText: (chunk) => {
          streamed.push(chunk);
          deps.report.emit({ type: 'text', text: chunk });
        },
        onThinking: (chunk) => deps.report.emit({ type: 'thinking', text: chunk }),
        onRetry: (retry) => {
          streamed.length = 0;
          deps.report.emit({ type: 'retrying', ...retry });
        },
      })
      .catch((error: unknown) => {
        if (error instanceof AbortedError) keepPartialReply(streamed.join(''), session);
        throw error;
      });
    if (answer.kind === 'reply' && !isOverflow(answer)) return answer;
    if (answer.kind === 'stale_thinking') removeStaleThinking(session, deps, attempt);
    else if (answer.kind === 'stale_compaction') unsignSummary(session, deps);
    else
      await recoverFromOverflow(answer.kind === 'overflow' ? answer : { limitTokens: undefined, sentTokens: undefined }, session, deps, {
        attempt,
        signal,
      });
  }
}

/**
 * The window was full inside the reply; or the server said nothing and cut the request to fill its window, so that of all the
 * room asked for the reply got none.
 */
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

/** Stores the reply and does what it asks for; says how the turn ends, or undefined when it goes on. */
async function handleReply(
  rawReply: ModelReply,
  session: Session,
  deps: RunToolsDeps,
  { signal, tools, state }: TurnRun,
): Promise<StopReason | undefined> {
  const reply = admit(rawReply, session, deps);
  session.usage.record('turn', reply.usage, costOf(reply, session, deps));
  const isTruncated = warnIfTruncated(reply, session, deps);
  const calls = reply.content.filter(isToolUse);
  if (reply.content.length > 0) session.append({ type: 'message', message: replyMessage(reply, session) });
  if (isTruncated) session.estimate.distrustUsage();
  else if (reply.usage !== undefined && usageTotal(reply.usage) > 0 && reply.content.length > 0)
    session.estimate.calibrate(usageTotal(reply.usage));
  const text = textOf(reply.content);
  if (text !== '') state.lastText = text;
  deps.report.emit({ type: 'reply', text, stopReason: reply.stopReason, usage: reply.usage, costUsd: costOf(reply, session, deps) });
  if (reply.stopReason === 'tool_use' && calls.length > 0) {
    await runTools(calls, session, deps, { tools, signal });
    state.repeats = addStep(state.repeats, newestStep(session.context.messages));
    return undefined;
  }
  if (calls.length > 0) return handleCutCalls(session, deps, state);
  return stopReasonOf(reply, deps);
}

/**
 * What a server sent, as it may be stored. Some servers name calls anew in each reply; an id that the conversation has used already would
 * pair with the wrong result.
 */
function admit(reply: ModelReply, session: Session, { report }: Pick<AgentDeps, 'report'>): ModelReply {
  const usedIds = new Set(session.context.messages.flatMap(({ content }) => content.filter(isToolUse).map(({ id }) => id)));
  const { content, changes } = admitReply(reply.content, usedIds);
  if (changes.length > 0)
    report.emit({ type: 'warning', message: `The reply held what cannot be sent back to a model: ${[...new Set(changes)].join('; ')}.` });
  return { ...reply, content };
}

/** A call in a reply that was cut off may look whole and is not: it is never run. */
function handleCutCalls(session: Session, { report }: Pick<AgentDeps, 'report'>, state: TurnState): StopReason | undefined {
  session.closeOpenCalls();
  state.brokenReplies += 1;
  if (state.brokenReplies <= MAX_BROKEN_REPLIES) return undefined;
  report.emit({ type: 'warning', message: 'The reply was cut off in the middle of a tool call again and again; the turn ends here.' });
  return 'max_tokens';
}

function stopReasonOf(reply: ModelReply, { report }: Pick<AgentDeps, 'report'>): StopReason {
  if (reply.stopReason === 'refusal') return 'refusal';
  if (reply.stopReason === 'max_tokens') {
    report.emit({ type: 'warning', message: 'The reply reached the output limit and is cut off there. Say "go on" to have the rest.' });
    return 'max_tokens';
  }
  if (reply.content.length === 0) report.emit({ type: 'warning', message: 'The model ended its turn without saying anything.' });
  return 'end_turn';
}

function replyMessage(reply: ModelReply, session: Session): Message {
  const { content, model, stopReason, usage } = reply;
  return session.message({ role: 'assistant', origin: 'model', content, model, stopReason, ...(usage === undefined ? {} : { usage }) });
}

const costOf = (reply: ModelReply, session: Session, deps: Pick<AgentDeps, 'model'>): number | undefined =>
  reply.usage === undefined ? undefined : modelFacts(session, deps).costUsd(reply.usage);
