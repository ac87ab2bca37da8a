/** What a search can find. Only `user` and `assistant` are what was said; `tool` is a call with its result, `memory` an entry of L1. */
export const recallKinds = ['user', 'assistant', 'tool', 'summary', 'notice', 'memory'] as const;
export type RecallKind = (typeof recallKinds)[number];

export const recallRoles = ['user', 'assistant', 'tool'] as const;
export type RecallRole = (typeof recallRoles)[number];

export type RecallOptions = {
  /** May be empty where failures, decisions or a time are asked for: then the newest come first. */
  readonly query: string;
  readonly session?: string | undefined;
  readonly tool?: string | undefined;
  readonly role?: RecallRole | undefined;
  readonly errors?: boolean | undefined;
  /** Only what states a decision: what the user or the assistant said, and remembered decisions. */
  readonly decisions?: boolean | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  /** The folder whose sessions come first; hits of other folders follow and are labelled. */
  readonly project?: string | undefined;
  /** Ranks every folder alike, whatever the project. */
  readonly all?: boolean | undefined;
  /** Nothing of other folders than the project, and no memory that may come from one. */
  readonly only?: boolean | undefined;
  readonly limit: number;
};

/** A term to search for; with `prefix`, it matches every term that starts with it. */
export type Term = { readonly text: string; readonly prefix: boolean };

/** One word of a query: found where all terms of any one of these lists are. */
export type TermGroup = { readonly any: readonly (readonly Term[])[] };

/** The position of the first character of a mark, and the position after its last. */
export type HighlightRange = readonly [start: number, end: number];

/** A piece of a text with the searched words marked; its lines have no blanks at their ends, and none is empty. */
export type Snippet = { readonly text: string; readonly marks: readonly HighlightRange[] };

export type RecallSource = {
  /** Opens the original; stays the same when the index is rebuilt. */
  readonly ref: string;
  readonly sessionId: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly kind: RecallKind;
  /** The tool that was called; undefined for anything but a call. */
  readonly tool: string | undefined;
  readonly failed: boolean;
  readonly imported?: boolean;
};

export type RecallHit = RecallSource & {
  /** From 0 to 1; hits are sorted best first. Above 0.5 every word was found. */
  readonly score: number;
  readonly snippet: Snippet;
  /** Where the snippet begins in the whole text, in UTF-16 units. */
  readonly charOffset: number;
  /** The folder of its session, when it is not in the project that was searched first. */
  readonly folder: string | undefined;
  readonly copies: readonly string[];
};

export type RecallAnswer = {
  readonly hits: readonly RecallHit[];
  /** So many sessions were not searched to their end, since there was no time to index them; the next search goes on with them. */
  readonly sessionsLeft: number;
};

export type RecalledText = RecallSource & {
  readonly text: string;
  readonly before: RecallSource | undefined;
  readonly after: RecallSource | undefined;
};
