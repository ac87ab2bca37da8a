import { matchesGlob } from '../../domain/value/glob.ts';

/** The names of a path's end; with `isFolder` they may stand anywhere in it. */
export type PathPattern = { readonly names: readonly string[]; readonly isFolder: boolean };

/**
 * Patterns from a text: names in small letters with slashes between them, `*` for any part of a name, `{a,b}` for one of several texts, a
 * slash at the end for a folder.
 */
export const pathPatterns = (text: string): readonly PathPattern[] =>
  text
    .trim()
    .split(/\s+/)
    .flatMap(expandBraces)
    .map((word) => ({ names: word.split('/').filter((name) => name !== ''), isFolder: word.endsWith('/') }));

function expandBraces(word: string): readonly string[] {
  const [, before = '', choices, after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(word) ?? [];
  return choices === undefined ? [word] : choices.split(',').flatMap((choice) => expandBraces(`${before}${choice}${after}`));
}

/** Returns the value of a pattern that the path matches. Takes the plain names of the path's parts. */
export type PathIndex<T> = (parts: readonly string[]) => T | undefined;

type Entry<T> = { readonly pattern: PathPattern; readonly value: T; readonly exactness: number };

/**
 * Takes patterns as texts. A path is compared with those only that begin and end as one of its parts does; of several that it matches the most
 * exact one counts, a folder on the way before the name itself.
 */
export function indexPatterns<T>(rows: readonly { readonly names: string; readonly value: T }[]): PathIndex<T> {
  const folders = new Map<string, Entry<T>[]>();
  const files = new Map<string, Entry<T>[]>();
  for (const { names, value } of rows) {
    for (const pattern of pathPatterns(names)) {
      const anchor = (pattern.isFolder ? pattern.names[0] : pattern.names.at(-1)) ?? '';
      const key = anchor.includes('*') ? ends(anchor) : anchor;
      const index = pattern.isFolder ? folders : files;
      index.set(key, [...(index.get(key) ?? []), { pattern, value, exactness: exactnessOf(pattern) }]);
    }
  }
  const find = (index: ReadonlyMap<string, readonly Entry<T>[]>, part: string, parts: readonly string[]): Entry<T> | undefined => {
    const [first, last] = ends(part);
    let best: Entry<T> | undefined;
    for (const key of [part, `${first}${last}`, `*${last}`, `${first}*`, '**'])
      for (const entry of index.get(key) ?? [])
        if ((best === undefined || entry.exactness > best.exactness) && matchesPath(entry.pattern, parts)) best = entry;
    return best;
  };
  return (parts) => {
    for (const part of new Set(parts)) {
      const found = find(folders, part, parts);
      if (found !== undefined) return found.value;
    }
    return find(files, parts.at(-1) ?? '', parts)?.value;
  };
}

/** How many characters of a path it says. */
const exactnessOf = ({ names }: PathPattern): number => names.join('/').replaceAll('*', '').length;

const ends = (name: string): string => `${name.charAt(0)}${name.charAt(name.length - 1)}`;

/** True for the path that is named, and for all below a folder that is. Takes the plain names of the path's parts. */
export function matchesPath({ names, isFolder }: PathPattern, parts: readonly string[]): boolean {
  const last = parts.length - names.length;
  for (let start = isFolder ? 0 : Math.max(0, last); start <= last; start++) {
    if (names.every((name, i) => matchesGlob(name, parts[start + i] ?? ''))) return true;
  }
  return false;
}

/** True for a path that the first names of a pattern stand for, which a link there would lead past. Takes the plain names of its parts. */
export const isOnTheWay = ({ names }: PathPattern, parts: readonly string[]): boolean =>
  names.some((_, i) => i + 1 < names.length && matchesPath({ names: names.slice(0, i + 1), isFolder: false }, parts));

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
