import { ruleSummary } from '../../context/rules/rule-summary.ts';
import { checkSummary, correctionNote } from '../../context/summary/summary-check.ts';
import { planSummary } from '../../context/summary/summary-request.ts';
import type { SummaryMethod } from '../../domain/event.ts';
import type { Ledger } from '../../domain/session/ledger.ts';
import { type BodyRef, isToolUse, type Message, noUsage, type Summary, textOf } from '../../domain/session/message.ts';
import type { ModelReply } from '../../domain/session/model-answer.ts';
import type { AgentDeps } from '../deps.ts';
import { modelFacts } from '../deps.ts';
import { buildRequest } from '../request.ts';
import { errorMessage, type Session } from '../session/session.ts';
import { addCosts, type Cost, noCost } from '../session/usage.ts';

export type SummariseOptions = {
  /** What leaves the context, oldest first, without an earlier summary. */
  readonly toSummarise: readonly Message[];
  readonly earlier: Summary | undefined;
  /** What stays in the context behind the material. */
  readonly kept?: readonly Message[] | undefined;
  /** Of the material and the earlier summary together. */
  readonly ledger: Ledger;
  readonly instructions: string | undefined;
  /** A summary that a hook offers in place of a model's. */
  readonly hookSummary?: string | undefined;
  readonly targetTokens: number;
  /** Asked for by the user: then models are tried however often they failed. */
  readonly manual: boolean;
  readonly bodyOf: (ref: BodyRef) => string | undefined;
  readonly signal: AbortSignal;
};

export type SummaryResult =
  | { readonly kind: 'summarised'; readonly text: string; readonly method: SummaryMethod; readonly cost: Cost }
  | { readonly kind: 'failed'; readonly why: string; readonly cost: Cost };

/** A summary request that overflows is planned again for half the window, this often. */
const MAX_REPLANS = 3;

/**
 * Summarises by model, or by rule when there is no model for it, or the models are down and the user allows it. What the
 * failed or cancelled tries cost is in `cost` too. Never rejects for a model; a cancel is a failure here.
 */
export async function summarise(options: SummariseOptions, session: Session, deps: AgentDeps): Promise<SummaryResult> {
  const fromHook = options.hookSummary === undefined ? undefined : checkHookSummary(options.hookSummary, options, session, deps);
  if (fromHook !== undefined) return fromHook;
  if (!deps.model.canSummarise || !deps.config.compaction.useLLMSummary)
    return summariseByRule(options, session, deps, { method: 'rules', cost: noCost });
  if (!options.manual && session.summariser.modelBreaker.isOpen(deps.clock.now().getTime()))
    return fallBackToRules('The models for summaries failed several times in a row and are left alone for a while', options, session, deps);
  let cost: Cost = noCost;
  const problems: string[] = [];
  const deadlineSignal = AbortSignal.any([options.signal, deps.clock.deadline(deps.config.compaction.timeoutMs)]);
  for (const model of summaryModels(session, deps)) {
    const result = await summariseByModel(model, { ...options, signal: deadlineSignal }, session, deps);
    cost = addCosts(cost, result.cost);
    if (options.signal.aborted) return { kind: 'failed', why: 'it was cancelled', cost };
    if (result.kind === 'summarised') {
      session.summariser.modelBreaker.record('worked', deps.clock.now().getTime());
      return { ...result, cost };
    }
    problems.push(`${model}: ${result.why}`);
    if (deadlineSignal.aborted) break;
  }
  session.summariser.modelBreaker.record('failed', deps.clock.now().getTime());
  return { ...fallBackToRules(`No summary from a model (${problems.join('; ')})`, options, session, deps), cost };
}

function fallBackToRules(why: string, options: SummariseOptions, session: Session, deps: AgentDeps): SummaryResult {
  if (!deps.config.compaction.llmFallbackToRules) return { kind: 'failed', why, cost: noCost };
  deps.report.emit({ type: 'warning', message: `${why}. The summary is made by rule and marked as degraded.` });
  return summariseByRule(options, session, deps, { method: 'rules_degraded', cost: noCost });
}

/** A hook's summary has to pass the check that a model's has to; undefined, and told, when it does not. */
function checkHookSummary(
  hookSummary: string,
  { toSummarise, earlier }: SummariseOptions,
  session: Session,
  deps: AgentDeps,
): SummaryResult | undefined {
  const text = hookSummary.trim();
  const sizes = toSummarise.map((message) => deps.measure.message(message, session.estimate.ratio));
  const verdict = checkSummary(text, {
    stopReason: 'end_turn',
    hasToolCall: false,
    sourceTokens: sizes.reduce((sum, size) => sum + size, deps.measure.text(earlier?.text ?? '', session.estimate.ratio)),
    tokens: deps.measure.text(text, session.estimate.ratio),
  });
  if (verdict.kind === 'good') return { kind: 'summarised', text, method: 'hook', cost: noCost };
  deps.report.emit({ type: 'warning', message: `The summary of a PreCompact hook is not used: ${verdict.problems.join(' ')}` });
  return undefined;
}

/** The configured one, its fallbacks, and at last the session's own, each once. */
function summaryModels(session: Session, deps: AgentDeps): readonly string[] {
  const { model, fallbackModels } = deps.config.compaction;
  return [...new Set([...(model === null ? [] : [model]), ...fallbackModels, session.model])];
}

function summariseByRule(
  options: SummariseOptions,
  session: Session,
  deps: AgentDeps,
  origin: { readonly method: SummaryMethod; readonly cost: Cost },
): SummaryResult {
  const { toSummarise, kept, earlier, ledger, bodyOf, targetTokens, instructions } = options;
  const count = (text: string) => deps.measure.text(text, session.estimate.ratio);
  const text = ruleSummary(toSummarise, { earlier: earlier?.text, kept, instructions, ledger, bodyOf, tokens: targetTokens, count });
  return { kind: 'summarised', text, ...origin };
}

/** One model's try: all parts in order, each part continuing the summary of the part before. */
async function summariseByModel(model: string, options: SummariseOptions, session: Session, deps: AgentDeps): Promise<SummaryResult> {
  let windowTokens = model === session.model ? modelFacts(session, deps).windowTokens : deps.model.facts(model).windowTokens;
  let cost: Cost = noCost;
  for (let replan = 0; replan <= MAX_REPLANS; replan++) {
    const result = await summariseParts(model, options, session, { ...deps, windowTokens });
    cost = addCosts(cost, result.cost);
    if (result.kind === 'summarised') return { ...result, cost };
    if (result.kind === 'failed') return { ...result, cost };
    windowTokens = Math.floor((result.limitTokens ?? windowTokens) / (replan === 0 && result.limitTokens !== undefined ? 1.25 : 2));
  }
  return { kind: 'failed', why: 'its window is too small for the summary', cost };
}

type PartsResult = SummaryResult | { readonly kind: 'overflow'; readonly limitTokens: number | undefined; readonly cost: Cost };

async function summariseParts(
  model: string,
  options: SummariseOptions,
  session: Session,
  deps: AgentDeps & { readonly windowTokens: number },
): Promise<PartsResult> {
  const { earlier, instructions, targetTokens, bodyOf } = options;
  const { windowTokens } = deps;
  const count = (words: string) => deps.measure.text(words, 1);
  const plan = planSummary(options.toSummarise, {
    earlier,
    instructions,
    windowTokens,
    targetTokens,
    count,
    ratio: session.estimate.ratio,
    bodyOf,
    prompts: deps.prompts.summary(),
  });
  let cost: Cost = noCost;
  let text: string | undefined = earlier?.text;
  for (let part = 0; part < plan.parts.length; part++) {
    deps.report.emit({ type: 'compaction_step', step: 'summary', part: part + 1, parts: plan.parts.length });
    const { system, user } = plan.request(part, text);
    const sourceTokens = deps.measure.text((plan.parts[part] ?? '') + (text ?? ''), session.estimate.ratio);
    const result = await summarisePart({ model, system, user, sourceTokens, targetTokens, signal: options.signal }, session, deps);
    cost = addCosts(cost, result.cost);
    if (result.kind !== 'summarised') return { ...result, cost };
    text = result.text;
  }
  return text === undefined
    ? { kind: 'failed', why: 'there was nothing to summarise', cost }
    : { kind: 'summarised', text, method: 'model', cost };
}

type Part = {
  readonly model: string;
  readonly system: string;
  readonly user: string;
  readonly sourceTokens: number;
  readonly targetTokens: number;
  readonly signal: AbortSignal;
};

/** Asks for one part, and once more with the faults named when the answer is no summary. */
async function summarisePart(part: Part, session: Session, deps: AgentDeps): Promise<PartsResult> {
  let cost: Cost = noCost;
  let note = '';
  let why = '';
  for (let attempt = 0; attempt < 2; attempt++) {
    const answer = await tryAsk({ ...part, user: part.user + note }, session, deps);
    if (answer.kind !== 'reply') return { ...answer, cost };
    const { reply } = answer;
    const costUsd = reply.usage === undefined ? 0 : deps.model.facts(part.model).costUsd(reply.usage);
    cost = addCosts(cost, { usage: reply.usage ?? noUsage, costUsd });
    if (reply.stopReason === 'model_context_window_exceeded') return { kind: 'overflow', limitTokens: undefined, cost };
    const text = textOf(reply.content).trim();
    const verdict = checkSummary(text, {
      stopReason: reply.stopReason,
      hasToolCall: reply.content.some(isToolUse),
      sourceTokens: part.sourceTokens,
      tokens: deps.measure.text(text, session.estimate.ratio),
    });
    if (verdict.kind === 'good') return { kind: 'summarised', text, method: 'model', cost };
    why = verdict.problems.join('; ');
    note = `\n\n${correctionNote(verdict.problems)}`;
  }
  return { kind: 'failed', why, cost };
}

type PartAnswer =
  | { readonly kind: 'reply'; readonly reply: ModelReply }
  | { readonly kind: 'overflow'; readonly limitTokens: number | undefined }
  | { readonly kind: 'failed'; readonly why: string };

/** A model that fails is a reason to try another way, and no failure of the turn. What may pass by itself it has tried again already. */
async function tryAsk(part: Part, session: Session, deps: AgentDeps): Promise<PartAnswer> {
  try {
    return await ask(part, session, deps);
  } catch (error) {
    if (part.signal.aborted) return { kind: 'failed', why: 'the time for a compaction (compaction.timeoutMs) was over' };
    return { kind: 'failed', why: errorMessage(error).replace(/\.$/, '') };
  }
}

/** Without tools, and without a word on the screen: a summary is not an answer. */
async function ask(part: Part, session: Session, deps: AgentDeps): Promise<PartAnswer> {
  const facts = deps.model.facts(part.model);
  const { model, system, user, targetTokens } = part;
  const { retryCount } = deps.config.compaction;
  const request = buildRequest({ purpose: 'summary', model, facts, prompt: { system, user }, targetTokens, retryCount });
  deps.report.emit({
    type: 'request',
    purpose: 'summary',
    tokens: deps.measure.text(part.system + part.user, session.estimate.ratio),
    windowTokens: facts.windowTokens,
  });
  const answer = await deps.model.ask(request, {
    signal: part.signal,
    onText: silent,
    onThinking: silent,
    onRetry: (retry) => deps.report.emit({ type: 'retrying', ...retry }),
  });
  if (answer.kind === 'reply') return { kind: 'reply', reply: answer };
  if (answer.kind === 'overflow') return { kind: 'overflow', limitTokens: answer.limitTokens };
  return { kind: 'failed', why: 'the model refused the request' };
}

const silent = () => undefined;
