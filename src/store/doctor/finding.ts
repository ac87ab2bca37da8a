import type { Bilingual } from '../../domain/language.ts';

const findingKinds = [
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

/** What a kill leaves and the next process takes care of by itself. */
export const isHarmless = ({ kind }: { readonly kind: string }): boolean => kind === 'stale_lock';

/** One problem in the home. */
export type Finding = {
  readonly kind: FindingKind;
  /** Absolute. */
  readonly path: string;
  /** Undefined when it belongs to no session. */
  readonly sessionId: string | undefined;
  readonly what: Bilingual;
  /** What a repair would do, as "writes it anew"; undefined when it can do nothing. */
  readonly remedy: Bilingual | undefined;
};

/** One whose session is not said yet. */
export type PartialFinding = Omit<Finding, 'sessionId'>;

export const finding = (kind: FindingKind, path: string, what: Bilingual, remedy?: Bilingual): PartialFinding => ({
  kind,
  path,
  what,
  remedy,
});

/** The outcome of one repair, in one line; `failed` when it did not succeed. */
export type RepairResult = { readonly path: string; readonly did: Bilingual; readonly failed?: true };

/** In English, for programs. */
export const findingJson = ({ what, remedy, ...finding }: Finding) => ({ ...finding, what: what.en, remedy: remedy?.en });
export const repairJson = ({ path, did, failed }: RepairResult) => ({ path, did: did.en, ...(failed && { failed }) });
