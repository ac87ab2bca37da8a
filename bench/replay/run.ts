/**
 * A recorded conversation, put through the code of the real loop, to see what a policy would have made of it. Neither model nor tool is
 * asked: the replies and results are the recorded ones, and the time is the replay's own.
 *
 * What a recorded step does next is never changed by what the policy left out, so the figures say what a model would have seen, not what
 * it would have answered.
 */

import { limitsOf, modelFacts } from '../../src/agent/deps.ts';
import type { ModelRequest } from '../../src/agent/ports/model.ts';
import { buildRequest } from '../../src/agent/request.ts';
import type { Session } from '../../src/agent/session/session.ts';
import { recoverFromOverflow } from '../../src/agent/turn/recover.ts';
import { storeResult } from '../../src/agent/turn/run-tools.ts';
import type { CountTokens } from '../../src/context/measure/count.ts';
import { SanbotError } from '../../src/domain/errors.ts';
import type { SanbotEvent } from '../../src/domain/event.ts';
import { sameInBoth } from '../../src/domain/language.ts';
import { isToolUse, textOf, usageTotal } from '../../src/domain/session/message.ts';
import type { Step, Transcript } from '../../src/domain/session/transcript.ts';
import { createReplayHarness, type ReplayHarness, type ReplayRunOptions } from './harness.ts';
import { blockTokens, createCacheCost } from './measure/cache-cost.ts';
import { createFidelity, emptyTally, sumTallies } from './measure/fidelity.ts';
import { createGrounding } from './measure/grounding.ts';
import { judgeReferences, mineReferences } from './measure/references.ts';
import { judgeRepeatedCalls, mineRepeatedCalls } from './measure/repeated-calls.ts';
import { watchSnapshots } from './measure/rollback-check.ts';
import type { ReplayOutcome, RequestMetrics, RunTotals } from './outcome.ts';
import { type FitContext, startTurn, usesLadder } from './policy.ts';

export type OnRequest = (request: ModelRequest, step: number) => void;

/**
 * Runs a recorded conversation through the code of the real loop: before each recorded reply the context is made to fit and the request is
 * built as it would be sent; then the reply and its recorded results are stored, large ones offloaded on arrival.
 */
export async function replay(
  transcript: Transcript,
  options: ReplayRunOptions,
  onRequest: OnRequest = () => undefined,
): Promise<ReplayOutcome> {
  const run = startRun(transcript, options, onRequest);
  let fitContext = startTurn(options.policy);
  for (const [index, step] of transcript.steps.entries()) {
    run.harness.tick();
    if (step.type === 'user') fitContext = startTurn(options.policy);
    if (step.type !== 'reply') addMessage(step, run.harness.session);
    else {
      const isSent = await makeRequest(run, fitContext, index);
      if (!isSent) fitContext = startTurn(options.policy);
      addReply(step, run);
    }
  }
  const { harness, metrics } = run;
  await run.fidelity.judge(harness.session.context, { until: transcript.steps.length, round: roundOf(metrics), atEnd: true });
  const outcome = {
    ...metrics,
    fidelity: run.fidelity.rounds,
    misses: run.fidelity.misses(),
    grounding: run.grounding.result(),
    rollback: run.checkRollbacks(harness.session, harness.deps),
    recordedTokens: recordedTokens(transcript, options.count),
  };
  harness.session.close();
  return outcome;
}

type Run = {
  readonly harness: ReplayHarness;
  readonly options: ReplayRunOptions;
  readonly metrics: RunTotals;
  /** The totals at the request before. */
  previous: { readonly offloads: number; readonly rounds: number };
  readonly fidelity: ReturnType<typeof createFidelity>;
  readonly grounding: ReturnType<typeof createGrounding>;
  readonly references: ReturnType<typeof mineReferences>;
  readonly looks: ReturnType<typeof mineRepeatedCalls>;
  readonly measureCost: ReturnType<typeof createCacheCost>;
  readonly checkRollbacks: ReturnType<typeof watchSnapshots>['check'];
  readonly onRequest: OnRequest;
};

function startRun(transcript: Transcript, options: ReplayRunOptions, onRequest: OnRequest): Run {
  const metrics: RunTotals = {
    ...{ requests: [], compactions: 0, reasons: [], dropped: 0, offloads: 0, stuck: [] },
    ...{ references: emptyTally, looks: 0, again: emptyTally },
  };
  const harness = createReplayHarness(transcript, options, (event) => recordEvent(event, metrics));
  const watch = watchSnapshots(harness.deps.disk.snapshots);
  return {
    harness: { ...harness, deps: { ...harness.deps, disk: { ...harness.deps.disk, snapshots: watch.snapshots } } },
    options,
    metrics,
    previous: { offloads: 0, rounds: 0 },
    fidelity: createFidelity(transcript, harness.find),
    grounding: createGrounding(transcript.steps),
    references: mineReferences(transcript, options.count),
    looks: mineRepeatedCalls(transcript),
    measureCost: createCacheCost(options.count),
    checkRollbacks: watch.check,
    onRequest,
  };
}

function recordEvent(event: SanbotEvent, metrics: RunTotals): void {
  if (event.type === 'compaction_started') metrics.reasons.push([...event.reasons].sort().join('+') || event.trigger);
  if (event.type === 'compacted') metrics.compactions += 1;
  if (event.type === 'window_slid' || event.type === 'trimmed') metrics.dropped += 1;
  if (event.type === 'offloaded') metrics.offloads += event.results.length;
}

function addMessage(step: Extract<Step, { type: 'user' | 'notice' }>, session: Session): void {
  session.append({
    type: 'message',
    message: session.message({ role: 'user', origin: step.type, content: [{ type: 'text', text: step.text }] }),
  });
}

/** Returns how often the past was replaced. */
const roundOf = ({ compactions, dropped }: RunTotals): number => compactions + dropped;

const neverAborted = new AbortController().signal;

/** Makes the context fit and measures the request; returns false when no request could have been sent. */
async function makeRequest(run: Run, fitContext: FitContext, index: number): Promise<boolean> {
  const { harness, options, metrics } = run;
  const { session, deps } = harness;
  const before = roundOf(metrics);
  try {
    await fitContext(session, deps, neverAborted);
    const tokens = deps.measure.raw(session.context);
    if (tokens > options.windowTokens && usesLadder(options.policy))
      await recoverFromOverflow({ limitTokens: options.windowTokens, sentTokens: tokens }, session, deps, {
        attempt: 1,
        signal: neverAborted,
      });
    measureRequest(run, tokens, index);
    await judgeUse(run, index);
    return true;
  } catch (error) {
    if (!(error instanceof SanbotError) || error.code !== 'context_cannot_fit') throw error;
    metrics.stuck.push(`step ${index + 1}: ${error.shown.message.en}`);
    metrics.requests.push({
      tokens: deps.measure.raw(session.context),
      inputTokens: 0,
      cachedTokens: 0,
      overflow: true,
      ...changesSince(run),
    });
    return false;
  } finally {
    if (roundOf(metrics) > before && options.policy !== 'truncate') await judge(run, index);
  }
}

/** `tokens` is from before any recovery: what did not fit then counts as an overflow, even if the recovery succeeded. */
function measureRequest(run: Run, tokens: number, index: number): void {
  const { harness, options, metrics, measureCost, onRequest } = run;
  const { session, deps } = harness;
  const request = buildRequest({
    purpose: 'turn',
    context: session.sent,
    model: session.model,
    facts: modelFacts(session, deps),
    estimate: session.estimate,
    config: deps.config.model,
  });
  const { reserveTokens } = limitsOf(session, deps);
  metrics.requests.push({
    tokens,
    ...measureCost(request),
    overflow: tokens + reserveTokens > options.windowTokens,
    ...changesSince(run),
  });
  onRequest(request, index);
}

/** Returns what happened since the previous request. */
function changesSince(run: Run): Pick<RequestMetrics, 'offloaded' | 'replaced'> {
  const { offloads } = run.metrics;
  const { previous } = run;
  const rounds = roundOf(run.metrics);
  run.previous = { offloads, rounds };
  return { offloaded: offloads - previous.offloads, replaced: rounds - previous.rounds };
}

/** Judges whether this request contains what the recorded reply will use. */
async function judgeUse({ harness, metrics, references, looks }: Run, index: number): Promise<void> {
  const { context } = harness.session;
  const dueReferences = references.get(index);
  if (dueReferences !== undefined)
    metrics.references = sumTallies([metrics.references, await judgeReferences(dueReferences, context, harness.find)]);
  const stepCalls = looks.get(index);
  if (stepCalls === undefined || roundOf(metrics) === 0) return;
  metrics.looks += stepCalls.calls;
  metrics.again = sumTallies([metrics.again, judgeRepeatedCalls(stepCalls.again, context)]);
}

async function judge({ harness, metrics, fidelity, grounding }: Run, index: number): Promise<void> {
  const { context } = harness.session;
  await fidelity.judge(context, { until: index, round: roundOf(metrics), atEnd: false });
  for (const message of context.messages.filter(({ origin }) => origin === 'summary')) grounding.check(textOf(message.content));
}

/** Stores the recorded reply, with the usage that a provider would have reported for the request of this replay, then its results. */
function addReply(step: Extract<Step, { type: 'reply' }>, { harness, metrics }: Run): void {
  const { session, deps } = harness;
  const calls = step.content.filter(isToolUse);
  const lastRequest = metrics.requests.at(-1);
  const message = session.message({
    role: 'assistant',
    origin: 'model',
    content: step.content,
    model: session.model,
    stopReason: calls.length > 0 ? 'tool_use' : 'end_turn',
  });
  const cacheReadTokens = lastRequest?.cachedTokens ?? 0;
  const inputTokens = Math.max(0, (lastRequest?.tokens ?? 0) - cacheReadTokens);
  const usage = { inputTokens, cacheReadTokens, cacheWriteTokens: 0, outputTokens: deps.measure.message(message, 1) };
  const hasUsage = lastRequest !== undefined && lastRequest.inputTokens > 0;
  session.append({ type: 'message', message: hasUsage ? { ...message, usage } : message });
  if (hasUsage) session.estimate.calibrate(usageTotal(usage));
  const limits = limitsOf(session, deps);
  for (const call of calls) {
    const result = step.results.find((each) => each.toolUseId === call.id);
    if (result === undefined) throw new Error(`The recording has no result for the call ${call.id}`);
    storeResult(call, { ...result, note: sameInBoth(''), denied: false, ms: 0 }, session, deps, limits);
  }
}

/** Returns the tokens of everything that was said, called and returned, counted by the tokenizer alone. */
const recordedTokens = ({ steps }: Pick<Transcript, 'steps'>, count: CountTokens): number =>
  steps.reduce((sum, step) => sum + stepTokens(step, count), 0);

const stepTokens = (step: Step, count: CountTokens): number =>
  step.type !== 'reply'
    ? count(step.text)
    : step.content.reduce((sum, block) => sum + blockTokens(block, count), 0) +
      step.results.reduce((sum, result) => sum + count(result.content), 0);
