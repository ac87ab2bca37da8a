import type { SummaryMethod } from '../../domain/event.ts';
import type { Bilingual } from '../../domain/language.ts';
import type { Usage } from '../../domain/session/message.ts';
import type { MessageLine } from './rollback-port.ts';

/** What makes the context of this session smaller. */
export type CompactionPort = {
  /** Compacts now. `instructions` say what to keep. */
  readonly compact: (instructions: string | undefined, signal: AbortSignal) => Promise<void>;
  /**
   * Makes the summary and changes nothing else, so that it can be looked at first. Undefined when there was nothing to compact or it
   * failed; that has been told by then. Rejects with AbortedError when `signal` aborts.
   */
  readonly preview: (instructions: string | undefined, signal: AbortSignal) => Promise<PendingCompaction | undefined>;
  /** Empties the context of this session; a snapshot is taken first. */
  readonly clear: () => Promise<void>;
};

/** What a compaction would do. Tokens and dollars of the summary's requests are spent, whatever comes of it. */
export type CompactionPreview = {
  /** The sections, without what is gathered by rule. */
  readonly text: string;
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
  /** How many facts of each kind are gathered by rule. */
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
