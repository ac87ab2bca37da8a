import { orUndefined } from '../value/or-undefined.ts';

type Call = { readonly id: unknown; readonly name: unknown; readonly input: unknown };

/** Without calls that repeat an earlier one: the same name and arguments under the same id, or where one of the two has none. */
export function withoutRepeatedCalls<Item>(items: readonly Item[], callOf: (item: Item) => Call | undefined): readonly Item[] {
  const known = new Map<string, Set<unknown>>();
  const kept = items.filter((item) => {
    const call = callOf(item);
    const key = call && orUndefined(() => JSON.stringify([call.name, call.input]));
    if (call === undefined || key === undefined) return true;
    const id = typeof call.id === 'string' ? call.id : '';
    const ids = known.get(key) ?? new Set();
    known.set(key, ids);
    const isKnown = ids.size > 0 && (id === '' || ids.has(id) || ids.has(''));
    ids.add(id);
    return !isKnown;
  });
  return kept.length === items.length ? items : kept;
}
