export const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

export function distinctBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = keyOf(item);
    return !seen.has(key) && seen.add(key);
  });
}

/** The items by their keys, which are in the order of their first items. */
export function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

export const firstOf = (items: readonly string[], most: number): string =>
  [...items.slice(0, most), ...(items.length > most ? ['…'] : [])].join(', ');

type Order = (items: readonly string[]) => readonly number[];

export const inOrder: Order = (items) => items.map((_, at) => at);
export const newestFirst: Order = (items) => items.map((_, at) => items.length - 1 - at);

/** Returns the items that fit into `chars`: chosen in the sequence that `order` returns, kept in list order. */
export function limitList<T>(list: readonly T[], chars: number, order: Order): T[] {
  const texts = list.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
  let remainingChars = chars;
  const kept = new Set<number>();
  for (const at of order(texts)) {
    const size = texts[at]?.length ?? 0;
    if (size > remainingChars) continue;
    remainingChars -= size;
    kept.add(at);
  }
  return kept.size === list.length ? [...list] : list.filter((_, at) => kept.has(at));
}

/** The lowest whole number from `low` for which something is true that is true from there on; `high` where there is none below it. */
export function lowest(low: number, high: number, isTrue: (n: number) => boolean): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (isTrue(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
