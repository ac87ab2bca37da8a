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

export type RequestParts = TurnParts | PrefixSummaryParts | SummaryParts | MemoryParts;

/** Asked for at most, when the user has not said: more is rarely used and would only be reserved in vain. */
const DEFAULT_MAX_OUTPUT_TOKENS = 32_000;
const MIN_OUTPUT_TOKENS = 1_024;
const MEMORY_OUTPUT_TOKENS = 8_000;

/**
 * The one place where requests are made, whatever they are for, so that none leaves with a broken pair or asks for more than the model
 * can write. Throws `internal` when the conversation is not in a state to be sent: that is a fault of ours.
 */
export function buildRequest(parts: RequestParts): ModelRequest {
  const { model, facts } = parts;
  switch (parts.purpose) {
    case 'turn':
      return { model, ...conversationOf(parts), maxOutputTokens: turnOutputTokens(parts), purpose: 'turn' };
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

const conversationOf = ({ context, facts }: TurnParts | PrefixSummaryParts): Content => ({
  system: [context.system, context.shortTermSummary].filter((block) => block !== ''),
  tools: context.tools,
  messages: sentMedia(checkPairs(toWire(context.messages)), facts),
});

const promptOf = ({ prompt: { system, user } }: SummaryParts | MemoryParts): Content => ({
  system: [system],
  tools: [],
  messages: checkPairs([{ role: 'user', content: [{ type: 'text', text: user }] }]),
});

function checkPairs(messages: readonly WireMessage[]): readonly WireMessage[] {
  const problems = pairingProblems(messages);
  if (problems.length === 0) return messages;
  throw new SanbotError('internal', {
    en: `The conversation is not in a state to be sent: ${problems.join('; ')}`,
    zh: `会话当前的状态不能发送：${problems.join('; ')}`,
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
