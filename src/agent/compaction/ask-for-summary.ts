import { splitMemories } from '../../context/memory/check-proposal.ts';
import { checkSummary, correctionNote } from '../../context/summary/summary-check.ts';
import { errorReason, UnexplainedRefusal } from '../../domain/errors.ts';
import { type Bilingual, joinTexts } from '../../domain/language.ts';
import { isToolUse, noUsage, textOf } from '../../domain/session/message.ts';
import type { ModelReply } from '../../domain/session/model-answer.ts';
import type { AgentDeps } from '../deps.ts';
import type { ModelRequest, ModelStream } from '../ports/model.ts';
import type { Session } from '../session/session.ts';
import { addCosts, type Cost, noCost } from '../session/usage.ts';
import type { SummaryResult } from './types.ts';

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
