import type { ContentBlock, Usage } from './message.ts';
import type { PrefixCheck } from './prefix.ts';

export type ModelAnswer = ModelReply | ModelOverflow | ModelStaleThinking;

export type ModelReply = {
  readonly kind: 'reply';
  /** Verbatim, including unknown blocks; to be sent back unchanged. */
  readonly content: readonly ContentBlock[];
  /** The API's stop reason: end_turn, tool_use, max_tokens, refusal, pause_turn, model_context_window_exceeded, … */
  readonly stopReason: string;
  readonly model: string;
  readonly usage: Usage | undefined;
  /** By which the next request names this reply's; only where the provider compares them. */
  readonly id?: string;
  /** Left out when the provider compared nothing. */
  readonly prefix?: PrefixCheck;
};

/** The request did not fit the model's window; the figures are set when the answer states them. */
export type ModelOverflow = {
  readonly kind: 'overflow';
  readonly limitTokens: number | undefined;
  readonly sentTokens: number | undefined;
};

/** A block of the past (signed thinking) is bound to a past that has changed; sending the same again never helps. */
export type ModelStaleThinking = { readonly kind: 'stale_thinking' };
