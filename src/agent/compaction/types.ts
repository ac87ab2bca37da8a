import type { Limits } from '../../context/measure/limits.ts';
import type { CompactedEvent, CompactionTrigger, PressureReason, SummaryMethod } from '../../domain/event.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import type { Ledger } from '../../domain/session/ledger.ts';
import type { BodyRef, CompactionBlock, Message, Summary } from '../../domain/session/message.ts';
import type { Cost } from '../session/usage.ts';

export type CompactionOptions = {
  readonly trigger: CompactionTrigger;
  readonly reasons: readonly PressureReason[];
  /** What the user wants kept, in the user's words. */
  readonly instructions: string | undefined;
  readonly limits: Limits;
  readonly signal: AbortSignal;
  /** A summary that a hook offers in place of a model's. */
  readonly hookSummary?: string | undefined;
};

/** A compaction that is ready to be committed; nothing has been written for it, and dropping it leaves no trace but its cost. */
export type PreparedCompaction = {
  readonly kind: 'prepared';
  readonly options: CompactionOptions;
  readonly split: Split;
  readonly ledger: Ledger;
  /** The sections, without the ledger. */
  readonly text: string;
  /** The same text as the API made and signed it, when it did. */
  readonly block?: CompactionBlock | undefined;
  readonly method: SummaryMethod;
  /** The context that it was made for: once another is current, it is void. */
  readonly old: SessionContext;
  readonly context: SessionContext;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly cost: Cost;
  readonly ms: number;
};

export type NoCompaction =
  | { readonly kind: 'nothing' }
  /** By a hook of the user's. */
  | { readonly kind: 'blocked'; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string };

export type CompactionOutcome = { readonly kind: 'compacted'; readonly event: CompactedEvent } | NoCompaction;

/** What a compaction takes out of the context, and what it keeps. */
export type Split = {
  readonly earlier: Summary | undefined;
  /** What the summary stands for from now on. */
  readonly toSummarise: readonly Message[];
  /** What is kept as it is: notices that still hold, the newest request, wherever it stands, and the tail. */
  readonly kept: readonly Message[];
  /** Where the tail begins. */
  readonly index: number;
};

export type SummarySource = {
  readonly toSummarise: readonly Message[];
  readonly earlier: Summary | undefined;
  readonly ledger: Ledger;
  readonly limits: Limits;
};

/**
 * A summary made ahead of time, beside a turn (`compaction.background`): from the soft limit on, so that the hard limit does not
 * wait. It only reads; what it makes is nothing until a compaction takes it.
 */
export type PreparedSummary = {
  readonly source: SummarySource;
  readonly stop: () => void;
  /** What came of it; undefined when it failed or was stopped. Never rejects. */
  readonly result: Promise<string | undefined>;
  /** What has to be told once the screen is free for it. */
  pendingReport: (() => void) | undefined;
};

/**
 * Says what became of the facts that a compaction took out of the context: how many are still in it, can be found by one look-up,
 * or neither; undefined when that would take too long. Testimony for the audit log; a rejection is told and changes nothing.
 */
export type CheckCompaction = (compacted: {
  readonly before: readonly Message[];
  readonly after: SessionContext;
  readonly cwd: string;
  readonly bodyOf: (ref: BodyRef) => string | undefined;
}) => Promise<{ readonly inContext: number; readonly oneLookUp: number; readonly lost: number } | undefined>;
