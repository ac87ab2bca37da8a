import { lstatSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Disk, step, syncFolder } from '../files/disk.ts';
import { storeFailure } from '../files/failure.ts';
import { fileTitle } from '../memory/archive.ts';
import type { HomeFile } from './purge-files.ts';

const ARCHIVE = /[\\/]conversations[\\/][^\\/]+\.md$/;

/** What is shorter stands in too many names. */
const LEAST_CHARS = 4;

/** The parts of an archive's name around the leak as it would stand in one, or around its beginning where the title was cut. */
export function archiveNames({ path }: HomeFile, text: string): { readonly before: string; readonly after: string } | undefined {
  if (!ARCHIVE.test(path)) return undefined;
  const name = basename(path, '.md');
  const slug = fileTitle(text);
  if (slug.length < LEAST_CHARS) return undefined;
  const at = name.indexOf(slug);
  if (at >= 0) return { before: name.slice(0, at), after: name.slice(at + slug.length) };
  for (let length = slug.length - 1; length >= Math.max(8, slug.length / 2); length--) {
    const cut = new RegExp(`^(.*)${slug.slice(0, length)}(-\\d+)?$`, 'su').exec(name);
    if (cut !== null) return { before: cut[1] ?? '', after: cut[2] ?? '' };
  }
  return undefined;
}

/** Gives a conversation another name that does not hold the leak; one that does not hold it keeps its own. Throws store_failed. */
export function renameArchive(disk: Disk, file: HomeFile, text: string): void {
  const around = archiveNames(file, text);
  if (around === undefined) return;
  for (let n = 1; ; n++) {
    const to = join(dirname(file.path), `${around.before}purged${around.after}${n === 1 ? '' : `-${n}`}.md`);
    if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      step(disk, 'purge.rename');
      renameSync(file.path, to);
      syncFolder(disk, dirname(to), 'purge');
    } catch (error) {
      throw storeFailure(error, 'rename', file.path);
    }
    return;
  }
}
