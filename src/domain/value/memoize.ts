/** Computes the value of each object once, for as long as the object lives. */
export const memoizeByObject = <Key extends object, Value>(compute: (key: Key) => Value): ((key: Key) => Value) =>
  memoizeIn(new WeakMap<Key, Value>(), compute);

/** Computes the value of each name once. For names of which there are few: nothing is forgotten. */
export const memoizeByName = <Value>(compute: (name: string) => Value): ((name: string) => Value) =>
  memoizeIn(new Map<string, Value>(), compute);

type Cache<Key, Value> = { readonly get: (key: Key) => Value | undefined; readonly set: (key: Key, value: Value) => unknown };

function memoizeIn<Key, Value>(cache: Cache<Key, Value>, compute: (key: Key) => Value): (key: Key) => Value {
  return (key) => {
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const value = compute(key);
    cache.set(key, value);
    return value;
  };
}

/** Of which texts the values are kept: of these lengths, and of those that came last so many characters at least. */
export type KeptTexts = { readonly minChars: number; readonly maxChars: number; readonly keptChars: number };

/** Computes the value of a text anew only when it has not come for long, or is not among those that are kept. */
export function memoizeRecent<Value>(
  compute: (text: string) => Value,
  { minChars, maxChars, keptChars }: KeptTexts,
): (text: string) => Value {
  let recent = new Map<string, Value>();
  let before = recent;
  let chars = 0;
  return (text) => {
    if (text.length < minChars || text.length > maxChars) return compute(text);
    const known = recent.get(text) ?? before.get(text);
    if (known !== undefined) return known;
    if (chars > keptChars) {
      before = recent;
      recent = new Map();
      chars = 0;
    }
    const value = compute(text);
    recent.set(text, value);
    chars += text.length;
    return value;
  };
}

/** What was computed of an earlier list, and how many items it has in common with the present one, from the first on. */
export type Earlier<Item, Value> = { readonly list: readonly Item[]; readonly value: Value; readonly shared: number };

/** For lists that mostly grow: `compute` gets what it made of the last list with the same first item; the result must be the same. */
export function memoizeGrowing<Item extends object, Value>(
  compute: (list: readonly Item[], earlier: Earlier<Item, Value> | undefined) => Value,
): (list: readonly Item[]) => Value {
  const cache = new WeakMap<Item, { readonly list: readonly Item[]; readonly value: Value }>();
  return (list) => {
    const [first] = list;
    if (first === undefined) return compute(list, undefined);
    const last = cache.get(first);
    if (last?.list === list) return last.value;
    const value = compute(list, last === undefined ? undefined : { ...last, shared: sharedStart(last.list, list) });
    cache.set(first, { list, value });
    return value;
  };
}

/** Like findLastIndex, for lists that mostly grow: what was looked at before is not looked at again. */
export function findLastGrowing<Item extends object>(matches: (item: Item) => boolean): (list: readonly Item[]) => number {
  return memoizeGrowing((list: readonly Item[], earlier: Earlier<Item, number> | undefined): number => {
    if (earlier === undefined || earlier.value >= earlier.shared) return list.findLastIndex(matches);
    const added = list.slice(earlier.shared).findLastIndex(matches);
    return added === -1 ? earlier.value : earlier.shared + added;
  });
}

/** Like flatMap, for lists that mostly grow and whose items never change: what an item became in an earlier list is taken from there. */
export function flatMapGrowing<Item extends object, Out>(map: (item: Item) => readonly Out[]): (list: readonly Item[]) => readonly Out[] {
  type Mapped = { readonly out: readonly Out[]; readonly ends: readonly number[] };
  const mapped = memoizeGrowing((list: readonly Item[], earlier: Earlier<Item, Mapped> | undefined): Mapped => {
    const ends = earlier?.value.ends.slice(0, earlier.shared) ?? [];
    const kept = ends.at(-1) ?? 0;
    const out = earlier === undefined ? [] : grownFrom(earlier.value.out, kept, earlier.value.out.slice(0, kept));
    for (const item of list.slice(ends.length)) {
      for (const each of map(item)) out.push(each);
      ends.push(out.length);
    }
    return { out, ends };
  });
  return (list) => mapped(list).out;
}

/** Where a list came from: an earlier one, of which it has the first `shared` items. */
const parents = new WeakMap<readonly unknown[], { readonly list: readonly unknown[]; readonly shared: number }>();

/** Says that a new list begins with `shared` items of another, so that nobody has to compare them. Returns the new list. */
export function grownFrom<List extends readonly unknown[]>(parent: readonly unknown[], shared: number, list: List): List {
  // Of each conversation one earlier list is kept alive, and not all of them.
  parents.delete(parent);
  parents.set(list, { list: parent, shared });
  return list;
}

/** How many items two lists have in common, from the first on; at least those that are known to be, and all where they are compared. */
export function sharedStart<Item>(a: readonly Item[], b: readonly Item[]): number {
  const parent = parents.get(b);
  if (parent?.list === a) return parent.shared;
  const max = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < max && a[shared] === b[shared]) shared++;
  return shared;
}
