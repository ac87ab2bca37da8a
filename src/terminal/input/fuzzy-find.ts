/** The texts that hold the letters that were typed, in their order, the best match first. The one place that knows the library that ranks. */
export const fuzzyFind: AsyncFind = async (...query) => (await loadFuzzyFind())(...query);

type Find = (typed: string, texts: readonly string[], limit: number) => readonly string[];
type AsyncFind = (...query: Parameters<Find>) => Promise<readonly string[]>;

/** The same for a list that Enter chooses from: what it shows has to be that of the last key. */
export async function loadFuzzyFind(): Promise<Find> {
  const { go, snapshot } = await import('fuzzysort');
  return (typed, texts, limit) => {
    let prepared = snapshots.get(texts);
    if (prepared === undefined) {
      prepared = snapshot(texts);
      snapshots.set(texts, prepared);
    }
    return go(typed, prepared, { limit, threshold: 0 }).map(({ target }) => target);
  };
}

const snapshots = new WeakMap<readonly string[], import('fuzzysort').Snapshot>();
