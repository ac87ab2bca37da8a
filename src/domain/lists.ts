/** Returns the texts once each, in the order of their first places. */
export const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

/** Returns the items whose key no earlier item has. */
export function distinctBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = keyOf(item);
    return !seen.has(key) && seen.add(key);
  });
}
