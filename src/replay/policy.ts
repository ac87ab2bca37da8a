/**
 * What keeps a conversation inside the window: `sanbot` is everything that SanBot does; `summary-only` is its compaction without
 * offloading; `sliding-window` drops the oldest exchanges in chunks; `truncate` drops as few as necessary, at every request; `none` does
 * nothing.
 */
export const policies = ['sanbot', 'sliding-window', 'truncate', 'summary-only', 'none'] as const;

export type Policy = (typeof policies)[number];

/** The windows and policies that a replay goes through. */
export type ReplayRange = { readonly windows: readonly number[]; readonly policies: readonly Policy[] };
