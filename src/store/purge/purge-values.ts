import type { BodyRef } from '../../domain/session/message.ts';
import { isObject, isString } from '../../domain/value/json.ts';
import { countMatches, type FindSecret, replaceMatches, type SecretPattern } from './secret-pattern.ts';

/** The hash of a text that contained the secret, after the purge. */
export type NewHash = Pick<BodyRef, 'sha256' | 'bytes'> & { readonly lines?: number | undefined };
/** By the old hash, and by its first half, as in the file name of a body. */
export type Hashes = ReadonlyMap<string, NewHash>;

export type Redaction = { readonly pattern: SecretPattern; readonly hashes: Hashes };

export const withHalves = (hashes: Hashes): Hashes =>
  new Map(
    [...hashes].flatMap(([old, hash]) => [
      [old, hash],
      [old.slice(0, 32), { ...hash, sha256: hash.sha256.slice(0, 32) }],
    ]),
  );

/** Removes the secret and replaces old hashes. */
const purgedText = (text: string, { pattern, hashes }: Redaction): string => replaceHashes(replaceMatches(text, pattern.inText), hashes);

export const replaceHashes = (text: string, hashes: Hashes): string =>
  hashes.size === 0 ? text : text.replace(/[0-9a-f]{32,64}/g, (hash) => hashes.get(hash)?.sha256 ?? hash);

/** Does the same in every string of a value, keys included. Sizes beside a hash become those of the new text. */
export function purgedValue(value: unknown, redaction: Redaction): unknown {
  if (isString(value)) return purgedText(value, redaction);
  if (Array.isArray(value)) return value.map((each) => purgedValue(each, redaction));
  if (!isObject(value)) return value;
  const isHashed = isString(value.sha256) || (isObject(value.ref) && isString(value.ref.sha256));
  const used = new Set<string>();
  const entries = Object.entries(value).map(([key, each]) => {
    // Hashes inside a hashed text stay as they are; otherwise its own hash would depend on theirs.
    const isOwnText = key === 'text' && isHashed && isString(each);
    const next = isOwnText ? replaceMatches(each, redaction.pattern.inText) : purgedValue(each, redaction);
    return [uniqueKey(purgedText(key, redaction), used), next] as const;
  });
  const newHash = isString(value.sha256) ? redaction.hashes.get(value.sha256) : undefined;
  return {
    ...Object.fromEntries(entries),
    ...(newHash !== undefined && 'bytes' in value && { bytes: newHash.bytes }),
    ...(newHash?.lines !== undefined && 'lines' in value && { lines: newHash.lines }),
  };
}

function uniqueKey(key: string, used: Set<string>): string {
  let candidate = key;
  for (let n = 2; used.has(candidate); n++) candidate = `${key}-${n}`;
  used.add(candidate);
  return candidate;
}

/** Returns how often the pattern matches in the strings of a value, keys included. */
export function countInValue(value: unknown, inText: FindSecret): number {
  if (isString(value)) return countMatches(value, inText);
  if (Array.isArray(value)) return value.reduce((sum: number, each: unknown) => sum + countInValue(each, inText), 0);
  if (!isObject(value)) return 0;
  return Object.entries(value).reduce((sum, [key, each]) => sum + countMatches(key, inText) + countInValue(each, inText), 0);
}

/** True when a type, role or origin of our own records equals the text: such a secret cannot be purged. */
export const breaksStructure = (value: unknown, text: string): boolean =>
  (Array.isArray(value) || isObject(value)) &&
  Object.entries(value).some(([key, each]) => (['type', 'role', 'origin'].includes(key) && each === text) || breaksStructure(each, text));
