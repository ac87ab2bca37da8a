/** What the provider found when it compared the start of a request with the one before, in its words; `nothing`: it only grew. */
export type PrefixCheck = {
  readonly changed: 'nothing' | 'model' | 'system' | 'tools' | 'messages';
  /** What would otherwise have been read from the cache, about. */
  readonly missedTokens: number;
};

/** `planned`: after a compaction, after results went to files or were pruned, after a rollback, or with another model. */
export type Miss = Omit<PrefixCheck, 'changed'> & { readonly changed: string; readonly planned: boolean };

/** One entry for each kind of change, planned ones apart. */
export function addMiss(all: readonly Miss[], { changed, missedTokens, planned }: Miss): readonly Miss[] {
  if (changed === 'nothing' || missedTokens === 0) return all;
  const same = all.find((one) => one.changed === changed && one.planned === planned);
  const sum = { changed, planned, missedTokens: missedTokens + (same?.missedTokens ?? 0) };
  return [...all.filter((one) => one !== same), sum];
}
