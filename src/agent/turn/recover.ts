import { withoutThinking } from '../../context/history/apply-record.ts';
import { safeguardLimits, sendableTokens } from '../../context/measure/limits.ts';
import { SanbotError, UnexplainedRefusal } from '../../domain/errors.ts';
import { type Bilingual, because } from '../../domain/language.ts';
import { replaceMedia } from '../../domain/session/media.ts';
import { isThinking, type Usage } from '../../domain/session/message.ts';
import type { ModelReply } from '../../domain/session/model-answer.ts';
import { groupDigits } from '../../domain/value/size-text.ts';
import { compact } from '../compaction/compact.ts';
import { type AgentDeps, limitsOf, modelFacts, warn } from '../deps.ts';
import { trimOrSlide } from '../fit/last-resort.ts';
import { offloadUnderPressure } from '../fit/offload-results.ts';
import type { Overflow } from '../session/estimate.ts';
import type { Session } from '../session/session.ts';

const MAX_RECOVERIES = 2;

/** Whether a refusal may mean that the request is too long, although nothing says so. Its figures are not known, and nothing is learned from it. */
export function suspectsOverflow(error: unknown, session: Session, deps: Pick<AgentDeps, 'model'>): boolean {
  if (!(error instanceof UnexplainedRefusal)) return false;
  const { windowTokens } = modelFacts(session, deps);
  return session.estimate.maySuspectOverflow({ tokens: session.estimate.count().tokens, windowTokens });
}

/**
 * After an overflow answer: believes its figures, offloads, compacts in safeguard mode and, when that is not enough, trims and
 * slides, whatever `compaction.enabled` says. Returns only when the context became smaller, so the same bytes are never
 * sent again; throws context_cannot_fit otherwise, and after the second time.
 */
export async function recoverFromOverflow(
  { isSuspected = false, ...overflow }: Overflow & { readonly isSuspected?: boolean },
  session: Session,
  deps: AgentDeps,
  { attempt, signal }: { readonly attempt: number; readonly signal: AbortSignal },
): Promise<void> {
  deps.report.emit({ type: 'overflow', attempt, ...overflow });
  const rawBefore = deps.measure.raw(session.sent);
  if (attempt > MAX_RECOVERIES)
    throw cannotFit(session, deps, {
      en: `still too large for the model after ${MAX_RECOVERIES} recoveries`,
      zh: `在 ${MAX_RECOVERIES} 次缩减后对模型仍然太大`,
    });
  if (!isSuspected) session.estimate.learnFromOverflow(overflow, modelFacts(session, deps).windowTokens);
  const limits = safeguardLimits(limitsOf(session, deps));
  const target = Math.min(limits.hardTokens, sendableTokens(limits));
  offloadUnderPressure(session, deps, limits);
  if (session.estimate.count().tokens > target || deps.measure.raw(session.sent) === rawBefore) {
    await compact({ trigger: 'overflow', reasons: ['overflow'], instructions: undefined, limits, signal }, session, deps);
  }
  if (session.estimate.count().tokens > target) trimOrSlide(session, deps, { limits, targetTokens: target });
  if (deps.measure.raw(session.sent) >= rawBefore)
    throw cannotFit(session, deps, {
      en: 'too large for the model, and nothing in it can be made smaller',
      zh: '对模型来说太大，而且没有可以缩小的内容',
    });
}

/** The provider no longer accepts thinking blocks of this past: without them the rest is valid again, once. */
export function removeStaleThinking(session: Session, { report }: Pick<AgentDeps, 'report'>, attempt: number): void {
  const { context } = session;
  const hasThinking = context.messages.some((message) => message.content.some(isThinking));
  if (!hasThinking || attempt > MAX_RECOVERIES)
    throw new SanbotError('model_failed', {
      en: 'The model refuses thinking blocks that this request does not have',
      zh: '模型拒绝思考块，但这次请求中没有思考块',
    });
  const messages = withoutThinking(context.messages);
  session.append({ type: 'checkpoint', reason: 'thinking', context: { ...context, messages, anchorFloor: messages.length } });
  warn(report.emit, {
    en: 'The model no longer accepted its earlier thinking, so it was left out. The conversation itself is unchanged.',
    zh: '模型不再接受此前的思考内容，因此已略去。对话本身没有改变。',
  });
}

/**
 * A provider that refuses an image refuses every request that has it: the images and documents of the conversation are left out, once.
 * False when the failure is another one.
 */
export function dropRefusedMedia(error: unknown, session: Session, { report }: Pick<AgentDeps, 'report'>): boolean {
  if (!(error instanceof SanbotError) || error.code !== 'model_failed' || !/\b(?:images?|pdfs?|documents?)\b/i.test(error.message))
    return false;
  const { context } = session;
  const messages = context.messages.map((message) => {
    const content = replaceMedia(message.content, () => '[An image or document stood here, which the provider refused.]');
    return content === message.content ? message : { ...message, content };
  });
  if (messages.every((message, at) => message === context.messages[at])) return false;
  // Signed thinking is bound to the past as it was.
  const kept = withoutThinking(messages);
  session.append({ type: 'checkpoint', reason: 'mended', context: { ...context, messages: kept, anchorFloor: kept.length } });
  warn(
    report.emit,
    because(
      {
        en: 'The images and documents of this conversation were left out, since the provider refused one',
        zh: '服务方拒绝了一个图片或文档，因此本对话中的图片和文档已略去',
      },
      error.shown.message,
    ),
  );
  return true;
}

function cannotFit(session: Session, deps: Pick<AgentDeps, 'model'>, why: Bilingual): SanbotError {
  const { tokens } = session.estimate.count();
  const { windowTokens } = modelFacts(session, deps);
  return new SanbotError('context_cannot_fit', {
    en: `The request is ${why.en} (about ${groupDigits(tokens)} tokens, window ${groupDigits(windowTokens)})`,
    zh: `请求${why.zh}（约 ${groupDigits(tokens)} token，窗口 ${groupDigits(windowTokens)}）`,
  });
}

/** Whether a server seems to cut requests off in silence; told once, and nothing is done about it. To be called before the reply is stored. */
export function warnIfTruncated({ usage, model }: ModelReply, session: Session, { report }: Pick<AgentDeps, 'report'>): boolean {
  const suspect = session.estimate.detectTruncation(usage, model);
  if (suspect === undefined) return false;
  const { now, least, from } = suspect;
  const than = from === 'before' ? `begins with one of which it counted ${least}` : `has about ${least}`;
  const thanZh = from === 'before' ? `其开头部分它曾计为 ${least}` : `实际约有 ${least}`;
  if (session.estimate.mayReportTruncation())
    warn(report.emit, {
      en: `The server counts ${now} tokens of a request that ${than}: it may be cutting off the beginning without saying so. If its window is smaller than SanBot thinks, set model.contextWindow, or have the server use a larger one (OLLAMA_CONTEXT_LENGTH for Ollama).`,
      zh: `服务器把一个请求计为 ${now} token，而${thanZh}：它可能不声不响地截掉了开头。如果它的窗口比 SanBot 认为的小，请设置 model.contextWindow，或让服务器使用更大的窗口（Ollama 用 OLLAMA_CONTEXT_LENGTH）。`,
    });
  return true;
}

/** What a server counted of a request, where it can be so; told once where it cannot. To be called before the reply is stored. */
export function believedUsage({ usage }: ModelReply, session: Session, deps: Pick<AgentDeps, 'report'>): Usage | undefined {
  const inflated = session.estimate.detectInflation(usage);
  if (inflated === undefined) return usage;
  const { now, most } = inflated;
  if (session.estimate.mayReportInflation())
    warn(deps.report.emit, {
      en: `The server counts ${now} tokens of a request that has ${most} at most: it may be adding up those before. SanBot goes by its own count here.`,
      zh: `服务器把一个最多 ${most} token 的请求计为 ${now} token：它可能累加了之前的请求。SanBot 在此以自己的计数为准。`,
    });
  return undefined;
}
