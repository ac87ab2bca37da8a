import type { Limits } from '../../context/measure/limits.ts';
import { anchorOf } from '../../context/measure/measure.ts';
import { reportedTtl } from '../../context/relief/cache-ttl.ts';
import { summaryOf } from '../../context/summary/compressed-history.ts';
import { prefixInstructions } from '../../context/summary/prefix-request.ts';
import { restoredBodies } from '../../context/summary/restore-bodies.ts';
import { splitEffort } from '../../domain/config/effort.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import type { ContentBlock, Message } from '../../domain/session/message.ts';
import { type AgentDeps, modelFacts } from '../deps.ts';
import { isCacheCold } from '../fit/prune-results.ts';
import type { ModelRequest } from '../ports/model.ts';
import { buildRequest } from '../request.ts';
import type { Session } from '../session/session.ts';
import { askForCheckedSummary, type CheckedSummary } from './ask-for-summary.ts';
import type { CompactionPlan } from './types.ts';

/** What asking a model for a summary takes. */
export type SummaryDeps = Pick<AgentDeps, 'config' | 'model' | 'clock' | 'report' | 'prompts' | 'measure'>;

/** A model that thinks before it writes uses so much beside the summary itself. */
const THINKING_TOKENS = 8_000;
/** Counts may be slightly wrong. */
const MARGIN = 0.95;

/**
 * The configured one, its fallbacks, and at last the session's own, each once. The session's model by its name alone is the session's own with its
 * effort: with another, what the provider has cached would be lost.
 */
export function summaryModels({ model: own }: Session, { model, fallbackModels }: AgentDeps['config']['compaction']): readonly string[] {
  const { name } = splitEffort(own);
  const named = [...(model === null ? [] : [model]), ...fallbackModels];
  return [...new Set([...named.map((each) => (each === name ? own : each)), own])];
}

/**
 * Whether the summary can be asked for at the end of the conversation as it was last sent, for a tenth of a transcript's cost: false when
 * another model summarises, the past has changed since the last reply, the provider has none of it cached, or there is no room.
 */
export function canSummariseOnPrefix(
  session: Session,
  { config, model, clock, prompts, measure }: Omit<SummaryDeps, 'report'>,
  limits: Pick<Limits, 'summaryRoomTokens' | 'restoreTokens'>,
): boolean {
  const [summariser] = summaryModels(session, config.compaction);
  const count = session.estimate.count();
  const anchor = count.anchored ? anchorOf(session.sent) : undefined;
  if (summariser !== session.model || anchor === undefined || isCacheCold(session, { config, clock, model })) return false;
  const { first, prefix, memories } = prompts.summary();
  const instructionTokens = measure.text(first + prefix + memories, session.estimate.ratio) + limits.restoreTokens;
  const total = count.tokens + instructionTokens + limits.summaryRoomTokens + THINKING_TOKENS;
  const isCached = anchor.usage.cacheReadTokens + anchor.usage.cacheWriteTokens > 0;
  return isCached && total <= modelFacts(session, { model }).windowTokens * MARGIN;
}

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
  if (plan.trigger === 'overflow' || session.context !== plan.old || !canSummariseOnPrefix(session, deps, plan.limits)) return undefined;
  const context = session.sent;
  const facts = modelFacts(session, deps);
  const { ratio } = session.estimate;
  const { messages } = plan.old;
  const sizes = deps.measure.messages(plan.toSummarise, ratio);
  const instructions = prefixInstructions({
    messages,
    index: plan.index,
    hasSummary: summaryOf(messages) !== undefined,
    instructions: plan.instructions,
    targetTokens: plan.limits.summaryTokens,
    prompts: deps.prompts.summary(),
  });
  const restored = restoredBodies({
    messages: plan.toSummarise,
    all: messages,
    tokens: plan.limits.restoreTokens,
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
      roomTokens: plan.limits.summaryRoomTokens,
      retryCount: deps.config.compaction.retryCount,
    }),
    ...(reportedTtl(context.messages) === '1h' && { cacheTtl: '1h' }),
  });
  const tokens = session.estimate.count().tokens + deps.measure.text(restored + instructions, ratio);
  const sourceTokens = sizes.reduce((sum, size) => sum + size, deps.measure.text(plan.earlier?.text ?? '', ratio));
  return askForCheckedSummary({ request, tokens, windowTokens: facts.windowTokens, sourceTokens, signal }, session, deps);
}

/** Sent, and never stored. */
function withMessage(context: SessionContext, texts: readonly string[]): SessionContext {
  const content: readonly ContentBlock[] = texts.filter((text) => text !== '').map((text) => ({ type: 'text', text }));
  const message: Message = { id: '', at: '', role: 'user', origin: 'notice', content };
  return { ...context, messages: [...context.messages, message] };
}
