/** The four files of L1. Runtime is the only one that what tools printed can reach. */
export const memoryKinds = ['decisions', 'facts', 'preferences', 'runtime'] as const;
export type MemoryKind = (typeof memoryKinds)[number];

/** One thing worth keeping beyond a session, in one line. */
export type MemoryEntry = {
  readonly kind: MemoryKind;
  readonly text: string;
  readonly sessionId: string;
  readonly messageId: string;
  /** ISO 8601, UTC: when it was said. */
  readonly at: string;
};
