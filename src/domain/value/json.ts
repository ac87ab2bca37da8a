/**
 * Small functions over values and texts that know nothing of SanBot: JSON of unknown shape, patterns of names, secrets in a text, what
 * was computed of a value before, and what is undefined in place of a failure.
 * Whatever knows a word of SanBot's own has its place elsewhere in domain/.
 *
 * Anything comes in; an answer or undefined comes out. None of them throws, and none takes longer than its text is long: what they read
 * comes from models, files and networks.
 */

import { orUndefined } from './or-undefined.ts';

export type Fields = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

export const isString = (value: unknown): value is string => typeof value === 'string';

export const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** Parses a JSON text; undefined when it is invalid, or longer than a string can be (512 MB). */
export const parseJson = (text: string | Buffer): unknown => orUndefined((): unknown => JSON.parse(text.toString()));

/** True for a value with more objects and lists within each other than that. Walking down some thousand ends every function that does it. */
export const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' && value !== null && (levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1)));

export const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (part, key) => (typeof part === 'object' && part !== null ? Object.getOwnPropertyDescriptor(part, key)?.value : undefined),
    value,
  );

const PROTO = '__proto__';
const MAX_LEVELS = 100;

/** Where a key __proto__ stands, which the libraries that check values pass over; undefined for none in so many levels. */
export function pathToProto(value: unknown, levels = MAX_LEVELS): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null || levels === 0) return undefined;
  for (const [key, item] of Object.entries(value)) {
    if (key === PROTO) return [key];
    const below = pathToProto(item, levels - 1);
    if (below !== undefined) return [key, ...below];
  }
  return undefined;
}

/** Returns the value with every text in it replaced, those within objects and lists too; the value itself where none changes. */
export function mapStrings<Value>(value: Value, replace: (text: string) => string, replaceKey?: (key: string) => string): Value;
export function mapStrings(value: unknown, replace: (text: string) => string, replaceKey = (key: string): string => key): unknown {
  if (typeof value === 'string') return replace(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => mapStrings(item, replace, replaceKey));
    return items.every((item, at) => Object.is(item, value[at])) ? value : items;
  }
  const entries = Object.entries(value);
  const mapped = entries.map(([key, item]) => [replaceKey(key), mapStrings(item, replace, replaceKey)] as const);
  return mapped.every(([key, item], at) => key === entries[at]?.[0] && Object.is(item, entries[at]?.[1]))
    ? value
    : Object.fromEntries(mapped);
}
