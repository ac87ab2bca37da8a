import type { BodyParts } from '../../net/send.ts';

/** Written together: a change among them, such as a mark of the cache that moves on, costs that many. */
const ITEMS_TOGETHER = 16;

/**
 * Returns a body as JSON in UTF-8, in parts that together are byte for byte what JSON.stringify makes of it. What stands in the list under
 * `key` never changes, and most of a request was in the one before: it is written anew only where it is not, and joined nowhere.
 */
export function bodyJson(body: Readonly<Record<string, unknown>>, key: string): BodyParts {
  const parts: Buffer<ArrayBuffer>[] = [];
  for (const [name, value] of Object.entries(body)) {
    const json = name === key && Array.isArray(value) ? listJson(value) : valueJson(value);
    if (json.length > 0) parts.push(bytesOf(`${parts.length === 0 ? '{' : ','}${JSON.stringify(name)}:`), ...json);
  }
  return parts.length === 0 ? [bytesOf('{}')] : [...parts, bytesOf('}')];
}

const bytesOf = (text: string): Buffer<ArrayBuffer> => Buffer.from(text);

/** Nothing for a value that JSON leaves out. */
function valueJson(value: unknown): BodyParts {
  const json = JSON.stringify(value);
  return json === undefined ? [] : [bytesOf(json)];
}

type Written = { readonly items: readonly unknown[]; readonly json: Buffer<ArrayBuffer> };

/** What was last written, by the first of its items. */
const written = new WeakMap<object, Written>();

function listJson(list: readonly unknown[]): BodyParts {
  const parts: Buffer<ArrayBuffer>[] = [];
  for (let from = 0; from < list.length; from += ITEMS_TOGETHER)
    parts.push(bytesOf(from === 0 ? '[' : ','), partJson(list.slice(from, from + ITEMS_TOGETHER)));
  return list.length === 0 ? [bytesOf('[]')] : [...parts, bytesOf(']')];
}

/** Without the brackets. */
function partJson(items: readonly unknown[]): Buffer<ArrayBuffer> {
  const [first] = items;
  if (typeof first !== 'object' || first === null) return itemsJson(items);
  const last = written.get(first);
  if (last !== undefined && last.items.length === items.length && items.every((item, at) => item === last.items[at])) return last.json;
  const json = itemsJson(items);
  written.set(first, { items, json });
  return json;
}

const itemsJson = (items: readonly unknown[]): Buffer<ArrayBuffer> => bytesOf(JSON.stringify(items)).subarray(1, -1);
