import { fstatSync } from 'node:fs';
import { decodeLoosely, isValidText } from '../../domain/value/text-bytes.ts';
import { openToRead, readAt, useAndClose } from './disk.ts';
import { ifExists, orStoreDamage } from './failure.ts';

/** Reads at most `maxBytes` of a text that a person may have linked, in UTF-8 or in UTF-16 with a mark, without its mark; undefined for none. Throws store_damaged. `onGarbled` hears that something in it is no text. */
export function readText(path: string, maxBytes: number, onGarbled?: () => void): string | undefined {
  const bytes = readBytes(path, maxBytes);
  if (bytes === undefined) return undefined;
  const how = { isCut: bytes.length === maxBytes };
  if (onGarbled !== undefined && !isValidText(bytes, how)) onGarbled();
  return decodeLoosely(bytes, how);
}

/** The same as raw bytes. */
export function readBytes(path: string, maxBytes: number): Buffer | undefined {
  return orStoreDamage(path, () => {
    const file = ifExists(() => openToRead(path, { followLinks: true }));
    return file === undefined ? undefined : useAndClose(file, () => readAt(file, 0, Math.min(fstatSync(file).size, maxBytes)));
  });
}
