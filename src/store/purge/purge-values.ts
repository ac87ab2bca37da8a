import type { BodyRef } from '../../domain/session/message.ts';
import { isObject, isString } from '../../domain/value/json.ts';
import { countMatches, type FindSecret, replaceMatches, type SecretPattern } from './secret-pattern.ts';

/** The hash of a text that contained the secret, after the purge. */
export type NewHash = Pick<BodyRef, 'sha256' | 'bytes'> & { readonly lines?: number | undefined };
export type Hashes = ReadonlyMap<string, NewHash>;

export type Redaction = { readonly pattern: SecretPattern; readonly hashes: Hashes };

/** Removes the secret and replaces old hashes, including those shortened as in the file name of a body. */
const purgedText = (text: string, { pattern, hashes }: Redaction): string => replaceHashes(replaceMatches(text, pattern.inText), hashes);

const HASH = /[0-9a-f]{32,64}/g;

export function replaceHashes(text: string, hashes: Hashes): string {
  if (hashes.size === 0) return text;
  const short = new Map([...hashes].map(([old, { sha256 }]) => [old.slice(0, 32), sha256.slice(0, 32)]));
  return text.replace(HASH, (match) => {
    const newPrefix = short.get(match.slice(0, 32));
    if (newPrefix === undefined) return match;
    if (match.length === 64) return hashes.get(match)?.sha256 ?? match;
    return match.length === 32 ? newPrefix : match;
  });
}

/** Does the same in every string of a value, keys included. Sizes beside a hash become those of the new text. */
export function purgedValue(value: unknown, redaction: Redaction): unknown {
  if (isString(value)) return purgedText(value, redaction);
  if (Array.isArray(value)) return value.map((each) => purgedValue(each, redaction));
  if (!isObject(value)) return value;
  const isHashed = isString(value.sha256) || (isObject(value.ref) && isString(value.ref.sha256));
  const used = new Set<string>();
  const entries = Object.entries(value).map(([key, each]) => {
    // Hashes inside a hashed text stay as they are; otherwise its own hash would depend on theirs.
    const next =
      key === 'text' && isHashed && isString(each) ? replaceMatches(each, redaction.pattern.inText) : purgedValue(each, redaction);
    return [uniqueKey(purgedText(key, redaction), used), next] as const;
  });
  const newHash = isString(value.sha256) ? redaction.hashes.get(value.sha256) : undefined;
  const result = Object.fromEntries(entries);
  if (newHash === undefined) return result;
  return {
    ...result,
    ...('bytes' in value && { bytes: newHash.bytes }),
    ...('lines' in value && newHash.lines !== undefined && { lines: newHash.lines }),
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
export function breaksStructure(value: unknown, text: string): boolean {
  if (Array.isArray(value)) return value.some((each) => breaksStructure(each, text));
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([key, each]) => (['type', 'role', 'origin'].includes(key) && each === text) || breaksStructure(each, text),
  );
}
