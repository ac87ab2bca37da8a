/** The texts that hold the letters that were typed, in their order, the best match first. The one place that knows the library that ranks. */
export async function fuzzyFind(typed: string, texts: readonly string[], limit: number): Promise<readonly string[]> {
  const { go, snapshot } = await import('fuzzysort');
  let prepared = snapshots.get(texts);
  if (prepared === undefined) {
    prepared = snapshot(texts);
    snapshots.set(texts, prepared);
  }
  return go(typed, prepared, { limit }).map(({ target }) => target);
}

const snapshots = new WeakMap<readonly string[], import('fuzzysort').Snapshot>();
