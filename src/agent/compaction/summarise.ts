import { ruleSummary } from '../../context/rules/rule-summary.ts';
import { checkSummary, correctionNote } from '../../context/summary/summary-check.ts';
import { planSummary } from '../../context/summary/summary-request.ts';
import type { SummaryMethod } from '../../domain/event.ts';
import type { Ledger } from '../../domain/session/ledger.ts';
import { type BodyRef, isToolUse, type Message, noUsage, type Summary, textOf } from '../../domain/session/message.ts';
import type { ModelReply } from '../../domain/session/model-answer.ts';
import type { AgentDeps } from '../deps.ts';
import { factsOf } from '../deps.ts';
import { reasonOf, type Session } from '../session/session.ts';
import { addCost, addUsage } from '../session/spending.ts';
import type { Spent } from './types.ts';

export type SummaryOf = {
  /** What leaves the context, oldest first, without an earlier summary. */
  readonly material: readonly Message[];
  readonly earlier: Summary | undefined;
  /** What stays in the context behind the material. */
  readonly kept?: readonly Message[] | undefined;
  /** Of the material and the earlier summary together. */
  readonly ledger: Ledger;
  readonly instructions: string | undefined;
  /** A summary that a hook offers in place of a model's. */
  readonly given?: string | undefined;
  readonly targetTokens: number;
  /** Asked for by the user: then models are tried however often they failed. */
  readonly asked: boolean;
  readonly bodyOf: (ref: BodyRef) => string | undefined;
  readonly signal: AbortSignal;
};

export type Summarised =
  | { readonly kind: 'summarised'; readonly text: string; readonly method: SummaryMethod; readonly spent: Spent }
  | { readonly kind: 'failed'; readonly why: string; readonly spent: Spent };

/** A summary request that overflows is planned again for half the window, this often. */
const MAX_REPLANS = 3;

/**
 * Summarises by model, or by rule when there is no model for it, or the models are down and the user allows it. What the
 * failed or cancelled tries cost is in `spent` too. Never rejects for a model; a cancel is a failure here.
 */
export async function summarise(of: SummaryOf, session: Session, deps: AgentDeps): Promise<Summarised> {
  const given = of.given === undefined ? undefined : takeGiven(of.given, of, session, deps);
  if (given !== undefined) return given;
  if (!deps.canSummarise || !deps.config.compaction.useLLMSummary)
    return byRule(of, session, deps, { method: 'rules', spent: nothingSpent });
  if (!of.asked && session.summaryBreaker.isOpen(deps.now().getTime()))
    return withoutModel('The models for summaries failed several times in a row and are left alone for a while', of, session, deps);
  let spent: Spent = nothingSpent;
  const problems: string[] = [];
  const until = AbortSignal.any([of.signal, deps.deadline(deps.config.compaction.timeoutMs)]);
  for (const model of summaryModels(session, deps)) {
    const tried = await byModel(model, { ...of, signal: until }, session, deps);
    spent = addSpent(spent, tried.spent);
    if (of.signal.aborted) return { kind: 'failed', why: 'it was cancelled', spent };
    if (tried.kind === 'summarised') {
      session.summaryBreaker.note('worked', deps.now().getTime());
      return { ...tried, spent };
    }
    problems.push(`${model}: ${tried.why}`);
    if (until.aborted) break;
  }
  session.summaryBreaker.note('failed', deps.now().getTime());
  return { ...withoutModel(`No summary from a model (${problems.join('; ')})`, of, session, deps), spent };
}

function withoutModel(why: string, of: SummaryOf, session: Session, deps: AgentDeps): Summarised {
  if (!deps.config.compaction.llmFallbackToRules) return { kind: 'failed', why, spent: nothingSpent };
  deps.emit({ type: 'warning', message: `${why}. The summary is made by rule and marked as degraded.` });
  return byRule(of, session, deps, { method: 'rules_degraded', spent: nothingSpent });
}

/** A hook's summary has to pass the check that a model's has to; undefined, and told, when it does not. */
function takeGiven(given: string, { material, earlier }: SummaryOf, session: Session, deps: AgentDeps): Summarised | undefined {
  const text = given.trim();
  const sizes = material.map((message) => deps.measure.message(message, session.ratio));
  const verdict = checkSummary(text, {
    stopReason: 'end_turn',
    hasToolCall: false,
    sourceTokens: sizes.reduce((sum, size) => sum + size, deps.measure.text(earlier?.text ?? '', session.ratio)),
    tokens: deps.measure.text(text, session.ratio),
  });
  if (verdict.kind === 'good') return { kind: 'summarised', text, method: 'hook', spent: nothingSpent };
  deps.emit({ type: 'warning', message: `The summary of a PreCompact hook is not used: ${verdict.problems.join(' ')}` });
  return undefined;
}

/** The configured one, its fallbacks, and at last the session's own, each once. */
function summaryModels(session: Session, deps: AgentDeps): readonly string[] {
  const { model, fallbackModels } = deps.config.compaction;
  return [...new Set([...(model === null ? [] : [model]), ...fallbackModels, session.model])];
}

function byRule(
  of: SummaryOf,
  session: Session,
  deps: AgentDeps,
  made: { readonly method: SummaryMethod; readonly spent: Spent },
): Summarised {
  const { material, kept, earlier, ledger, bodyOf, targetTokens, instructions: wish } = of;
  const count = (text: string) => deps.measure.text(text, session.ratio);
  const text = ruleSummary(material, { earlier: earlier?.text, kept, instructions: wish, ledger, bodyOf, tokens: targetTokens, count });
  return { kind: 'summarised', text, ...made };
}

/** One model's try: all parts in order, each part continuing the summary of the part before. */
async function byModel(model: string, of: SummaryOf, session: Session, deps: AgentDeps): Promise<Summarised> {
  let windowTokens = model === session.model ? factsOf(session, deps).windowTokens : deps.model.facts(model).windowTokens;
  let spent: Spent = nothingSpent;
  for (let replan = 0; replan <= MAX_REPLANS; replan++) {
    const made = await allParts(model, of, session, { ...deps, windowTokens });
    spent = addSpent(spent, made.spent);
    if (made.kind === 'summarised') return { ...made, spent };
    if (made.kind === 'failed') return { ...made, spent };
    windowTokens = Math.floor((made.limitTokens ?? windowTokens) / (replan === 0 && made.limitTokens !== undefined ? 1.25 : 2));
  }
  return { kind: 'failed', why: 'its window is too small for the summary', spent };
}

type PartsMade = Summarised | { readonly kind: 'overflow'; readonly limitTokens: number | undefined; readonly spent: Spent };

async function allParts(
  model: string,
  of: SummaryOf,
  session: Session,
  deps: AgentDeps & { readonly windowTokens: number },
): Promise<PartsMade> {
  const { earlier, instructions, targetTokens, bodyOf } = of;
  const { count, windowTokens } = deps;
  const plan = planSummary(of.material, {
    earlier,
    instructions,
    windowTokens,
    targetTokens,
    count,
    ratio: session.ratio,
    bodyOf,
    prompts: deps.prompts(),
  });
  let spent: Spent = nothingSpent;
  let text: string | undefined = earlier?.text;
  for (let part = 0; part < plan.parts.length; part++) {
    deps.emit({ type: 'compaction_step', step: 'summary', part: part + 1, parts: plan.parts.length });
    const { system, user } = plan.request(part, text);
    const source = deps.measure.text((plan.parts[part] ?? '') + (text ?? ''), session.ratio);
    const made = await onePart({ model, system, user, sourceTokens: source, targetTokens, signal: of.signal }, session, deps);
    spent = addSpent(spent, made.spent);
    if (made.kind !== 'summarised') return { ...made, spent };
    text = made.text;
  }
  return text === undefined
    ? { kind: 'failed', why: 'there was nothing to summarise', spent }
    : { kind: 'summarised', text, method: 'model', spent };
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
async function onePart(part: Part, session: Session, deps: AgentDeps): Promise<PartsMade> {
  let spent: Spent = nothingSpent;
  let note = '';
  let why = '';
  for (let attempt = 0; attempt < 2; attempt++) {
    const asked = await askOrWhyNot({ ...part, user: part.user + note }, session, deps);
    if (asked.kind !== 'reply') return { ...asked, spent };
    const { reply } = asked;
    const costUsd = reply.usage === undefined ? 0 : deps.model.facts(part.model).costUsd(reply.usage);
    spent = addSpent(spent, { usage: reply.usage ?? noUsage, costUsd });
    if (reply.stopReason === 'model_context_window_exceeded') return { kind: 'overflow', limitTokens: undefined, spent };
    const text = textOf(reply.content).trim();
    const verdict = checkSummary(text, {
      stopReason: reply.stopReason,
      hasToolCall: reply.content.some(isToolUse),
      sourceTokens: part.sourceTokens,
      tokens: deps.measure.text(text, session.ratio),
    });
    if (verdict.kind === 'good') return { kind: 'summarised', text, method: 'model', spent };
    why = verdict.problems.join('; ');
    note = `\n\n${correctionNote(verdict.problems)}`;
  }
  return { kind: 'failed', why, spent };
}

type Asked =
  | { readonly kind: 'reply'; readonly reply: ModelReply }
  | { readonly kind: 'overflow'; readonly limitTokens: number | undefined }
  | { readonly kind: 'failed'; readonly why: string };

/** A model that fails is a reason to try another way, and no failure of the turn. What may pass by itself it has tried again already. */
async function askOrWhyNot(part: Part, session: Session, deps: AgentDeps): Promise<Asked> {
  try {
    return await ask(part, session, deps);
  } catch (error) {
    if (part.signal.aborted) return { kind: 'failed', why: 'the time for a compaction (compaction.timeoutMs) was over' };
    return { kind: 'failed', why: reasonOf(error).replace(/\.$/, '') };
  }
}

/** Without tools, and without a word on the screen: a summary is not an answer. */
async function ask(part: Part, session: Session, deps: AgentDeps): Promise<Asked> {
  const facts = deps.model.facts(part.model);
  const request = {
    model: part.model,
    system: [part.system],
    tools: [],
    messages: [{ role: 'user' as const, content: [{ type: 'text', text: part.user }] }],
    maxOutputTokens: Math.min(Math.ceil(part.targetTokens * 1.2), facts.maxOutputTokens),
    purpose: 'summary' as const,
    retryCount: deps.config.compaction.retryCount,
  };
  deps.emit({
    type: 'request',
    purpose: 'summary',
    tokens: deps.measure.text(part.system + part.user, session.ratio),
    windowTokens: facts.windowTokens,
  });
  const answer = await deps.model.ask(request, {
    signal: part.signal,
    onText: silent,
    onThinking: silent,
    onRetry: (retry) => deps.emit({ type: 'retrying', ...retry }),
  });
  if (answer.kind === 'reply') return { kind: 'reply', reply: answer };
  if (answer.kind === 'overflow') return { kind: 'overflow', limitTokens: answer.limitTokens };
  return { kind: 'failed', why: 'the model refused the request' };
}

const silent = () => undefined;
export const nothingSpent: Spent = { usage: noUsage, costUsd: 0 };

export const addSpent = (a: Spent, b: Spent): Spent => ({
  usage: addUsage(a.usage, b.usage),
  costUsd: addCost(a.costUsd, b.costUsd),
});
