import { checkSummary } from '../../context/summary/summary-check.ts';
import { planSummary } from '../../context/summary/summary-request.ts';
import { AbortedError, errorReason } from '../../domain/errors.ts';
import { type Bilingual, joinTexts } from '../../domain/language.ts';
import { isCompaction, noUsage } from '../../domain/session/message.ts';
import type { ModelReply } from '../../domain/session/model-answer.ts';
import { type AgentDeps, modelFacts } from '../deps.ts';
import { buildRequest, MAX_INSTRUCTION_CHARS } from '../request.ts';
import type { Session } from '../session/session.ts';
import { type Cost, noCost } from '../session/usage.ts';
import { askForSummary, cancelledText, timeLimitText, withoutStop } from './ask-for-summary.ts';
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
  if (!isKnownToLack)
    warnNoServerCompaction(
      {
        en: `compaction.method is "server", but ${model} has no such compaction.`,
        zh: `compaction.method 为 "server"，但 ${model} 没有这种压缩。`,
      },
      session,
      deps,
    );
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
  if (!usesServerCompaction(session, deps)) return failed({ en: 'compaction.method is not the API', zh: 'compaction.method 不是 API' });
  if (plan.trigger !== 'manual' && serverBreaker.isOpen(clock.now().getTime()))
    return failed({ en: 'it is left alone for a while', zh: '暂时不再请求它' });
  const signal = AbortSignal.any([plan.signal, clock.deadline(config.compaction.timeoutMs)]);
  const attempt = await requestSummary(plan, signal, session, deps);
  if (plan.signal.aborted) return failed(cancelledText, attempt.cost);
  if (attempt.kind === 'summarised') {
    serverBreaker.record('worked', clock.now().getTime());
    return attempt;
  }
  if (attempt.lasting)
    warnNoServerCompaction(
      {
        en: `The API does not summarise for ${session.model} (${attempt.why.en}).`,
        zh: `API 不为 ${session.model} 生成摘要（${attempt.why.zh}）。`,
      },
      session,
      deps,
    );
  else {
    serverBreaker.record('failed', clock.now().getTime());
    const why = signal.aborted ? timeLimitText : attempt.why;
    report.emit({
      type: 'warning',
      message: {
        en: `No summary from the API (${why.en}). SanBot makes the summary itself instead.`,
        zh: `API 没有给出摘要（${why.zh}）。改由 SanBot 自行生成摘要。`,
      },
    });
  }
  return attempt;
}

/** Remembered for this process, so that it is neither asked nor told again. */
function warnNoServerCompaction(why: Bilingual, { model, summariser }: Session, { report }: Pick<AgentDeps, 'report'>): void {
  summariser.withoutServer.add(model);
  report.emit({
    type: 'warning',
    message: {
      en: `${why.en} SanBot compacts this session itself.`,
      zh: `${why.zh}改由 SanBot 自行压缩本会话。`,
    },
  });
}

/** `lasting` when it would fail for any other conversation too. */
type ServerAttempt = Extract<SummaryResult, { kind: 'summarised' }> | ServerFailure;
type ServerFailure = Extract<SummaryResult, { kind: 'failed' }> & { readonly lasting: boolean };

const failed = (why: Bilingual, cost: Cost = noCost, lasting = false): ServerFailure => ({ kind: 'failed', why, lasting, cost });

async function requestSummary(plan: CompactionPlan, signal: AbortSignal, session: Session, deps: SummaryDeps): Promise<ServerAttempt> {
  const instructions = instructionsFor(plan, session, deps);
  if (instructions.length > MAX_INSTRUCTION_CHARS)
    return failed({
      en: `the instructions have ${instructions.length} characters, and it takes ${MAX_INSTRUCTION_CHARS}`,
      zh: `指示有 ${instructions.length} 个字符，上限为 ${MAX_INSTRUCTION_CHARS}`,
    });
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
    return failed(
      answer.kind === 'overflow'
        ? { en: 'what is to be summarised does not fit its window', zh: '要摘要的内容超出它的窗口' }
        : { en: 'it refused the conversation as it is', zh: '它拒绝了当前的对话' },
    );
  } catch (error) {
    return failed(error instanceof AbortedError ? cancelledText : withoutStop(errorReason(error)));
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
    return failed({ en: `it answered without one, and ended with ${stopReason}`, zh: `回答中没有摘要，以 ${stopReason} 结束` }, cost);
  const text = block.content;
  const tokens = deps.measure.text(text, session.estimate.ratio);
  const verdict = checkSummary(text, { stopReason: 'end_turn', hasToolCall: false, sourceTokens, tokens });
  return verdict.kind === 'good'
    ? { kind: 'summarised', text, block, method: 'server', cost }
    : failed(joinTexts(verdict.problems, { en: ' ', zh: '' }), cost);
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
