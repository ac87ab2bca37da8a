import type { ContentBlock, Usage } from './message.ts';

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

/** What the provider found when it compared the start of a request with the one before, in its words; `nothing`: it only grew. */
export type PrefixCheck = {
  readonly changed: 'nothing' | 'model' | 'system' | 'tools' | 'messages';
  /** What would otherwise have been read from the cache, about. */
  readonly missedTokens: number;
};

/** `planned`: after a compaction, after results went to files or were pruned, after a rollback, or with another model. */
export type Miss = Omit<PrefixCheck, 'changed'> & { readonly changed: string; readonly planned: boolean };

/** One entry for each kind of change, planned ones apart. */
export function addMiss(all: readonly Miss[], { changed, missedTokens, planned }: Miss): readonly Miss[] {
  if (changed === 'nothing' || missedTokens === 0) return all;
  const same = all.find((one) => one.changed === changed && one.planned === planned);
  const sum = { changed, planned, missedTokens: missedTokens + (same?.missedTokens ?? 0) };
  return [...all.filter((one) => one !== same), sum];
}
