/** Smaller values make the first places count more; this one is usual. */
const RANK_OFFSET = 60;

/**
 * Puts lists of keys, each with the best first, into one by reciprocal rank: what stands high in several comes first. `worth` is 1 for what
 * is first in all of them. Each key counts once in a list.
 */
export function fuseRanks<Key>(lists: readonly (readonly Key[])[]): readonly { readonly key: Key; readonly worth: number }[] {
  const sums = new Map<Key, number>();
  for (const list of lists)
    for (const [rank, key] of [...new Set(list)].entries())
      sums.set(key, (sums.get(key) ?? 0) + (RANK_OFFSET + 1) / (RANK_OFFSET + 1 + rank));
  return [...sums].map(([key, sum]) => ({ key, worth: sum / lists.length })).sort((a, b) => b.worth - a.worth);
}
