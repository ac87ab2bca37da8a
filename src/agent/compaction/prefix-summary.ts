import { reportedTtl } from '../../context/relief/cache-ttl.ts';
import { summaryOf } from '../../context/summary/compressed-history.ts';
import { prefixInstructions } from '../../context/summary/prefix-request.ts';
import { restoredBodies } from '../../context/summary/restore-bodies.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import type { ContentBlock, Message } from '../../domain/session/message.ts';
import { type AgentDeps, modelFacts } from '../deps.ts';
import type { ModelRequest } from '../ports/model.ts';
import { buildRequest } from '../request.ts';
import type { Session } from '../session/session.ts';
import { askForCheckedSummary, type CheckedSummary } from './ask-for-summary.ts';
import { chooseSummaryWay } from './summary-way.ts';
import type { CompactionPlan } from './types.ts';

/** What asking a model for a summary takes. */
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
