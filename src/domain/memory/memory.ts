/** The four files of L1. Runtime is the only one that what tools printed can reach. */
export const memoryKinds = ['decisions', 'facts', 'preferences', 'runtime'] as const;
export type MemoryKind = (typeof memoryKinds)[number];

/** What a person or the model said, as opposed to what was run. */
export const statementKinds = ['decisions', 'facts', 'preferences'] as const;
export type StatementKind = (typeof statementKinds)[number];

/** One thing worth keeping beyond a session, in one line. */
export type MemoryEntry = {
  readonly kind: MemoryKind;
  readonly text: string;
  readonly sessionId: string;
  readonly messageId: string;
  /** ISO 8601, UTC: when it was said. */
  readonly at: string;
  /** Who said it; left out for what was run. */
  readonly by?: 'user' | 'model' | undefined;
  /** The working folder it was said in, absolute. */
  readonly cwd?: string | undefined;
};

/** What became of a statement that somebody asked to remember. */
export type RememberResult = {
  /** `known`: it was there already, in these words or others; `id` is then that entry's. */
  readonly outcome: 'added' | 'known';
  readonly id: string;
  readonly kind: MemoryKind;
  /** The entries whose place it took. */
  readonly superseded: readonly string[];
};

/** A session went back to an earlier state. */
export type MemoryRollback = {
  readonly sessionId: string;
  /** The snapshot of the state that was left: it names the marks, so that going back to it takes them off. */
  readonly by: string;
  /** Whether what was learned from this message was learned after the state that is current again. */
  readonly isLater: (messageId: string) => boolean;
  /** Whether marks that name this snapshot were made after that state. */
  readonly isUndone: (by: string) => boolean;
};

/** An entry that no longer holds, and what says so: another entry's id, or a word such as `rollback`. */
export type SupersededMark = { readonly id: string; readonly by: string };
