import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { readAt } from './disk.ts';
import { errnoOf, storeDamage } from './failure.ts';

/**
 * Reads a text that a person may have written or linked, without its byte order mark; undefined when there is none. Of a longer text it
 * returns the first `maxBytes`, up to a whole character. Throws store_damaged when it cannot be read or is not a plain file.
 */
export function readText(path: string, maxBytes: number): string | undefined {
  const bytes = readBytes(path, maxBytes);
  // A character cut in two is dropped: in stream mode the decoder waits for its rest.
  return bytes === undefined ? undefined : new TextDecoder('utf-8').decode(bytes, { stream: bytes.length === maxBytes });
}

/** The same as raw bytes. */
export function readBytes(path: string, maxBytes: number): Buffer | undefined {
  let file: number;
  try {
    // NONBLOCK: a named pipe must not hang the program.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw storeDamage(error, path);
  }
  try {
    return readAt(file, 0, Math.min(statRegularFile(file).size, maxBytes));
  } catch (error) {
    throw storeDamage(error, path);
  } finally {
    closeSync(file);
  }
}

function statRegularFile(file: number): { readonly size: number } {
  const stats = fstatSync(file);
  if (stats.isFile()) return stats;
  throw new Error('it is not a plain file');
}
