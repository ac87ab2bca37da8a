/**
 * Memories as data: an entry of L1 and the line it stands in, the page of L2, and what it takes for two statements to say the same or to
 * contradict each other.
 *
 * Lines and statements come in; entries and judgements come out. A page is a text that people edit: whatever is no entry of ours stays as
 * it is, and a line that a person wrote is an entry too.
 *
 * In doubt two statements both stay. Senses can be compared as hashes, so that what was forgotten need not be kept to be recognised.
 * Where pages are stored, and who may write them, is said elsewhere.
 */

/** The four files of L1. Runtime is the only one that tool output can reach. */
export const memoryKinds = ['decisions', 'facts', 'preferences', 'runtime'] as const;
export type MemoryKind = (typeof memoryKinds)[number];

/** The kinds of what a person or the model said, as opposed to what was run. */
export const statementKinds = ['decisions', 'facts', 'preferences'] as const;
export type StatementKind = (typeof statementKinds)[number];

/** How the one line of `runtime` about a whole session begins; a newer one of the same session replaces it. */
export const SESSION_LINE = 'calls in this session: ';

export type MemoryEntry = {
  readonly kind: MemoryKind;
  readonly text: string;
  readonly sessionId: string;
  readonly messageId: string;
  /** When it was said: ISO 8601, UTC. */
  readonly at: string;
  /** Who said it; undefined for what was run. */
  readonly by?: 'user' | 'model' | undefined;
  /** The working folder in which it was said, absolute. */
  readonly cwd?: string | undefined;
};

export type RememberResult = {
  /** `known`: an entry already said this, in these words or others; `id` is the id of that entry. */
  readonly outcome: 'added' | 'known';
  readonly id: string;
  readonly kind: MemoryKind;
  readonly superseded: readonly string[];
};

export type MemoryRollback = {
  readonly sessionId: string;
  /** The snapshot of the state that was left. Marks name it, so that going back to that snapshot removes them. */
  readonly by: string;
  /** True when what was learned from this message was learned after the restored state. */
  readonly isLater: (messageId: string) => boolean;
  /** True when marks that name this snapshot were made after the restored state. */
  readonly isUndone: (by: string) => boolean;
};

/** An entry that no longer holds, and the reason: another entry's id, or a word such as `rollback`. */
export type SupersededMark = { readonly id: string; readonly by: string };
