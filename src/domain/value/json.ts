/**
 * Small functions over values and texts that know nothing of SanBot: JSON of unknown shape, patterns of names, secrets in a text, what
 * was computed of a value before, and what is undefined in place of a failure.
 * Whatever knows a word of SanBot's own has its place elsewhere in domain/.
 *
 * Anything comes in; an answer or undefined comes out. None of them throws, and none takes longer than its text is long: what they read
 * comes from models, files and networks.
 */

import { orUndefined } from './or-undefined.ts';

/** A JSON object whose fields are still unknown. */
export type Fields = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

export const isString = (value: unknown): value is string => typeof value === 'string';

/** True for a non-negative safe integer. */
export const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** Parses a JSON text; undefined when it is invalid, or longer than a string can be (512 MB). */
export const parseJson = (text: string | Buffer): unknown => orUndefined((): unknown => JSON.parse(text.toString()));

/** Returns the value at a path inside a value; undefined where there is none. */
export const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (part, key) => (typeof part === 'object' && part !== null ? Object.getOwnPropertyDescriptor(part, key)?.value : undefined),
    value,
  );
