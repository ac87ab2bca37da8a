import type { MemoryProposal } from '../../context/memory/check-proposal.ts';
import { reportedTtl } from '../../context/relief/price-relief.ts';
import { summaryOf } from '../../context/summary/compressed-history.ts';
import { prefixInstructions, restoredBodies } from '../../context/summary/restore-bodies.ts';
import { planSummary } from '../../context/summary/summary-request.ts';
import { splitEffort } from '../../domain/config/effort.ts';
import { type Bilingual, because, joinTexts, sameInBoth } from '../../domain/language.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import type { ContentBlock, Message } from '../../domain/session/message.ts';
import { type AgentDeps, modelFacts } from '../deps.ts';
import type { ModelRequest } from '../ports/model.ts';
import { besideConversation, buildRequest } from '../request.ts';
import type { Session } from '../session/session.ts';
import { addCosts, type Cost, noCost } from '../session/usage.ts';
import { completeByRule } from './plan.ts';
import {
  askForCheckedSummary,
  type CheckedSummary,
  cancelledText,
  chooseSummaryWay,
  summaryModels,
  withinSentence,
} from './summary-way.ts';
import type { CompactionPlan, SummaryResult } from './types.ts';

/** A summary request that overflows is planned again for half the window, this often. */
const MAX_REPLANS = 3;

/**
 * Asks the models for summaries, one after the other, until one has made it; none when they failed so often that they are left alone for
 * now, unless the user asks. `cost` holds the failed and cancelled tries too. Never rejects for a model; a cancel is a failure here.
 */
export async function summariseByModels(plan: CompactionPlan, session: Session, deps: SummaryDeps): Promise<SummaryResult> {
  const { clock, config } = deps;
  const { modelBreaker } = session.summariser;
  if (plan.trigger !== 'manual' && modelBreaker.isOpen(clock.now().getTime()))
    return {
      kind: 'failed',
      why: {
        en: 'The models for summaries failed several times in a row and will not be asked for a while',
        zh: '摘要模型连续多次失败，暂时不再请求',
      },
      cost: noCost,
    };
  let cost: Cost = noCost;
  const problems: Bilingual[] = [];
  const signal = AbortSignal.any([plan.signal, clock.deadline(config.compaction.timeoutMs)]);
  for (const model of summaryModels(session, config.compaction)) {
    const result = await summariseByModel({ model, signal }, plan, session, deps);
    cost = addCosts(cost, result.cost);
    if (plan.signal.aborted) return { kind: 'failed', why: cancelledText, cost };
    if (result.kind === 'summarised') {
      modelBreaker.record('worked', clock.now().getTime());
      return { ...result, text: completeByRule(result.text, plan, session, deps), cost };
    }
    problems.push(because(sameInBoth(model), withinSentence(result.why)));
    if (signal.aborted) break;
  }
  modelBreaker.record('failed', clock.now().getTime());
  const whys = joinTexts(problems, { en: '; ', zh: '；' });
  return { kind: 'failed', why: { en: `No summary from a model (${whys.en})`, zh: `模型没有给出摘要（${whys.zh}）` }, cost };
}

/** Who is asked, and until when. */
type Summariser = { readonly model: string; readonly signal: AbortSignal };

/** One model's try: at the end of the conversation itself, where it can be, else from a transcript. */
async function summariseByModel(summariser: Summariser, plan: CompactionPlan, session: Session, deps: SummaryDeps): Promise<SummaryResult> {
  const onPrefix = summariser.model === session.model ? await summariseOnPrefix(plan, summariser.signal, session, deps) : undefined;
  if (onPrefix?.kind === 'summarised' || onPrefix?.kind === 'failed') return onPrefix;
  const result = await summariseTranscript(summariser, plan, session, deps);
  return { ...result, cost: addCosts(onPrefix?.cost ?? noCost, result.cost) };
}

/** Planned again for a smaller window when the model says that the parts were too large. */
async function summariseTranscript(
  summariser: Summariser,
  plan: CompactionPlan,
  session: Session,
  deps: SummaryDeps,
): Promise<SummaryResult> {
  const { model } = summariser;
  let windowTokens = model === session.model ? modelFacts(session, deps).windowTokens : deps.model.facts(model).windowTokens;
  let cost: Cost = noCost;
  for (let replan = 0; replan <= MAX_REPLANS; replan++) {
    const result = await summariseParts({ ...summariser, windowTokens }, plan, session, deps);
    cost = addCosts(cost, result.cost);
    if (result.kind === 'unusable') return { kind: 'failed', why: result.why, cost };
    if (result.kind !== 'overflow') return { ...result, cost };
    windowTokens = Math.floor((result.limitTokens ?? windowTokens) / (replan === 0 && result.limitTokens !== undefined ? 1.25 : 2));
  }
  return { kind: 'failed', why: { en: 'its window is too small for the summary', zh: '它的窗口容不下摘要' }, cost };
}

/** Of a window that is smaller than the session's. */
const MAX_ROOM_SHARE = 0.3;

/** All parts in order, each part continuing the summary of the part before. */
async function summariseParts(
  { model, signal, windowTokens }: Summariser & { readonly windowTokens: number },
  { toSummarise, earlier, instructions, limits, tokensBefore: contextTokens }: CompactionPlan,
  session: Session,
  deps: SummaryDeps,
): Promise<CheckedSummary> {
  const { ratio } = session.estimate;
  const { summaryTokens: targetTokens } = limits;
  const roomTokens = Math.min(limits.summaryRoomTokens, Math.max(1, Math.floor(windowTokens * MAX_ROOM_SHARE)));
  const { retryCount } = deps.config.compaction;
  const facts = deps.model.facts(model);
  const asked = model !== session.model && splitEffort(model).effort !== undefined ? model : besideConversation(model, deps);
  const { parts, request } = planSummary(toSummarise, {
    ...{ earlier, instructions, windowTokens, contextTokens, targetTokens, roomTokens, ratio },
    count: (text) => deps.measure.text(text, 1),
    bodyOf: session.bodies.read,
    prompts: deps.prompts.summary(),
  });
  let cost: Cost = noCost;
  let text: string | undefined = earlier?.text;
  const memories: MemoryProposal[] = [];
  for (const [index, part] of parts.entries()) {
    deps.report.emit({ type: 'compaction_step', step: 'summary', part: index + 1, parts: parts.length });
    const prompt = request(index, text);
    const call = {
      // Without tools: a summary is not an answer.
      request: (note: string) =>
        buildRequest({ purpose: 'summary', model: asked, facts, prompt: { ...prompt, user: prompt.user + note }, roomTokens, retryCount }),
      tokens: deps.measure.text(prompt.system + prompt.user, ratio),
      windowTokens: facts.windowTokens,
      sourceTokens: deps.measure.text(part + (text ?? ''), ratio),
      signal,
    };
    const result = await askForCheckedSummary(call, session, deps);
    cost = addCosts(cost, result.cost);
    if (result.kind !== 'summarised') return { ...result, cost };
    text = result.text;
    memories.push(...(result.memories ?? []));
  }
  return text === undefined
    ? { kind: 'failed', why: { en: 'there was nothing to summarise', zh: '没有需要摘要的内容' }, cost }
    : { kind: 'summarised', text, method: 'model', memories, cost };
}

export type SummaryDeps = Pick<AgentDeps, 'config' | 'model' | 'clock' | 'report' | 'prompts' | 'measure'>;

/**
 * Asks the session's own model for the summary at the end of the conversation itself. Undefined when it has to be asked for in another
 * way; so is a try that came to nothing but an answer that is no summary.
 */
export async function summariseOnPrefix(
  plan: CompactionPlan,
  signal: AbortSignal,
  session: Session,
  deps: SummaryDeps,
): Promise<CheckedSummary | undefined> {
  // What overflowed once would do so again with more at its end.
  if (plan.trigger === 'overflow' || session.context !== plan.old) return undefined;
  const { room } = chooseSummaryWay(session, deps, plan);
  if (room === undefined) return undefined;
  const context = { ...session.sent, messages: session.sent.messages.slice(0, room.end) };
  const facts = modelFacts(session, deps);
  const { ratio } = session.estimate;
  const { messages } = plan.old;
  const sizes = deps.measure.messages(plan.toSummarise, ratio);
  const instructions = prefixInstructions({
    messages,
    index: plan.index,
    end: room.end,
    hasSummary: summaryOf(messages) !== undefined,
    instructions: plan.instructions,
    targetTokens: plan.limits.summaryTokens,
    prompts: deps.prompts.summary(),
  });
  const restored = restoredBodies({
    messages: plan.toSummarise,
    all: messages,
    tokens: room.restoreTokens,
    count: (text) => deps.measure.text(text, ratio),
    bodyOf: session.bodies.read,
    bodyPath: session.bodies.path,
  });
  deps.report.emit({ type: 'compaction_step', step: 'summary', part: 1, parts: 1 });
  const request = (note: string): ModelRequest => ({
    ...buildRequest({
      purpose: 'prefix_summary',
      model: session.model,
      facts,
      context: withMessage(context, [restored, instructions + note]),
      roomTokens: room.replyTokens,
      retryCount: deps.config.compaction.retryCount,
    }),
    ...(reportedTtl(context.messages) === '1h' && { cacheTtl: '1h' }),
  });
  const hidden = deps.measure.messages(session.sent.messages.slice(room.end), ratio).reduce((sum, size) => sum + size, 0);
  const tokens = session.estimate.count().tokens - hidden + deps.measure.text(restored + instructions, ratio);
  const sourceTokens = sizes.reduce((sum, size) => sum + size, deps.measure.text(plan.earlier?.text ?? '', ratio));
  return askForCheckedSummary({ request, tokens, windowTokens: facts.windowTokens, sourceTokens, signal }, session, deps);
}

/** Sent, and never stored. */
function withMessage(context: SessionContext, texts: readonly string[]): SessionContext {
  const content: readonly ContentBlock[] = texts.filter((text) => text !== '').map((text) => ({ type: 'text', text }));
  const message: Message = { id: '', at: '', role: 'user', origin: 'notice', content };
  return { ...context, messages: [...context.messages, message] };
}
