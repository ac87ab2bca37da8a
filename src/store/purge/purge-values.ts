import type { BodyRef } from '../../domain/session/message.ts';
import { isObject, isString } from '../files/shape.ts';
import { countIn, type Leak, PURGED } from './leak.ts';

/** What becomes of the hash of a text that holds the leak. */
export type NewHash = Pick<BodyRef, 'sha256' | 'bytes'> & { readonly lines?: number | undefined };
export type Hashes = ReadonlyMap<string, NewHash>;

export type Purge = { readonly leak: Leak; readonly hashes: Hashes };

/** Without the leak, and with the new hashes, also shortened as in the name of a body's file. */
export const purgedText = (text: string, { leak, hashes }: Purge): string => withHashes(text.replace(leak.inText, PURGED), hashes);

const HASH = /[0-9a-f]{32,64}/g;

export function withHashes(text: string, hashes: Hashes): string {
  if (hashes.size === 0) return text;
  const short = new Map([...hashes].map(([old, { sha256 }]) => [old.slice(0, 32), sha256.slice(0, 32)]));
  return text.replace(HASH, (found) => {
    const head = short.get(found.slice(0, 32));
    if (head === undefined) return found;
    if (found.length === 64) return hashes.get(found)?.sha256 ?? found;
    return found.length === 32 ? head : found;
  });
}

/** The same in every string of a value, keys too; what says how large a hashed text is says it of the new one. */
export function purgedValue(value: unknown, purge: Purge): unknown {
  if (isString(value)) return purgedText(value, purge);
  if (Array.isArray(value)) return value.map((each) => purgedValue(each, purge));
  if (!isObject(value)) return value;
  const isHashed = isString(value.sha256) || (isObject(value.ref) && isString(value.ref.sha256));
  const used = new Set<string>();
  const entries = Object.entries(value).map(([key, each]) => {
    // A hashed text keeps what it says of other hashes, or its own would depend on theirs.
    const next = key === 'text' && isHashed && isString(each) ? each.replace(purge.leak.inText, PURGED) : purgedValue(each, purge);
    return [freeKey(purgedText(key, purge), used), next] as const;
  });
  const renewed = isString(value.sha256) ? purge.hashes.get(value.sha256) : undefined;
  const made = Object.fromEntries(entries);
  if (renewed === undefined) return made;
  return {
    ...made,
    ...('bytes' in value && { bytes: renewed.bytes }),
    ...('lines' in value && renewed.lines !== undefined && { lines: renewed.lines }),
  };
}

function freeKey(key: string, used: Set<string>): string {
  let free = key;
  for (let n = 2; used.has(free); n++) free = `${key}-${n}`;
  used.add(free);
  return free;
}

/** How often it stands in the strings of a value, keys too. */
export function countInValue(value: unknown, inText: RegExp): number {
  if (isString(value)) return countIn(value, inText);
  if (Array.isArray(value)) return value.reduce((sum: number, each: unknown) => sum + countInValue(each, inText), 0);
  if (!isObject(value)) return 0;
  return Object.entries(value).reduce((sum, [key, each]) => sum + countIn(key, inText) + countInValue(each, inText), 0);
}

/** Words by which our own records are told apart: a leak that is one of them cannot be purged. */
export function breaksStructure(value: unknown, text: string): boolean {
  if (Array.isArray(value)) return value.some((each) => breaksStructure(each, text));
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([key, each]) => (['type', 'role', 'origin'].includes(key) && each === text) || breaksStructure(each, text),
  );
}
