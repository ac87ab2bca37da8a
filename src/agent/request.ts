import { pairingProblems } from '../context/history/pairing.ts';
import { toWire } from '../context/history/wire.ts';
import type { ContextCount } from '../context/measure/measure.ts';
import type { Config } from '../domain/config/config.ts';
import { SanbotError } from '../domain/errors.ts';
import type { SessionContext } from '../domain/session/context.ts';
import type { ModelFacts, ModelRequest } from './ports.ts';

/** Asked for at most, when the user has not said: more is rarely used and would only be reserved in vain. */
const DEFAULT_MAX_OUTPUT_TOKENS = 32_000;
const MIN_OUTPUT_TOKENS = 1_024;

export type RequestParts = {
  readonly context: SessionContext;
  readonly model: string;
  readonly facts: ModelFacts;
  readonly count: ContextCount;
  readonly config: Config['model'];
};

/** The next request of a turn. Every request leaves through here, so none with a broken pair ever does. */
export function turnRequest({ context, model, facts, count, config }: RequestParts): ModelRequest {
  const messages = toWire(context.messages);
  const problems = pairingProblems(messages);
  if (problems.length > 0) throw new SanbotError('internal', `The conversation is not in a state to be sent: ${problems.join('; ')}`);
  return {
    model,
    system: systemBlocks(context),
    tools: context.tools,
    messages,
    maxOutputTokens: maxOutput(facts, count, config),
    purpose: 'turn',
  };
}

/** The API takes no longer ones. */
export const MAX_INSTRUCTION_CHARS = 16_384;
/** Beside what the summary is to have: the API wants room for several thousand tokens. */
const MIN_SUMMARY_TOKENS = 4_000;

export type CompactionParts = Omit<RequestParts, 'count' | 'config'> & { readonly instructions: string; readonly targetTokens: number };

/** Has the API summarise the messages of a context: with the very system prompt and tools that they were sent with. */
export function compactionRequest({ context, model, facts, instructions, targetTokens }: CompactionParts): ModelRequest {
  const messages = toWire(context.messages);
  const problems = pairingProblems(messages, 'compaction');
  if (problems.length > 0) throw new SanbotError('internal', `The conversation is not in a state to be summarised: ${problems.join('; ')}`);
  return {
    model,
    system: systemBlocks(context),
    tools: context.tools,
    messages,
    maxOutputTokens: Math.min(Math.max(MIN_SUMMARY_TOKENS, Math.ceil(targetTokens * 1.2)), facts.maxOutputTokens),
    purpose: 'summary',
    compaction: { instructions },
  };
}

const systemBlocks = ({ system, shortTermSummary }: SessionContext): readonly string[] =>
  [system, shortTermSummary].filter((block) => block !== '');

/** Never above what the model can write, nor what the window has left [P32, C37]. */
function maxOutput(facts: ModelFacts, count: ContextCount, config: Config['model']): number {
  const cap = Math.min(config.maxOutputTokens ?? DEFAULT_MAX_OUTPUT_TOKENS, facts.maxOutputTokens);
  const remaining = facts.windowTokens - count.tokens;
  return Math.min(cap, Math.max(remaining, MIN_OUTPUT_TOKENS));
}
