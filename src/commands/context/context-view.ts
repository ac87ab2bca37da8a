import { type AgentDeps, limitsOf } from '../../agent/deps.ts';
import { estimateRelief } from '../../agent/fit/estimate-relief.ts';
import { pinCost } from '../../agent/memory/pins.ts';
import type { Session } from '../../agent/session/session.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import type { ContextView, ModelView } from '../../terminal/chat/context-port.ts';
import { fitTo, messageParts, promptParts } from './context-parts.ts';

/** Where the window goes and what would be freed, by the same counter and the same plans as the ladder's. */
export function contextView(session: Session, deps: AgentDeps, model: ModelView): ContextView {
  const { sent: context } = session;
  const { ratio } = session.estimate;
  const { measure } = deps;
  const counts = session.estimate.count();
  const limits = limitsOf(session, deps);
  const sizes = measure.messages(context.messages, ratio);
  const pinnedCount = context.pins?.length ?? 0;
  const parts = scaleTo(messageParts(context.messages, sizes), counts.tokens - counts.systemTokens - counts.toolsTokens);
  const { offload, compact } = estimateRelief(session, deps, limits);
  return {
    ...model,
    tokens: counts.tokens,
    softTokens: limits.softTokens,
    hardTokens: limits.hardTokens,
    messages: context.messages.length,
    parts: fitTo(counts.tokens, [
      ...promptParts(context, counts.systemTokens, (text) => measure.text(text, ratio)),
      { name: 'tools', tokens: counts.toolsTokens },
      ...parts,
    ]),
    pruned: prunedView(session, deps),
    freeable: [
      { by: 'tool results to files', ...offload },
      { by: '/compact', ...compact },
    ].filter(({ tokens }) => tokens > 0),
    pinned: pinnedCount === 0 ? undefined : { count: pinnedCount, ...pinCost(session, deps) },
  };
}

/**
 * The same parts with this sum. The whole is known better than its parts are: the provider has counted all that was sent, the parts are
 * counted here.
 */
function scaleTo(parts: ContextView['parts'], sum: number): ContextView['parts'] {
  const counted = parts.reduce((total, { tokens }) => total + tokens, 0);
  if (counted === 0) return parts;
  let [before, scaledBefore] = [0, 0];
  return parts.map(({ name, tokens }) => {
    before += tokens;
    const scaled = Math.round((before / counted) * Math.max(0, sum));
    const part = { name, tokens: scaled - scaledBefore };
    scaledBefore = scaled;
    return part;
  });
}

function prunedView(session: Session, { measure }: AgentDeps): ContextView['pruned'] {
  const { pruned, context, sent } = session;
  const { ratio } = session.estimate;
  if (pruned === undefined) return undefined;
  const size = (of: SessionContext): number => measure.context({ ...of, anchorFloor: of.messages.length }, ratio).tokens;
  return { results: pruned.results.length, tokens: Math.max(0, size(context) - size(sent)) };
}
