export const findingKinds = [
  'open_to_others',
  'not_usable',
  'unreadable',
  'temporary',
  'stale_lock',
  'foreign_lock',
  'log_missing',
  'log_header',
  'log_lines',
  'log_tail',
  'log_order',
  'log_unsendable',
  'title',
  'bodies_lines',
  'bodies_tail',
  'body_changed',
  'body_missing',
  'body_orphan',
  'version_changed',
  'version_missing',
  'snapshot_meta',
  'snapshot_altered',
  'snapshot_missing',
  'index',
  'purge',
] as const;
export type FindingKind = (typeof findingKinds)[number];

/** One problem in the home. */
export type Finding = {
  readonly kind: FindingKind;
  /** Absolute. */
  readonly path: string;
  /** Undefined when it belongs to no session. */
  readonly sessionId: string | undefined;
  readonly what: string;
  /** What a repair would do; undefined when it can do nothing. */
  readonly remedy: string | undefined;
};

/** The outcome of one repair, in one line; `failed` when it did not succeed. */
export type RepairResult = { readonly path: string; readonly did: string; readonly failed?: true };
