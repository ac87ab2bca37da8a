/** What a search can find. Only `user` and `assistant` is what was said; `tool` is a call with its result, `memory` an entry of L1. */
export const recallKinds = ['user', 'assistant', 'tool', 'summary', 'notice', 'memory'] as const;
export type RecallKind = (typeof recallKinds)[number];

export const recallRoles = ['user', 'assistant', 'tool'] as const;
export type RecallRole = (typeof recallRoles)[number];

export type RecallOptions = {
  readonly query: string;
  readonly session?: string | undefined;
  readonly tool?: string | undefined;
  readonly role?: RecallRole | undefined;
  /** Only calls that failed. */
  readonly errors?: boolean | undefined;
  readonly since?: Date | undefined;
  /** Most hits. */
  readonly limit: number;
};

/** What a text is found by; with `prefix`, by any term that begins so. */
export type Term = { readonly text: string; readonly prefix: boolean };

/** One word of a query: any of these lists of terms, all terms of it. */
export type TermGroup = { readonly any: readonly (readonly Term[])[] };

/** From the first character of a mark to the one after its last. */
export type HighlightRange = readonly [start: number, end: number];

/** A piece of a text in one line, with the words that were looked for marked. */
export type Snippet = { readonly text: string; readonly marks: readonly HighlightRange[] };

/** Who said something when, and the name that opens it. */
export type RecallSource = {
  /** Opens the original; the same after the index was built anew. */
  readonly ref: string;
  readonly sessionId: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly kind: RecallKind;
  /** Of a tool's call. */
  readonly tool: string | undefined;
  readonly failed: boolean;
};

export type RecallHit = RecallSource & {
  /** From 0 to 1, the best first: above 0.5 every word was found. */
  readonly score: number;
  readonly snippet: Snippet;
  /** Where in the whole text the snippet begins, in UTF-16 units. */
  readonly charOffset: number;
};

/** An original, whole, with what stands before and after it in its session. */
export type RecalledText = RecallSource & {
  readonly text: string;
  readonly before: RecallSource | undefined;
  readonly after: RecallSource | undefined;
};
