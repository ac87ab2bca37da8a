import { PINS_NOTICE } from '../../context/history/pins.ts';
import { systemParts } from '../../context/prompt/system-prompt.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import type { Message } from '../../domain/session/message.ts';
import type { ContextView } from '../../terminal/chat/context-port.ts';

type Parts = ContextView['parts'];

/**
 * The parts, made to add up to `tokens`: they are counted one by one, while the whole is what the model reported. Each keeps its share; what
 * rounding leaves over goes to those that it cut most.
 */
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

/** By their share: the counter knows the system prompt as a whole. */
export function promptParts(context: SessionContext, systemTokens: number, count: (text: string) => number): Parts {
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

/** By who said them. `sizes` are the tokens of each message. */
export function messageParts(messages: readonly Message[], sizes: readonly number[]): Parts {
  const sums = new Map<string, number>();
  for (const [index, message] of messages.entries()) {
    const name = message.notice === PINS_NOTICE ? 'carried pins' : originNames[message.origin];
    sums.set(name, (sums.get(name) ?? 0) + (sizes[index] ?? 0));
  }
  return [...sums].map(([name, tokens]) => ({ name, tokens }));
}
