import { pairingProblems } from '../context/history/pairing.ts';
import { toWire } from '../context/history/wire.ts';
import { type MediaFacts, sentMedia } from '../context/offload/sent-media.ts';
import type { Config } from '../domain/config/config.ts';
import { SanbotError } from '../domain/errors.ts';
import type { SessionContext } from '../domain/session/context.ts';
import type { WireMessage } from '../domain/session/message.ts';
import type { ModelFacts, ModelRequest } from './ports/model.ts';
import type { TokenEstimate } from './session/estimate.ts';

type Recipient = { readonly model: string; readonly facts: Pick<ModelFacts, 'maxOutputTokens' | 'windowTokens' | keyof MediaFacts> };

/** A system prompt and the one message that goes with it. */
type Prompt = { readonly system: string; readonly user: string };

export type TurnParts = Recipient & {
  readonly purpose: 'turn';
  readonly context: SessionContext;
  readonly estimate: Pick<TokenEstimate, 'count' | 'most'>;
  readonly config: Config['model'];
};

/** The API summarises a conversation itself: with the very system prompt and tools that it was sent with. */
export type ServerSummaryParts = Recipient & {
  readonly purpose: 'server_summary';
  readonly context: SessionContext;
  readonly instructions: string;
  readonly targetTokens: number;
  readonly retryCount: number;
};

/** A model summarises the conversation itself: all of it as the turns sent it, with one more message of the user's at its end. */
export type PrefixSummaryParts = Recipient & {
  readonly purpose: 'prefix_summary';
  readonly context: SessionContext;
  readonly targetTokens: number;
  readonly retryCount: number;
};

/** A model summarises what stands in the prompt. */
export type SummaryParts = Recipient & {
  readonly purpose: 'summary';
  readonly prompt: Prompt;
  readonly targetTokens: number;
  readonly retryCount: number;
};

/** A model says what of the prompt is worth remembering. */
export type MemoryParts = Recipient & { readonly purpose: 'memory'; readonly prompt: Prompt };

export type RequestParts = TurnParts | ServerSummaryParts | PrefixSummaryParts | SummaryParts | MemoryParts;

/** Asked for at most, when the user has not said: more is rarely used and would only be reserved in vain. */
const DEFAULT_MAX_OUTPUT_TOKENS = 32_000;
const MIN_OUTPUT_TOKENS = 1_024;
/** Beside what the summary is to have: the API wants room for several thousand tokens. */
const MIN_SERVER_SUMMARY_TOKENS = 4_000;
const MEMORY_OUTPUT_TOKENS = 8_000;

/** The API takes no longer ones. */
export const MAX_INSTRUCTION_CHARS = 16_384;

/**
 * The one place where requests are made, whatever they are for, so that none leaves with a broken pair or asks for more than the model
 * can write. Throws `internal` when the conversation is not in a state to be sent: that is a fault of ours.
 */
export function buildRequest(parts: RequestParts): ModelRequest {
  const { model, facts } = parts;
  switch (parts.purpose) {
    case 'turn':
      return { model, ...conversationOf(parts), maxOutputTokens: turnOutputTokens(parts), purpose: 'turn' };
    case 'server_summary': {
      const { instructions, targetTokens, retryCount } = parts;
      const maxOutputTokens = Math.min(Math.max(MIN_SERVER_SUMMARY_TOKENS, withMargin(targetTokens)), facts.maxOutputTokens);
      return { model, ...conversationOf(parts), maxOutputTokens, purpose: 'summary', compaction: { instructions }, retryCount };
    }
    case 'prefix_summary': {
      const maxOutputTokens = Math.min(withMargin(parts.targetTokens), facts.maxOutputTokens);
      return { model, ...conversationOf(parts), maxOutputTokens, purpose: 'summary', onPrefix: true, retryCount: parts.retryCount };
    }
    case 'summary': {
      const maxOutputTokens = Math.min(withMargin(parts.targetTokens), facts.maxOutputTokens);
      return { model, ...promptOf(parts), maxOutputTokens, purpose: 'summary', retryCount: parts.retryCount };
    }
    case 'memory': {
      const maxOutputTokens = Math.min(MEMORY_OUTPUT_TOKENS, facts.maxOutputTokens);
      return { model, ...promptOf(parts), maxOutputTokens, purpose: 'summary', retryCount: 1 };
    }
  }
}

type Content = Pick<ModelRequest, 'system' | 'tools' | 'messages'>;

const conversationOf = ({ purpose, context, facts }: TurnParts | ServerSummaryParts | PrefixSummaryParts): Content => ({
  system: [context.system, context.shortTermSummary].filter((block) => block !== ''),
  tools: context.tools,
  messages: sentMedia(checkPairs(toWire(context.messages), purpose), facts),
});

const promptOf = ({ purpose, prompt: { system, user } }: SummaryParts | MemoryParts): Content => ({
  system: [system],
  tools: [],
  messages: checkPairs([{ role: 'user', content: [{ type: 'text', text: user }] }], purpose),
});

function checkPairs(messages: readonly WireMessage[], purpose: RequestParts['purpose']): readonly WireMessage[] {
  const problems = pairingProblems(messages, purpose === 'server_summary' ? 'compaction' : 'reply');
  if (problems.length === 0) return messages;
  const state = purpose === 'server_summary' ? 'summarised' : 'sent';
  throw new SanbotError('internal', {
    en: `The conversation is not in a state to be ${state}: ${problems.join('; ')}`,
    zh: `会话当前的状态不允许 ${state}：${problems.join('; ')}`,
  });
}

/** A summary may be a little longer than it was asked to be. */
const withMargin = (targetTokens: number): number => Math.ceil(targetTokens * 1.2);

/** Never above what the model can write, nor what the window has left [P32, C37]. */
function turnOutputTokens({ facts, estimate, config }: TurnParts): number {
  const cap = Math.min(config.maxOutputTokens ?? DEFAULT_MAX_OUTPUT_TOKENS, facts.maxOutputTokens);
  if (facts.windowTokens - estimate.most().tokens >= cap) return cap;
  const remaining = facts.windowTokens - estimate.count().tokens;
  return Math.min(cap, Math.max(remaining, MIN_OUTPUT_TOKENS));
}
