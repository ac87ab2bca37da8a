/** What somebody wants of one compaction, in the place of the settings. */
export type CompactionWish = {
  /** What to keep, in their words. */
  readonly instructions?: string | undefined;
  /** Tokens of the summary and the ledger together. */
  readonly targetTokens?: number | undefined;
  /** Of the newest messages, at most so many stay as they are. */
  readonly keepMessages?: number | undefined;
  readonly model?: string | undefined;
};

export const MIN_TARGET_TOKENS = 200;
