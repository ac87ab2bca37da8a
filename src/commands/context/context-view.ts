import { type AgentDeps, limitsOf } from '../../agent/deps.ts';
import { estimateRelief } from '../../agent/fit/estimate-relief.ts';
import { pinCost, tokensOfPins } from '../../agent/memory/pins.ts';
import type { Session } from '../../agent/session/session.ts';
import { acceptedPlan, PINS_NOTICE } from '../../context/history/pins.ts';
import { todoListIn } from '../../context/history/todo-list.ts';
import { systemParts } from '../../context/prompt/system-prompt.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import type { Message } from '../../domain/session/message.ts';
import type { ContextView, ModelView } from '../../terminal/chat/context-port.ts';

export function contextView(session: Session, deps: AgentDeps, model: ModelView): ContextView {
  const { sent: context } = session;
  const { ratio } = session.estimate;
  const { measure } = deps;
  const counts = session.estimate.count();
  const limits = limitsOf(session, deps);
  const sizes = measure.messages(context.messages, ratio);
  const pinnedCount = context.pins?.length ?? 0;
  const said = Math.max(0, counts.tokens - counts.systemTokens - counts.toolsTokens);
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
      ...fitTo(said, messageParts(context.messages, sizes)),
    ]),
    pruned: prunedView(session, deps),
    freeable: [
      { by: 'tool results to files', ...offload },
      { by: '/compact', ...compact },
    ].filter(({ tokens }) => tokens > 0),
    pinned: pinnedCount === 0 ? undefined : { count: pinnedCount, ...pinCost(session, deps) },
    plan: planView(session, deps),
  };
}

function planView(session: Session, deps: AgentDeps): ContextView['plan'] {
  const plan = acceptedPlan(session.context);
  if (plan === undefined) return undefined;
  const tasks = todoListIn(session.context.messages) ?? [];
  const done = tasks.filter(({ status }) => status === 'done').length;
  return { tokens: tokensOfPins([plan], session, deps), done, tasks: tasks.length };
}

function prunedView(session: Session, { measure }: AgentDeps): ContextView['pruned'] {
  const { pruned, context, sent } = session;
  const { ratio } = session.estimate;
  if (pruned === undefined) return undefined;
  const size = (of: SessionContext): number => measure.context({ ...of, anchorFloor: of.messages.length }, ratio).tokens;
  return { results: pruned.results.length, tokens: Math.max(0, size(context) - size(sent)) };
}

type Parts = ContextView['parts'];

/** Made to add up to `tokens`, which the model reported: each part keeps its share, and what rounding leaves goes to those cut most. */
export function fitTo(tokens: number, parts: Parts): Parts {
  const sum = parts.reduce((total, part) => total + part.tokens, 0);
  if (sum === 0) return parts;
  const exact = parts.map((part) => (part.tokens / sum) * tokens);
  const floors = exact.map(Math.floor);
  const left = Math.round(tokens - floors.reduce((total, floor) => total + floor, 0));
  const byCut = exact.map((value, index) => ({ index, cut: value - Math.floor(value) })).sort((a, b) => b.cut - a.cut);
  const raised = new Set(byCut.slice(0, left).map(({ index }) => index));
  return parts.map((part, index) => ({ ...part, tokens: (floors[index] ?? 0) + (raised.has(index) ? 1 : 0) }));
}

function promptParts(context: SessionContext, systemTokens: number, count: (text: string) => number): Parts {
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

function messageParts(messages: readonly Message[], sizes: readonly number[]): Parts {
  const sums = new Map<string, number>();
  for (const [index, message] of messages.entries()) {
    const name = message.notice === PINS_NOTICE ? 'carried pins' : originNames[message.origin];
    sums.set(name, (sums.get(name) ?? 0) + (sizes[index] ?? 0));
  }
  return [...sums].map(([name, tokens]) => ({ name, tokens }));
}
