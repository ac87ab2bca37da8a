import { checkSummary } from '../../context/summary/summary-check.ts';
import { planSummary } from '../../context/summary/summary-request.ts';
import { AbortedError } from '../../domain/errors.ts';
import { isCompaction, noUsage } from '../../domain/session/message.ts';
import type { ModelReply } from '../../domain/session/model-answer.ts';
import { type AgentDeps, modelFacts } from '../deps.ts';
import { buildRequest, MAX_INSTRUCTION_CHARS } from '../request.ts';
import { errorMessage, type Session } from '../session/session.ts';
import { type Cost, noCost } from '../session/usage.ts';
import { askForSummary } from './ask-for-summary.ts';
import type { SummaryDeps } from './model-summary.ts';
import type { CompactionPlan, SummaryResult } from './types.ts';

type UsesServerDeps = Pick<AgentDeps, 'config' | 'model' | 'report'>;

/** Whether compactions ask the API itself (`compaction.method`); a model known to lack it is told once. */
export function usesServerCompaction(session: Session, deps: UsesServerDeps): boolean {
  const { method, useLLMSummary } = deps.config.compaction;
  const { model, summariser } = session;
  if (method === 'own' || !useLLMSummary) return false;
  const isKnownToLack = summariser.withoutServer.has(model);
  if (deps.model.canSummarise && modelFacts(session, deps).serverCompaction !== false) return !isKnownToLack;
  if (!isKnownToLack) warnNoServerCompaction(`compaction.method is "server", but ${model} has no such compaction.`, session, deps);
  return false;
}

/**
 * Has the API summarise everything before the tail, as it was sent: the model, the system prompt and the tools are those of the
 * turns, so its cache is read and bound thinking holds. Never rejects for a model; a failure is told already, and what a failed or
 * cancelled try cost is in `cost`.
 */
export async function summariseByServer(plan: CompactionPlan, session: Session, deps: SummaryDeps): Promise<SummaryResult> {
  const { clock, config, report } = deps;
  const { serverBreaker } = session.summariser;
  if (!usesServerCompaction(session, deps)) return failed('compaction.method is not the API');
  if (plan.trigger !== 'manual' && serverBreaker.isOpen(clock.now().getTime())) return failed('it is left alone for a while');
  const signal = AbortSignal.any([plan.signal, clock.deadline(config.compaction.timeoutMs)]);
  const attempt = await requestSummary(plan, signal, session, deps);
  if (plan.signal.aborted) return failed('it was cancelled', attempt.cost);
  if (attempt.kind === 'summarised') {
    serverBreaker.record('worked', clock.now().getTime());
    return attempt;
  }
  if (attempt.lasting) warnNoServerCompaction(`The API does not summarise for ${session.model} (${attempt.why}).`, session, deps);
  else {
    serverBreaker.record('failed', clock.now().getTime());
    const why = signal.aborted ? 'the time limit for a compaction (compaction.timeoutMs) was reached' : attempt.why;
    report.emit({ type: 'warning', message: `No summary from the API (${why}). SanBot makes the summary itself instead.` });
  }
  return attempt;
}

/** Remembered for this process, so that it is neither asked nor told again. */
function warnNoServerCompaction(why: string, { model, summariser }: Session, { report }: Pick<AgentDeps, 'report'>): void {
  summariser.withoutServer.add(model);
  report.emit({ type: 'warning', message: `${why} SanBot compacts this session itself.` });
}

/** `lasting` when it would fail for any other conversation too. */
type ServerAttempt = Extract<SummaryResult, { kind: 'summarised' }> | ServerFailure;
type ServerFailure = Extract<SummaryResult, { kind: 'failed' }> & { readonly lasting: boolean };

const failed = (why: string, cost: Cost = noCost, lasting = false): ServerFailure => ({ kind: 'failed', why, lasting, cost });

async function requestSummary(plan: CompactionPlan, signal: AbortSignal, session: Session, deps: SummaryDeps): Promise<ServerAttempt> {
  const instructions = instructionsFor(plan, session, deps);
  if (instructions.length > MAX_INSTRUCTION_CHARS)
    return failed(`the instructions have ${instructions.length} characters, and it takes ${MAX_INSTRUCTION_CHARS}`);
  const { model, sent, estimate } = session;
  const facts = modelFacts(session, deps);
  const context = { ...sent, messages: sent.messages.slice(0, plan.index) };
  const { tokens } = deps.measure.context({ ...context, anchorFloor: context.messages.length }, estimate.ratio);
  const targetTokens = plan.limits.summaryTokens;
  const { retryCount } = deps.config.compaction;
  deps.report.emit({ type: 'compaction_step', step: 'summary', part: 1, parts: 1 });
  try {
    const request = buildRequest({ purpose: 'server_summary', model, facts, context, instructions, targetTokens, retryCount });
    const answer = await askForSummary(request, { tokens, windowTokens: facts.windowTokens, signal }, deps);
    if (answer.kind === 'reply') return readReply(answer, tokens, session, deps);
    if (answer.kind === 'no_compaction') return failed(answer.why, noCost, answer.lasting);
    return failed(answer.kind === 'overflow' ? 'what is to be summarised does not fit its window' : 'it refused the conversation as it is');
  } catch (error) {
    return failed(error instanceof AbortedError ? 'it was cancelled' : errorMessage(error).replace(/\.$/, ''));
  }
}

function readReply(
  { usage, stopReason, content }: ModelReply,
  sourceTokens: number,
  session: Session,
  deps: Pick<AgentDeps, 'model' | 'measure'>,
): ServerAttempt {
  const cost: Cost = { usage: usage ?? noUsage, costUsd: usage === undefined ? 0 : modelFacts(session, deps).costUsd(usage) };
  const [block] = content;
  if (stopReason !== 'compaction' || content.length !== 1 || block === undefined || !isCompaction(block))
    return failed(`it answered without one, and ended with ${stopReason}`, cost);
  const text = block.content;
  const tokens = deps.measure.text(text, session.estimate.ratio);
  const verdict = checkSummary(text, { stopReason: 'end_turn', hasToolCall: false, sourceTokens, tokens });
  return verdict.kind === 'good' ? { kind: 'summarised', text, block, method: 'server', cost } : failed(verdict.problems.join(' '), cost);
}

/** The prompt of our own summaries, for the conversation itself: the same headings, and the same rules for what it says. */
function instructionsFor(
  { instructions, limits }: CompactionPlan,
  session: Session,
  deps: Pick<AgentDeps, 'model' | 'prompts' | 'measure'>,
): string {
  const { system } = planSummary([], {
    earlier: undefined,
    instructions,
    windowTokens: modelFacts(session, deps).windowTokens,
    targetTokens: limits.summaryTokens,
    count: (text) => deps.measure.text(text, 1),
    ratio: session.estimate.ratio,
    bodyOf: session.bodies.read,
    prompts: deps.prompts.summary(),
  }).request(0, undefined);
  return `${SOURCE_NOTE}\n\n${system}`;
}

const SOURCE_NOTE =
  'The material to be summarised is the whole conversation above, from its start; no tags stand around it. A summary of what came before, at its start, is part of it.';
