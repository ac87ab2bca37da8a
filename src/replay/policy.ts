/**
 * What keeps a conversation inside the window: `sanbot` the whole ladder; `summary-only` its compaction without offloading;
 * `sliding-window` drops the oldest exchanges in chunks; `truncate` drops as few as will do, at every request; `none` nothing.
 */
export const policies = ['sanbot', 'sliding-window', 'truncate', 'summary-only', 'none'] as const;

export type Policy = (typeof policies)[number];

/** Which windows and policies a replay goes through. */
export type ReplayRange = { readonly windows: readonly number[]; readonly policies: readonly Policy[] };
