import type { Usage } from '../../domain/session/message.ts';

/** Who answers, how full its window is, and what it has cost. */
export type ModelPort = {
  readonly current: () => ModelView;
  /** The present model makes room first when the other's window is smaller. Rejects with context_cannot_fit, and nothing has changed. */
  readonly change: (name: string, signal: AbortSignal) => Promise<void>;
  /** What can be changed to, and what answers now first. Waits for what the endpoints list, in bounded time. */
  readonly choices: (signal: AbortSignal) => Promise<readonly NamedModel[]>;
  readonly context: () => Promise<ContextView>;
  /** The total of `context`. To be asked for only once something was sent: until then nothing can be counted. */
  readonly contextTokens: () => number;
  /** Undefined when a price in it is not known. */
  readonly costSinceOpened: () => number | undefined;
  readonly cost: () => Promise<CostView>;
};

export type NamedModel = {
  readonly name: string;
  readonly isCurrent: boolean;
  /** Undefined where it is only assumed. */
  readonly windowTokens: number | undefined;
};

export type ModelView = {
  readonly name: string;
  /** No language model: the built-in offline one. */
  readonly offline: boolean;
  readonly windowTokens: number;
  readonly windowAssumed: boolean;
};

/** All counts by our one counter. */
export type ContextView = ModelView & {
  readonly tokens: number;
  readonly softTokens: number;
  readonly hardTokens: number;
  readonly messages: number;
  /** Where the tokens are: "system prompt", "tools", "summary", "your messages", "replies", "tool results"… They add up to `tokens`. */
  readonly parts: readonly { readonly name: string; readonly tokens: number }[];
  /** Old tool results that are sent only in part, and what that saves. */
  readonly pruned?: { readonly results: number; readonly tokens: number } | undefined;
  /** What would free how much, and what it would cost together with the next request, in dollars; without a price where none is known. */
  readonly freeable: readonly { readonly by: string; readonly tokens: number; readonly costUsd?: number | undefined }[];
  /** What is pinned, at its most: a pinned message that still stands in its place is in its own part. Undefined when nothing is. */
  readonly pinned?: { readonly count: number; readonly tokens: number; readonly budgetTokens: number } | undefined;
};

/** What this session has used, all its requests together: not what the context holds now. */
export type CostView = {
  readonly requests: number;
  readonly usage: Usage;
  readonly costUsd: number | undefined;
  readonly compactions: number;
  /** The part of `usage` and `costUsd` that went into summaries. */
  readonly compactionUsage: Usage;
  readonly compactionCostUsd: number | undefined;
  /** The part before the session was last opened; undefined where there is none. */
  readonly earlier?: { readonly usage: Usage; readonly costUsd: number | undefined };
};
