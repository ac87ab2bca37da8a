import type { SummaryMethod } from '../../domain/event.ts';
import type { Bilingual } from '../../domain/language.ts';
import type { CompactionWish } from '../../domain/session/context.ts';
import type { Usage } from '../../domain/session/message.ts';
import type { Miss } from '../../domain/session/model-answer.ts';
import type { MessageLine } from './history-port.ts';

export type ModelPort = {
  readonly current: () => ModelView;
  /** The present model makes room first when the other's window is smaller. Rejects with context_cannot_fit, and nothing has changed. */
  readonly change: (name: string, signal: AbortSignal) => Promise<void>;
  readonly choices: (signal: AbortSignal) => Promise<readonly NamedModel[]>;
  readonly context: () => Promise<ContextView>;
  /** The total of `context`. To be asked for only once something was sent: until then nothing can be counted. */
  readonly contextTokens: () => number;
  /** The limit at which room is made, as `context` has it. To be asked for as `contextTokens`. */
  readonly limitTokens: () => number;
  /** What the next request costs for reading the conversation anew, in tokens and dollars; undefined where nothing was sent yet. */
  readonly rereadCost: () => { readonly tokens: number; readonly costUsd: number | undefined } | undefined;
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
  /** None is set up, and nothing answers. */
  readonly missing?: boolean;
  readonly windowTokens: number;
  readonly windowAssumed: boolean;
  readonly takesEffort?: boolean | undefined;
};

/** All counts by our one counter. */
export type ContextView = ModelView & {
  readonly tokens: number;
  readonly softTokens: number;
  readonly hardTokens: number;
  readonly messages: number;
  /** Where the tokens are: "system prompt", "tools", "summary", "your messages", "replies", "tool results"… They add up to `tokens`. */
  readonly parts: readonly { readonly name: string; readonly tokens: number }[];
  readonly pruned?: { readonly results: number; readonly tokens: number } | undefined;
  /** What would free how much, and what it would cost together with the next request, in dollars; without a price where none is known. */
  readonly freeable: readonly { readonly by: string; readonly tokens: number; readonly costUsd?: number | undefined }[];
  /** What is pinned, at its most: a pinned message that still stands in its place is in its own part. Undefined when nothing is. */
  readonly pinned?: { readonly count: number; readonly tokens: number; readonly budgetTokens: number } | undefined;
  /** The plan among the pins, and how much of its task list is done. */
  readonly plan?: { readonly tokens: number; readonly done: number; readonly tasks: number } | undefined;
};

/** What this session has used, all its requests together: not what the context holds now. */
export type CostView = {
  readonly requests: number;
  readonly usage: Usage;
  readonly costUsd: number | undefined;
  readonly compactions: number;
  readonly compactionUsage: Usage;
  readonly compactionCostUsd: number | undefined;
  /** What the provider says that it had to read anew, and why; nothing where it says no such thing. */
  readonly misses?: readonly Miss[];
  readonly earlier?: { readonly usage: Usage; readonly costUsd: number | undefined };
};

export type CompactionPort = {
  readonly compact: (wish: CompactionWish, signal: AbortSignal) => Promise<void>;
  /** Changes nothing but the summary. Undefined when there was nothing to compact or it failed; that has been told. Rejects with AbortedError. */
  readonly preview: (wish: CompactionWish, signal: AbortSignal) => Promise<PendingCompaction | undefined>;
  readonly clear: () => Promise<void>;
};

/** What a compaction would do. Tokens and dollars of the summary's requests are spent, whatever comes of it. */
export type CompactionPreview = {
  readonly text: string;
  readonly byRule: string;
  readonly method: SummaryMethod;
  /** Oldest first. */
  readonly leaving: readonly MessageLine[];
  readonly messagesNow: number;
  readonly messagesAfter: number;
  readonly messagesKept: number;
  readonly tokensNow: number;
  readonly tokensAfter: number;
  readonly usage: Usage;
  readonly costUsd: number | undefined;
  readonly ledger: Readonly<Record<string, number>>;
};

/** A compaction that is ready. Either `commit` or `discard` ends it; both tell what happened as events. */
export type PendingCompaction = {
  readonly view: () => CompactionPreview;
  /** Puts another text in the place of the summary, unless it cannot be one; a warning does not hinder it. */
  readonly revise: (
    text: string,
  ) =>
    | { readonly kind: 'revised'; readonly warnings: readonly Bilingual[] }
    | { readonly kind: 'refused'; readonly problems: readonly Bilingual[] };
  /** Rejects with store_failed when the disk will not take it; then nothing has changed. */
  readonly commit: () => Promise<void>;
  readonly discard: () => void;
};

export type PinsPort = {
  /** The messages of the context that can be pinned, oldest first. */
  readonly choices: () => readonly PinLine[];
  readonly view: () => Promise<PinsView>;
  /** Pins the message of that number. Rejects with refused, with figures, when the pins would take more than their share. */
  readonly pin: (number: number) => Promise<void>;
  readonly unpin: (messageId: string) => Promise<void>;
  /** The plan that was accepted and has not ended. */
  readonly plan: () => string | undefined;
  /** Takes the plan off. False when there is none. */
  readonly endPlan: () => Promise<boolean>;
};

/** A message in one line of at most 400 characters; its number counts the messages of the context from 1. */
export type PinLine = {
  readonly number: number;
  readonly messageId: string;
  readonly who: 'you' | 'assistant' | 'tool' | 'plan';
  readonly text: string;
  readonly pinned: boolean;
};

export type PinsView = {
  readonly pins: readonly Omit<PinLine, 'number' | 'pinned'>[];
  readonly tokens: number;
  readonly budgetTokens: number;
};
