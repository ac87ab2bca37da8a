import { fstatSync } from 'node:fs';
import { openToRead, readAt, useAndClose } from './disk.ts';
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
    const file = ifExists(() => openToRead(path, { followLinks: true }));
    return file === undefined ? undefined : useAndClose(file, () => readAt(file, 0, Math.min(fstatSync(file).size, maxBytes)));
  });
}
