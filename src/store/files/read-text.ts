import { fstatSync } from 'node:fs';
import { errorReason } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import { errnoOf, errnoReason } from '../../domain/value/errno.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { decodeLoosely, isValidText } from '../../domain/value/text-bytes.ts';
import { entryExists, openToRead, readAt, useAndClose } from './disk.ts';
import { ifExists, orStoreDamage } from './failure.ts';

/** Reads at most `maxBytes` of a text that a person may have linked, in UTF-8 or in UTF-16 with a mark, without its mark; undefined for none. Throws store_damaged. `onGarbled` hears that something in it is no text. */
export function readText(path: string, maxBytes: number, onGarbled?: () => void): string | undefined {
  const bytes = readBytes(path, maxBytes);
  if (bytes === undefined) return undefined;
  const how = { isCut: bytes.length === maxBytes };
  if (onGarbled !== undefined && !isValidText(bytes, how)) onGarbled();
  return decodeLoosely(bytes, how);
}

/** What a person brings. */
type Brought = { readonly text: string; readonly isGarbled: boolean; readonly isCut: boolean };

/** The same of a file that a person brings, with whether something in it is no text and whether there is more; or why it cannot be read. Never throws. */
export function readBrought(path: string, maxBytes: number): Brought | Bilingual {
  try {
    const bytes = useAndClose(openToRead(path, { followLinks: true }), (file) => firstBytes(file, maxBytes + 1));
    const how = { isCut: bytes.length > maxBytes };
    return { text: decodeLoosely(bytes, how), isGarbled: !isValidText(bytes, how), ...how };
  } catch (error) {
    return whyUnread(error, path);
  }
}

/** Why a file that a person brings cannot be opened. */
export function whyUnread(error: unknown, path: string): Bilingual {
  const isLink = errnoOf(error) === 'ENOENT' && orUndefined(() => entryExists(path)) === true;
  return isLink ? { en: 'it is a link to nothing', zh: '它是失效的链接' } : (errnoReason(error) ?? errorReason(error));
}

const firstBytes = (file: number, maxBytes: number): Buffer => readAt(file, 0, Math.min(fstatSync(file).size, maxBytes));

/** The same as raw bytes. */
export function readBytes(path: string, maxBytes: number): Buffer | undefined {
  return orStoreDamage(path, () => {
    const file = ifExists(() => openToRead(path, { followLinks: true }));
    return file === undefined ? undefined : useAndClose(file, () => firstBytes(file, maxBytes));
  });
}
