import { join } from 'node:path';
import type { Archive } from '../../agent/ports/disk.ts';
import { createFile } from '../files/atomic-write.ts';
import { type Disk, ensureFolder, entryExists } from '../files/disk.ts';
import type { StorePaths } from '../files/paths.ts';

/** The readable transcripts of one group, in files {date}-{title}.md; dates and times are in UTC. */
export function createArchive(disk: Disk, paths: StorePaths, group: string): Archive {
  return {
    write: ({ title, markdown }) => {
      const folder = paths.conversations(group);
      ensureFolder(disk, folder);
      const now = disk.now().toISOString();
      const name = `${now.slice(0, 10)}-${titleSlug(title) || `conversation-${now.slice(11, 13)}${now.slice(14, 16)}`}`;
      const bytes = Buffer.from(markdown.toWellFormed(), 'utf8');
      for (let count = 1; ; count++) {
        const path = join(folder, count === 1 ? `${name}.md` : `${name}-${count}.md`);
        if (!entryExists(path) && createFile(disk, path, bytes, 'archive')) return path;
      }
    },
  };
}

const MAX_SLUG_CHARS = 50;
/** File names are limited to 255 bytes on most systems; fifty letters of some scripts alone come close. */
const MAX_SLUG_BYTES = 150;

/** Turns a title into a part of a file name that every system accepts: letters and digits of any script, and hyphens. May be empty. */
export function titleSlug(title: string): string {
  const words = title
    .slice(0, 1000)
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-/, '');
  let slug = '';
  for (const char of [...words].slice(0, MAX_SLUG_CHARS)) {
    if (Buffer.byteLength(slug + char) > MAX_SLUG_BYTES) break;
    slug += char;
  }
  return slug.replace(/-$/, '');
}
