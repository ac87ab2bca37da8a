import { closeSync, constants, openSync, readSync } from 'node:fs';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { OVERLAP_CHARS, redactPart } from '../../domain/value/redact.ts';

/** What every line of a private key but its last has. */
const LOOKS_LIKE_KEY = /[A-Za-z0-9+/]{16}/;

/**
 * The lines of a match as they may be shown where they lie in a private key, whose beginning and end are lines of their own; undefined where
 * they do not. Offsets are in bytes, so what is around them is read as such.
 */
export function maskedKeyLines(path: string, { bytes, offset }: { readonly bytes: Buffer; readonly offset: number }): string | undefined {
  if (!LOOKS_LIKE_KEY.test(bytes.toString('latin1'))) return undefined;
  const start = Math.max(0, offset - OVERLAP_CHARS);
  const around = orUndefined(() => readPart(path, start, offset - start + bytes.length + OVERLAP_CHARS));
  if (around === undefined || !around.includes('PRIVATE KEY')) return undefined;
  const shown = redactPart(around, offset - start, offset - start + bytes.length);
  return shown.includes('[redacted private key]') ? Buffer.from(shown, 'latin1').toString('utf8').trimEnd() : undefined;
}

function readPart(path: string, start: number, length: number): string {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const buffer = Buffer.alloc(length);
    return buffer.toString('latin1', 0, readSync(file, buffer, 0, length, start));
  } finally {
    closeSync(file);
  }
}
