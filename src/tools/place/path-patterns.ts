import { matchesGlob } from '../../domain/value/glob.ts';

/** The names of a path's end; with `isFolder` they may stand anywhere in it. */
export type PathPattern = { readonly names: readonly string[]; readonly isFolder: boolean };

/** Patterns from a text: names in small letters with slashes between them, `*` for any part of a name, a slash at the end for a folder. */
export const pathPatterns = (text: string): readonly PathPattern[] =>
  text
    .trim()
    .split(/\s+/)
    .map((word) => ({ names: word.split('/').filter((name) => name !== ''), isFolder: word.endsWith('/') }));

/** True for the path that is named, and for all below a folder that is. Takes the plain names of the path's parts. */
export function matchesPath({ names, isFolder }: PathPattern, parts: readonly string[]): boolean {
  const last = parts.length - names.length;
  for (let start = isFolder ? 0 : Math.max(0, last); start <= last; start++) {
    if (names.every((name, i) => matchesGlob(name, parts[start + i] ?? ''))) return true;
  }
  return false;
}

/** Returns a name as file systems see it that ignore case, Unicode forms, characters without a look, and dots and blanks at the end. */
export const plainName = (part: string): string =>
  part
    .normalize('NFC')
    .replace(UNSEEN, '')
    // By way of the capitals, letters such as ſ become the plain ones that they fold to.
    .toUpperCase()
    .toLowerCase()
    .normalize('NFC')
    .replace(STREAM, '')
    .replace(/[. ]{1,255}$/, '');

const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;
/** On NTFS, what follows a colon names a part of the same file. */
const STREAM = /(?<=.):.*$/s;
