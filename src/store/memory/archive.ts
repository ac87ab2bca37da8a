import { join } from 'node:path';
import type { Archive } from '../../agent/ports/disk.ts';
import { errorReason } from '../../domain/errors.ts';
import { because } from '../../domain/language.ts';
import { isObject, isString, parseJson } from '../../domain/value/json.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { createFile, writeFileAtomic } from '../files/atomic-write.ts';
import { type Disk, ensureFolder, entryExists } from '../files/disk.ts';
import { namesIn, type StorePaths } from '../files/paths.ts';
import { readText } from '../files/read-text.ts';

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
        if (entryExists(path) || !createFile(disk, path, bytes, 'archive')) continue;
        listPages(disk, folder);
        return path;
      }
    },
  };
}

export const PAGE_LIST = 'sessions-index.json';

type ListedPage = { readonly id: string; readonly title: string; readonly page: string } & Readonly<Record<string, unknown>>;

/** Brings the list of the pages up to date with the folder. It is made of their heads; a failure is told, and the next page tries again. */
export function listPages(disk: Disk, folder: string): void {
  const path = join(folder, PAGE_LIST);
  try {
    const listed = parseJson(orUndefined(() => readText(path, MAX_LIST_BYTES)) ?? '');
    const known = isObject(listed) && Array.isArray(listed.pages) ? listed.pages.filter(isListed) : [];
    const byPage = new Map(known.map((entry) => [entry.page, entry]));
    const names = namesIn(folder).filter((name) => name.endsWith('.md'));
    const pages = names.sort().flatMap((page) => byPage.get(page) ?? headOf(folder, page) ?? []);
    writeFileAtomic(disk, path, Buffer.from(`${JSON.stringify({ pages }, null, 2)}\n`, 'utf8'), { point: 'page-list' });
  } catch (error) {
    disk.warn(because({ en: 'The list of archived pages was not written', zh: '未写入存档页面的列表' }, errorReason(error)));
  }
}

const isListed = (entry: unknown): entry is ListedPage => isObject(entry) && isString(entry.page) && isString(entry.id);

function headOf(folder: string, page: string): ListedPage | undefined {
  const head = orUndefined(() => readText(join(folder, page), HEAD_BYTES)) ?? '';
  const field = (name: string): string | undefined => new RegExp(`^- ${name}: (.+)$`, 'm').exec(head)?.[1];
  const [id, at] = [field('Session'), field('Date')];
  const title = /^# (.*)$/m.exec(head)?.[1] ?? '';
  const times = { firstAt: field('First') ?? at, lastAt: field('Last') ?? at };
  return id === undefined ? undefined : { id, title, ...times, messages: Number(field('Messages')), page };
}

const MAX_LIST_BYTES = 64 * 1024 * 1024;
const HEAD_BYTES = 2_000;

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
