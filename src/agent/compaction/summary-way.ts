import { type Limits, thinkingRoom, WINDOW_MARGIN } from '../../context/measure/limits.ts';
import { anchorOf } from '../../context/measure/measure.ts';
import { splitMemories } from '../../context/memory/check-proposal.ts';
import { chooseSummary, type RequestCost, reportedTtl } from '../../context/relief/price-relief.ts';
import { summaryOf } from '../../context/summary/compressed-history.ts';
import { choosePrefixRoom, summaryRules } from '../../context/summary/restore-bodies.ts';
import { checkSummary, correctionNote } from '../../context/summary/summary-check.ts';
import { splitEffort } from '../../domain/config/effort.ts';
import { errorReason, UnexplainedRefusal } from '../../domain/errors.ts';
import { type Bilingual, joinTexts } from '../../domain/language.ts';
import { isToolUse, type Message, noUsage, textOf, type Usage } from '../../domain/session/message.ts';
import type { ModelReply } from '../../domain/session/model-answer.ts';
import { type AgentDeps, modelFacts } from '../deps.ts';
import { isCacheCold } from '../fit/offload-results.ts';
import type { ModelRequest, ModelStream } from '../ports/model.ts';
import type { Session } from '../session/session.ts';
import { addCosts, type Cost, noCost } from '../session/usage.ts';
import type { SummaryResult } from './types.ts';

/**
 * The configured one, its fallbacks, and at last the session's own, each once. The session's model by its name alone is the session's own with its
 * effort: with another, what the provider has cached would be lost.
 */
export function summaryModels({ model: own }: Session, { model, fallbackModels }: AgentDeps['config']['compaction']): readonly string[] {
  const { name } = splitEffort(own);
  const named = [...(model === null ? [] : [model]), ...fallbackModels];
  return [...new Set([...named.map((each) => (each === name ? own : each)), own])];
}

/** What says which part of the conversation leaves. */
const SCOPE_TOKENS = 150;

type WayDeps = Pick<AgentDeps, 'config' | 'model' | 'clock' | 'prompts' | 'measure'>;
type Wish = {
  readonly limits: Pick<Limits, 'summaryTokens' | 'summaryRoomTokens' | 'restoreTokens'>;
  /** Where the tail begins that is kept. */
  readonly index: number;
  /** What the user wants kept, and what hooks added. */
  readonly instructions?: string | undefined;
};

/**
 * How a model is asked for the summary, and what that uses: at the end of the conversation as it was last sent where there is a `room`, else
 * by a transcript. That is for another summariser, a changed past, a window without room, and a cold cache where it costs less than to write
 * everything again.
 */
export function chooseSummaryWay(session: Session, deps: WayDeps, { limits, index, instructions = '' }: Wish) {
  const { config, measure, prompts } = deps;
  const { messages } = session.sent;
  const { ratio } = session.estimate;
  const { tokens, anchored } = session.estimate.count();
  const sizes = measure.messages(messages, ratio);
  const sum = (from: number, to?: number): number => sizes.slice(from, to).reduce((total, size) => total + size, 0);
  const earlier = summaryOf(messages);
  const rules = summaryRules(prompts.summary(), { hasSummary: earlier !== undefined });
  const instructionTokens = measure.text(rules + instructions, ratio) + SCOPE_TOKENS;
  const { windowTokens, thinkingTokens = 0, keepsOnePrefix } = modelFacts(session, deps);
  const leftTokens = Math.floor(windowTokens * WINDOW_MARGIN) - tokens - instructionTokens - thinkingRoom(thinkingTokens, windowTokens);
  const anchor = anchored && summaryModels(session, config.compaction)[0] === session.model ? anchorOf(session.sent) : undefined;
  const bodyTokens = Math.round((bodyBytes(messages.slice(0, index)) / BYTES_PER_TOKEN) * ratio);
  const room = anchor && choosePrefixRoom({ messages, sizes, index, leftTokens, limits, hasBodies: bodyTokens > 0 });
  const isCached = keepsOnePrefix || (anchor !== undefined && anchor.usage.cacheReadTokens + anchor.usage.cacheWriteTokens > 0);
  const end = room?.end ?? messages.length;
  const lastReply = Math.max(
    0,
    messages.findLastIndex(({ origin }) => origin === 'model'),
  );
  return chooseSummary(
    {
      ...{ room, instructionTokens, isWarm: isCached && !isCacheCold(session, deps) },
      shownTokens: Math.max(0, tokens - sum(end)),
      newTokens: sum(lastReply, end),
      bodyTokens,
      transcriptTokens: Math.min(tokens, sum(0, index) + bodyTokens),
      summaryTokens: earlier === undefined ? limits.summaryTokens : measure.text(earlier.text, ratio),
    },
    pricesOf(session, deps),
  );
}

/** Of our own count, in English text and code. */
const BYTES_PER_TOKEN = 4;

const bodyBytes = (messages: readonly Message[]): number =>
  messages.reduce((sum, { stubs = [] }) => sum + stubs.reduce((bytes, { body }) => bytes + body.bytes, 0), 0);

/** Undefined where no price is known. What is written stays in the cache as long as what was written last. */
export function pricesOf(session: Session, deps: Pick<AgentDeps, 'model'>): RequestCost | undefined {
  const { costUsd } = modelFacts(session, deps);
  if (costUsd(noUsage) === undefined) return undefined;
  const isHour = reportedTtl(session.sent.messages) === '1h';
  return (usage: Usage): number => costUsd(isHour ? { ...usage, cacheWrite1hTokens: usage.cacheWriteTokens } : usage) ?? 0;
}

type AskDeps = Pick<AgentDeps, 'model' | 'report' | 'measure'>;

export const cancelledText: Bilingual = { en: 'it was cancelled', zh: '已取消' };
const timeLimitText: Bilingual = {
  en: 'the time limit for a compaction (compaction.timeoutMs) was reached',
  zh: '达到压缩的时间上限（compaction.timeoutMs）',
};
/** To stand within a sentence. */
export const withinSentence = ({ en, zh }: Bilingual): Bilingual => ({
  en: en.replace(/\.(?=$|; )/g, '').replace(/(?<=^|; )It /g, 'it '),
  zh: zh.replace(/[.。](?=$|；)/g, ''),
});

type SummaryCall = {
  readonly tokens: number;
  readonly windowTokens: number;
  readonly signal: AbortSignal;
  /** The request, with this note at its end when there is one. */
  readonly request: (note: string) => ModelRequest;
  /** Tokens of what is summarised, including the earlier summary. */
  readonly sourceTokens: number;
};

export type CheckedSummary =
  | SummaryResult
  /** The model answered twice, and neither was a summary. */
  | { readonly kind: 'unusable'; readonly why: Bilingual; readonly cost: Cost }
  | { readonly kind: 'overflow'; readonly limitTokens: number | undefined; readonly cost: Cost };

/** Asks, and once more with the faults named when the answer is no summary; never with that answer. Rejects for no model. */
export async function askForCheckedSummary(call: SummaryCall, session: Session, deps: AskDeps): Promise<CheckedSummary> {
  let cost: Cost = noCost;
  let note = '';
  let why: Bilingual = { en: '', zh: '' };
  for (let attempt = 0; attempt < 2; attempt++) {
    const request = call.request(note);
    const answer = await tryAsk(request, call, { ...deps, estimate: session.estimate });
    if (answer.kind !== 'reply') return { ...answer, cost };
    const { stopReason, content, usage } = answer;
    const costUsd = usage === undefined ? 0 : deps.model.facts(request.model).costUsd(usage);
    cost = addCosts(cost, { usage: usage ?? noUsage, costUsd });
    if (stopReason === 'model_context_window_exceeded') return { kind: 'overflow', limitTokens: undefined, cost };
    const { text, memories } = splitMemories(textOf(content));
    const tokens = deps.measure.text(text, session.estimate.ratio);
    const verdict = checkSummary(text, { stopReason, hasToolCall: content.some(isToolUse), sourceTokens: call.sourceTokens, tokens });
    if (verdict.kind === 'good') return { kind: 'summarised', text, method: 'model', memories, cost };
    why = joinTexts(verdict.problems, { en: '; ', zh: '' });
    note = `\n\n${correctionNote(verdict.problems)}`;
  }
  return { kind: 'unusable', why, cost };
}

type SummaryAnswer =
  | ModelReply
  | { readonly kind: 'overflow'; readonly limitTokens: number | undefined }
  | { readonly kind: 'failed' | 'unusable'; readonly why: Bilingual };

const silent = () => undefined;

type TryDeps = Pick<AskDeps, 'model' | 'report'> & Pick<Session, 'estimate'>;

/** A model that fails is a reason to try another way, and no failure of the turn. What may pass by itself it has tried again already. */
async function tryAsk(request: ModelRequest, call: SummaryCall, { model, report, estimate }: TryDeps): Promise<SummaryAnswer> {
  const { tokens, windowTokens, signal } = call;
  report.emit({ type: 'request', purpose: 'summary', tokens, windowTokens });
  try {
    // Without a word on the screen, since a summary is not an answer.
    const onRetry: ModelStream['onRetry'] = (retry) => report.emit({ type: 'retrying', ...retry });
    const answer = await model.ask(request, { signal, onText: silent, onThinking: silent, onRetry });
    if (answer.kind === 'reply') return answer;
    if (answer.kind === 'overflow') return { kind: 'overflow', limitTokens: answer.limitTokens };
    return { kind: 'unusable', why: { en: 'the model refused the request', zh: '模型拒绝了请求' } };
  } catch (error) {
    if (signal.aborted) return { kind: 'failed', why: timeLimitText };
    if (error instanceof UnexplainedRefusal && estimate.maySuspectOverflow(call)) return { kind: 'overflow', limitTokens: undefined };
    return { kind: 'failed', why: withinSentence(errorReason(error)) };
  }
}
