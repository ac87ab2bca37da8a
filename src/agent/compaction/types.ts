import type { Limits } from '../../context/measure/limits.ts';
import type { MemoryProposal } from '../../context/memory/check-proposal.ts';
import type { CompactedEvent, CompactionTrigger, PressureReason, SummaryMethod } from '../../domain/event.ts';
import type { Bilingual } from '../../domain/language.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import type { Ledger } from '../../domain/session/ledger.ts';
import type { Message, Summary } from '../../domain/session/message.ts';
import type { Cost } from '../session/usage.ts';

/** What somebody wants compacted, and why. */
export type CompactionOptions = {
  readonly trigger: CompactionTrigger;
  readonly reasons: readonly PressureReason[];
  /** What the user wants kept, in the user's words. */
  readonly instructions: string | undefined;
  readonly limits: Limits;
  readonly signal: AbortSignal;
  /** The model that answers afterwards, where it is another one: system prompt and tools take the form that its window has room for. */
  readonly forModel?: string | undefined;
};

/** All that is decided before a summary is asked for. */
export type CompactionPlan = CompactionOptions & {
  /** A summary that a hook offers in place of a model's. */
  readonly hookSummary?: string | undefined;
  /** What leaves the context, oldest first, without an earlier summary: the new one stands for it from now on. */
  readonly toSummarise: readonly Message[];
  readonly earlier: Summary | undefined;
  /** What is kept as it is: notices that still hold, the newest request, wherever it stands, and the tail. */
  readonly kept: readonly Message[];
  /** Where the tail begins. */
  readonly index: number;
  /** What is gathered by rule from what leaves, and from the earlier summary. */
  readonly ledger: Ledger;
  /** The context that it was made for: once another is current, it is void. */
  readonly old: SessionContext;
  readonly tokensBefore: number;
};

/** What came of asking for a summary, in whatever way. */
export type SummaryResult =
  | {
      readonly kind: 'summarised';
      /** The sections, without the ledger. */
      readonly text: string;
      readonly method: SummaryMethod;
      /** What the reply names as worth keeping, unverified. */
      readonly memories?: readonly MemoryProposal[];
      readonly cost: Cost;
    }
  | { readonly kind: 'failed'; readonly why: Bilingual; readonly cost: Cost };

export type Summarised = Extract<SummaryResult, { kind: 'summarised' }>;

/** A compaction that is ready to be committed; nothing has been written for it, and dropping it leaves no trace but its cost. */
export type PreparedCompaction = {
  readonly kind: 'prepared';
  readonly plan: CompactionPlan;
  readonly summary: Omit<Summarised, 'kind' | 'cost'>;
  readonly context: SessionContext;
  readonly tokensAfter: number;
  readonly cost: Cost;
  readonly ms: number;
};

export type NoCompaction =
  | { readonly kind: 'nothing' }
  /** By a hook of the user's. */
  | { readonly kind: 'blocked'; readonly why: Bilingual }
  | { readonly kind: 'failed'; readonly why: Bilingual };

export type CompactionOutcome = { readonly kind: 'compacted'; readonly event: CompactedEvent } | NoCompaction;

/**
 * A summary made ahead of time, beside a turn (`compaction.background`): from the soft limit on, so that the hard limit does not
 * wait. It only reads; what it makes is nothing until a compaction takes it.
 */
export type PreparedSummary = {
  readonly plan: CompactionPlan;
  readonly stop: () => void;
  /** What came of it; undefined when it failed or was stopped. Never rejects. */
  readonly result: Promise<Pick<Summarised, 'text' | 'memories'> | undefined>;
  /** What has to be told once the screen is free for it. */
  pendingReport: (() => void) | undefined;
};
