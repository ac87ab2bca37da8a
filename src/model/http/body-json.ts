/** Written together: a change among them, such as a mark of the cache that moves on, costs that many. */
const ITEMS_TOGETHER = 64;

/**
 * Returns a body as JSON, byte for byte what JSON.stringify makes of it. What stands in the list under `key` never changes, and most of a
 * request was in the one before: it is written anew only where it is not.
 */
export function bodyJson(body: Readonly<Record<string, unknown>>, key: string): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    const json = name === key && Array.isArray(value) ? listJson(value) : [JSON.stringify(value)];
    if (json[0] !== undefined) parts.push(parts.length === 0 ? '{' : ',', JSON.stringify(name), ':', ...json);
  }
  return parts.length === 0 ? '{}' : [...parts, '}'].join('');
}

type Written = { readonly items: readonly unknown[]; readonly json: string };

/** What was last written, by the first of its items. */
const written = new WeakMap<object, Written>();

function listJson(list: readonly unknown[]): readonly string[] {
  const parts: string[] = [];
  for (let from = 0; from < list.length; from += ITEMS_TOGETHER)
    parts.push(from === 0 ? '[' : ',', partJson(list.slice(from, from + ITEMS_TOGETHER)));
  return list.length === 0 ? ['[]'] : [...parts, ']'];
}

/** Without the brackets. */
function partJson(items: readonly unknown[]): string {
  const [first] = items;
  if (typeof first !== 'object' || first === null) return JSON.stringify(items).slice(1, -1);
  const last = written.get(first);
  if (last !== undefined && last.items.length === items.length && items.every((item, at) => item === last.items[at])) return last.json;
  const json = JSON.stringify(items).slice(1, -1);
  written.set(first, { items, json });
  return json;
}
