import { basename, dirname, join } from 'node:path';
import { entryExists } from '../files/disk.ts';
import { titleSlug } from '../memory/archive.ts';
import type { HomeFile } from './purge-files.ts';

const ARCHIVE = /[\\/]conversations[\\/][^\\/]+\.md$/;

/** A shorter text occurs in too many names. */
const MIN_CHARS = 4;

/**
 * Returns the parts of an archive's name before and after the secret as it is spelled in names, or its beginning where the title was cut
 * off. Undefined when the name does not contain it.
 */
export function archiveNameParts({ path }: HomeFile, text: string): { readonly before: string; readonly after: string } | undefined {
  if (!ARCHIVE.test(path)) return undefined;
  const name = basename(path, '.md');
  const titlePart = titleSlug(text);
  if (titlePart.length < MIN_CHARS) return undefined;
  const at = name.indexOf(titlePart);
  if (at >= 0) return { before: name.slice(0, at), after: name.slice(at + titlePart.length) };
  for (let length = titlePart.length - 1; length >= Math.max(8, titlePart.length / 2); length--) {
    const cut = new RegExp(`^(.*)${titlePart.slice(0, length)}(-\\d+)?$`, 'su').exec(name);
    if (cut !== null) return { before: cut[1] ?? '', after: cut[2] ?? '' };
  }
  return undefined;
}

/** Returns the new path of an archive whose name contains the secret; undefined for any other. */
export function renamedArchive(
  file: HomeFile,
  { text, taken }: { readonly text: string; readonly taken: ReadonlySet<string> },
): string | undefined {
  const parts = archiveNameParts(file, text);
  if (parts === undefined) return undefined;
  for (let n = 1; ; n++) {
    const to = join(dirname(file.path), `${parts.before}purged${parts.after}${n === 1 ? '' : `-${n}`}.md`);
    if (!taken.has(to) && !entryExists(to)) return to;
  }
}
