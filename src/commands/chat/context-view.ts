import type { AgentDeps } from '../../agent/deps.ts';
import { limitsOf } from '../../agent/deps.ts';
import { pinCost } from '../../agent/memory/pins.ts';
import type { Session } from '../../agent/session/session.ts';
import { chooseCut } from '../../context/history/cut.ts';
import { PINS_NOTICE } from '../../context/history/pins.ts';
import { planOffload } from '../../context/offload/offload.ts';
import { systemParts } from '../../context/prompt/system-prompt.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import type { Message } from '../../domain/session/message.ts';
import type { ContextView, ModelView } from '../../terminal/chat/model-port.ts';

/** Where the window goes and what would be freed, by the same counter and the same plans as the ladder's. */
export function contextView(session: Session, deps: AgentDeps, model: ModelView): ContextView {
  const { sent: context } = session;
  const { ratio } = session.estimate;
  const { measure, config } = deps;
  const counts = session.estimate.count();
  const limits = limitsOf(session, deps);
  const sizes = context.messages.map((message) => measure.message(message, ratio));
  const pinnedCount = context.pins?.length ?? 0;
  const parts = messageParts(context.messages, sizes);
  const choice = chooseCut(context.messages, { sizes, keepTokens: limits.keepTokens, keepMessages: limits.keepMessages });
  const keepFrom = choice.kind === 'cut' ? choice.index : 0;
  const offloadable = planOffload(context, { measure, ratio, limits, config: config.offload, keepFrom, targetTokens: 0 });
  const byOffload = offloadable.reduce((sum, { savesTokens }) => sum + savesTokens, 0);
  const compactableTokens = sizes.slice(0, keepFrom).reduce((sum, tokens) => sum + tokens, 0);
  return {
    ...model,
    tokens: counts.tokens,
    softTokens: limits.softTokens,
    hardTokens: limits.hardTokens,
    messages: context.messages.length,
    parts: [
      ...promptParts(context, counts.systemTokens, (text) => measure.text(text, ratio)),
      { name: 'tools', tokens: counts.toolsTokens },
      ...parts,
    ],
    pruned: prunedView(session, deps),
    freeable: [
      { by: 'tool results to files', tokens: byOffload },
      { by: '/compact', tokens: Math.max(0, compactableTokens - limits.summaryTokens - limits.ledgerTokens) },
    ].filter(({ tokens }) => tokens > 0),
    pinned: pinnedCount === 0 ? undefined : { count: pinnedCount, ...pinCost(session, deps) },
  };
}

function prunedView(session: Session, { measure }: AgentDeps): ContextView['pruned'] {
  const { pruned, context, sent } = session;
  const { ratio } = session.estimate;
  if (pruned === undefined) return undefined;
  const size = (of: SessionContext): number => measure.context({ ...of, anchorFloor: of.messages.length }, ratio).tokens;
  return { results: pruned.results.length, tokens: Math.max(0, size(context) - size(sent)) };
}

/** By their share: the counter knows the system prompt as a whole. */
function promptParts(context: SessionContext, systemTokens: number, count: (text: string) => number): ContextView['parts'] {
  const parts = [...systemParts(context.system), { name: 'short-term summary', text: context.shortTermSummary }].map(({ name, text }) => ({
    name,
    tokens: text === '' ? 0 : count(text),
  }));
  const rest = parts.slice(1);
  return [{ name: 'system prompt', tokens: Math.max(0, systemTokens - rest.reduce((sum, { tokens }) => sum + tokens, 0)) }, ...rest];
}

const originNames: Readonly<Record<Message['origin'], string>> = {
  summary: 'summary',
  user: 'your messages',
  model: 'replies',
  tools: 'tool results',
  interrupted: 'tool results',
  notice: 'notices',
};

function messageParts(messages: readonly Message[], sizes: readonly number[]): ContextView['parts'] {
  const sums = new Map<string, number>();
  for (const [index, message] of messages.entries()) {
    const name = message.notice === PINS_NOTICE ? 'carried pins' : originNames[message.origin];
    sums.set(name, (sums.get(name) ?? 0) + (sizes[index] ?? 0));
  }
  return [...sums].map(([name, tokens]) => ({ name, tokens }));
}
