import type { Effort } from '../../domain/config/effort.ts';
import type { Bilingual } from '../../domain/language.ts';
import type { ToolSpec } from '../../domain/session/context.ts';
import type { Usage, WireMessage } from '../../domain/session/message.ts';
import type { ModelAnswer } from '../../domain/session/model-answer.ts';
import type { ImagePricing, MediaLimits } from '../../domain/value/media-tokens.ts';

export type ModelRequest = {
  readonly model: string;
  /** The blocks of the system prompt in order, none empty. */
  readonly system: readonly string[];
  readonly tools: readonly ToolSpec[];
  readonly messages: readonly WireMessage[];
  readonly maxOutputTokens: number;
  /** A summary is not streamed to the screen, and is asked for without tools unless it is asked for at the end of the conversation. */
  readonly purpose: 'turn' | 'summary';
  /** The message after which the provider's cache is to be read or kept, beside the end of the request; where nothing is known, the end of the request before. */
  readonly cachePoint?: number;
  /** How long what this request writes to the provider's cache is to stay there; left out: as long as the provider does by itself. */
  readonly cacheTtl?: '1h';
  /** How hard the model is to think; left out: as its endpoint has it do by itself. */
  readonly effort?: Effort;
  /** The request repeats what the turns sent, with one more message at its end: all that their cache depends on is theirs. */
  readonly onPrefix?: true;
  /** The `id` of the reply to the request before, null where there is none: a provider that can is asked to compare the two. */
  readonly previousReply?: string | null;
  /** How often to try again what may pass by itself, when it is not the model's own default. */
  readonly retryCount?: number;
};

export type ModelStream = {
  readonly signal: AbortSignal;
  /** Called, perhaps more than once or never, when nothing is left to do but to wait: the request has left, or its connection takes long to make. */
  readonly onWait?: (() => void) | undefined;
  readonly onText: (text: string) => void;
  readonly onThinking: (text: string) => void;
  readonly onRetry: (retry: { readonly why: Bilingual; readonly attempt: number; readonly waitMs: number }) => void;
};

/**
 * One request, one whole answer: never half a reply, whatever was streamed before. Retries what may pass by itself.
 * Rejects with AbortedError when the signal aborts, else only with SanbotError model_key, model_unreachable,
 * model_failed or cost_exhausted.
 */
export type AskModel = (request: ModelRequest, stream: ModelStream) => Promise<ModelAnswer>;

export type ModelFacts = {
  readonly windowTokens: number;
  /** True when nobody told us the window and this is a guess. */
  readonly assumed: boolean;
  readonly maxOutputTokens: number;
  /** Above so many input tokens a request gets dearer, for models where that is so. */
  readonly priceStepTokens?: number | undefined;
  /** How long the provider keeps a cached prefix, at least; undefined when nobody has told us. */
  readonly cacheLifeMs?: number | undefined;
  /** Whether the provider keeps what is written to its cache for an hour when asked to, at a price that is known. */
  readonly hourCache?: boolean;
  /** Whether the model can be told how hard to think; undefined when nobody has told us. */
  readonly takesEffort?: boolean | undefined;
  /** True for a server of one's own, which has one prefix in memory, the newest, whether or not it says what it read from there. */
  readonly keepsOnePrefix?: boolean;
  /** The most that it thinks before it writes a summary at the end of a conversation; left out where it does not. */
  readonly thinkingTokens?: number;
  /** Whether the model takes images and PDFs; undefined when nobody has told us, and then none are sent. */
  readonly seesImages?: boolean | undefined;
  /** How it counts images; undefined when nobody has told us. */
  readonly imagePricing?: ImagePricing | undefined;
  /** What one request may carry of them; undefined when nobody has told us. */
  readonly mediaLimits?: MediaLimits | undefined;
  /** The pages of a PDF, of which this is the base64; undefined when they cannot be counted. */
  readonly pagesOf?: ((base64: string) => number | undefined) | undefined;
  /** Dollars for one request, or undefined when the price is not known. */
  readonly costUsd: (usage: Usage) => number | undefined;
};

export type Model = {
  readonly ask: AskModel;
  readonly facts: (model: string) => ModelFacts;
  /** Asks the provider, once, about a model of which neither the user nor the table says the window; `facts` has it from then on. Never rejects. */
  readonly fetchFacts?: (model: string, signal: AbortSignal) => Promise<void>;
  /** The endpoint that a model is asked at, for the records of a session; undefined for the unnamed one of Anthropic, and offline. */
  readonly endpointOf?: (model: string) => string | undefined;
  /** Throws cost_exhausted once all that may be spent is spent; `ask` then rejects with it too. */
  readonly checkBudget?: () => void;
};
