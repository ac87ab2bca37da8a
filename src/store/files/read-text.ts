import { constants, fstatSync, openSync } from 'node:fs';
import { ReasonError } from '../../domain/errors.ts';
import { readAt, useAndClose } from './disk.ts';
import { ifExists, orStoreDamage } from './failure.ts';

/** Reads at most `maxBytes` of a text that a person may have linked, without byte order mark; undefined for none. Throws store_damaged. */
export function readText(path: string, maxBytes: number): string | undefined {
  const bytes = readBytes(path, maxBytes);
  // A character cut in two is dropped: in stream mode the decoder waits for its rest.
  return bytes === undefined ? undefined : new TextDecoder('utf-8').decode(bytes, { stream: bytes.length === maxBytes });
}

/** The same as raw bytes. */
export function readBytes(path: string, maxBytes: number): Buffer | undefined {
  return orStoreDamage(path, () => {
    // NONBLOCK: a named pipe must not hang the program.
    const file = ifExists(() => openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)));
    return file === undefined ? undefined : useAndClose(file, () => readAt(file, 0, Math.min(statRegularFile(file).size, maxBytes)));
  });
}

function statRegularFile(file: number): { readonly size: number } {
  const stats = fstatSync(file);
  if (stats.isFile()) return stats;
  throw new ReasonError({ en: 'it is not a plain file', zh: '它不是普通文件' });
}
