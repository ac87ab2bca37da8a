/**
 * What this process has found out about making room in a session, so that it is neither worked out nor paid for again before something has
 * changed. Nothing of it is stored; a new process finds it out once more.
 */
export type ReliefMemory = {
  /** How much tool output there was when a voluntary offload was last planned and did not pay. */
  plannedAtBytes: number | undefined;
  futile: FutileCompaction | undefined;
};

/** A compaction after which the context was as full as before, or would have been. */
export type FutileCompaction = {
  /** The context that it left. */
  readonly tokens: number;
  readonly model: string;
  /** It did free something. */
  readonly freed: boolean;
};

export const createReliefMemory = (): ReliefMemory => ({ plannedAtBytes: undefined, futile: undefined });
