import { fstatSync, lstatSync, readdirSync, unlinkSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { inflateSync } from 'node:zlib';
import { isObject, isString } from '../../domain/value/json.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { isBaseName } from '../changes/change-lines.ts';
import { keptFolders } from '../changes/git/object-links.ts';
import { type Disk, fsyncFolder, readAt, readOwnFile, withFile } from '../files/disk.ts';
import { isId, namesIn, type StorePaths } from '../files/paths.ts';
import { encodeLine, encodePage, encodeRecord, isSealed, readPage, readRecord } from '../files/record-line.ts';
import { completeLines } from '../files/rewrite-lines.ts';
import { PAGE_LIST, titleSlug } from '../memory/archive.ts';
import { prefixInName, readBodyFile } from '../session/bodies/body-text.ts';
import { contentName, contentsIn, isOfRepository, purgedChanges } from './purge-changes.ts';
import {
  countInValue,
  countMatches,
  hasMatch,
  purgedValue,
  type Redaction,
  replaceHashes,
  replaceMatches,
  type SecretPattern,
} from './secret-pattern.ts';

/**
 * `lines`: one JSON text per line; `json`: a single JSON text; `body`: an offloaded result or image; `contents`: files as they were before
 * commands changed them; `changes`: lines that tell of those; `text`: anything else.
 */
export type HomeFile = {
  readonly path: string;
  readonly name: string;
  readonly kind: 'lines' | 'json' | 'body' | 'contents' | 'changes' | 'text';
};

export const isBody = ({ kind }: HomeFile): boolean => kind === 'body';

/** Not the locks, the index, the lists of pages, the journal, the settings, which are the user's, nor objects of a repository under second names. */
export function homeFiles(paths: StorePaths): readonly HomeFile[] {
  const excluded = new Set([
    paths.config,
    paths.purgeJournal,
    ...['', '-wal', '-shm', '-journal'].map((end) => `${paths.searchIndex}${end}`),
  ]);
  return filesBelow(paths.home, isOfRepository)
    .filter((path) => !excluded.has(path) && basename(path) !== PAGE_LIST && (isOfCommands(path) || !path.endsWith(`${sep}lock`)))
    .map((path) => ({ path, name: relative(paths.home, path), kind: kindOf(path, paths) }));
}

const isOfCommands = (path: string): boolean => /[\\/]sessions[\\/][^\\/]+[\\/]temporary[\\/](?:tmp|var-tmp)[\\/]/.test(path);

/** What a command made unreadable for its own user is left alone. */
const entriesIn = (folder: string) =>
  isOfCommands(`${folder}${sep}`)
    ? (orUndefined(() => readdirSync(folder, { withFileTypes: true })) ?? [])
    : readdirSync(folder, { withFileTypes: true });

function filesBelow(folder: string, isLeftOut: (path: string) => boolean): readonly string[] {
  return entriesIn(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return isLeftOut(path) ? [] : filesBelow(path, isLeftOut);
    return entry.isFile() ? [path] : [];
  });
}

function kindOf(path: string, paths: StorePaths): HomeFile['kind'] {
  if (isOfCommands(path)) return 'text';
  if (basename(dirname(path)) === 'changes') {
    if (/^(?:contents-\d+|clone-[0-9a-f]{64})$/.test(basename(path))) return 'contents';
    if (basename(path) === 'log.jsonl' || isBaseName(basename(path))) return 'changes';
  }
  if (basename(dirname(path)) === 'offloaded' && prefixInName(basename(path)) !== undefined) return 'body';
  if (path.endsWith('.jsonl') || path === paths.inputHistory || /\.jsonl\.[^/\\]*$/.test(path)) return 'lines';
  return path.endsWith('.json') ? 'json' : 'text';
}

/** Up to this size, `json` and `text` are read whole, so that a secret of several lines is found; larger ones line by line. */
const MAX_WHOLE_BYTES = 128 * 1024 * 1024;

/** Yields the parts of a file that are searched one by one; together they are the file, and of an image or a PDF its text. */
export function* fileParts({ path, kind }: HomeFile): Generator<Buffer> {
  const size = lstatSync(path).size;
  if (kind === 'contents') {
    yield* contentsIn(path);
    return;
  }
  if (kind === 'body' && size <= MAX_WHOLE_BYTES) {
    yield readBodyFile(path) ?? Buffer.alloc(0);
    return;
  }
  if (kind !== 'lines' && kind !== 'changes' && size <= MAX_WHOLE_BYTES) {
    yield readPart(path, 0, size);
    return;
  }
  let end = 0;
  for (const { position, length, bytes } of completeLines(path)) {
    end = position + length + 1;
    yield bytes === undefined ? readPart(path, position, length + 1) : Buffer.concat([bytes, NEWLINE]);
  }
  if (end < size) yield readPart(path, end, size - end);
}

const NEWLINE = Buffer.from('\n');
const NOTHING = Buffer.alloc(0);

const readPart = (path: string, position: number, length: number): Buffer =>
  withFile(path, (file) => readAt(file, position, Math.min(length, fstatSync(file).size - position)));

const INLINE_MEDIA = ['"media_type":"image/', '"media_type":"application/pdf"', 'data:image/', 'data:application/pdf;'];

/** True for an image or a PDF, as itself or as base64: its bytes are searched, but not what it shows, nor a PDF's packed text. */
export const hasMedia = (file: HomeFile, part: Buffer): boolean =>
  (isBody(file) && !file.path.endsWith('.txt')) || INLINE_MEDIA.some((mark) => part.includes(mark));

/** Returns a part without the secret and with the new hashes; the same object when nothing changes. */
export function purgedPart(part: Buffer, kind: HomeFile['kind'], redaction: Redaction): Buffer {
  if (kind === 'changes') return purgedChanges(part, redaction);
  if (kind === 'contents') return redaction.gone?.has(contentName(part)) === true ? NOTHING : part;
  const raw = part.toString('latin1');
  const purged = replaceHashes(replaceMatches(raw, redaction.pattern.inBytes), redaction.hashes);
  if (purged === raw) return part;
  const value = valueIn(part, kind);
  if (!isObject(value) && !isString(value)) return Buffer.from(purged, 'latin1');
  const next = purgedValue(value, redaction);
  if (JSON.stringify(next) === JSON.stringify(value)) return part;
  const isRecord = isObject(next) && isSealed(part);
  if (kind === 'json') return isRecord ? encodePage(next) : Buffer.from(`${JSON.stringify(next, null, 2)}\n`, 'utf8');
  const line = isRecord ? encodeRecord(next) : isObject(next) ? encodeLine(next) : Buffer.from(`${JSON.stringify(next)}\n`, 'utf8');
  return part.at(-1) === 0x0a ? line : line.subarray(0, -1);
}

/** The value without its checksum; undefined for a text, and for what is damaged, which is then taken for bytes. */
export function valueIn(part: Buffer, kind: HomeFile['kind']): unknown {
  if (kind === 'text' || kind === 'body' || kind === 'contents') return undefined;
  return kind !== 'json' ? readRecord(part) : readPage(part);
}

export function countInPart(part: Buffer, kind: HomeFile['kind'], pattern: SecretPattern): number {
  const raw = part.toString('latin1');
  if (!hasMatch(raw, pattern.inBytes)) return 0;
  const value = valueIn(part, kind);
  return isObject(value) || isString(value) ? countInValue(value, pattern.inText) : countMatches(raw, pattern.inBytes);
}

const ARCHIVE = /[\\/]conversations[\\/][^\\/]+\.md$/;

/** A shorter text occurs in too many names, and so does a shorter beginning. */
const MIN_CHARS = { title: 4, cut: 8 };

/** Returns where an archive goes whose name has the secret, or its beginning where the title was cut off; undefined for any other. */
export function purgedArchive({ path }: HomeFile, text: string): string | undefined {
  const title = titleSlug(text);
  if (!ARCHIVE.test(path) || title.length < MIN_CHARS.title) return undefined;
  const count = title.length - Math.max(MIN_CHARS.cut, Math.ceil(title.length / 2));
  const cuts = Array.from({ length: count }, (_, at) => `${title.slice(0, -1 - at)}(?=(?:-\\d+)?$)`);
  const name = basename(path, '.md');
  const purged = name.replace(new RegExp([title, ...cuts].join('|'), 'u'), 'purged');
  return purged === name ? undefined : join(dirname(path), purged);
}

export const contentsWith = (files: readonly HomeFile[], { inBytes }: SecretPattern): ReadonlySet<string> =>
  new Set(
    files
      .filter(({ kind }) => kind === 'contents')
      .flatMap((file) => [...fileParts(file)].filter((part) => hasMatch(part.toString('latin1'), inBytes)).map(contentName)),
  );

type FoundObject = { readonly path: string; readonly name: string; readonly count: number };

/** The kept objects of repositories that hold a secret, of those that stand by themselves; and the repositories with packs, which do not. */
export function objectsWith(
  paths: StorePaths,
  pattern: SecretPattern,
): { readonly found: readonly FoundObject[]; readonly packs: readonly string[] } {
  const kept = namesIn(paths.sessions)
    .filter(isId)
    .flatMap((id) => keptFolders(join(paths.changes(id), 'git')));
  const found = kept.flatMap(([objects]) =>
    filesBelow(objects, (folder) => basename(folder) === 'pack').flatMap((path): readonly FoundObject[] => {
      const count = countIn(path, pattern);
      return count === 0 ? [] : [{ path, name: relative(paths.home, path), count }];
    }),
  );
  const packs = kept.filter(([objects]) => namesIn(join(objects, 'pack')).length > 0).map(([, from]) => from);
  return { found, packs: [...new Set(packs)].sort() };
}

/** What git-lfs keeps is not packed. */
function countIn(path: string, { inBytes }: SecretPattern): number {
  const bytes = readOwnFile(path) ?? Buffer.alloc(0);
  return countMatches((orUndefined(() => inflateSync(bytes)) ?? bytes).toString('latin1'), inBytes);
}

/** A second name goes; the repository's own file stays as it is. */
export function dropFound(disk: Disk, objects: readonly FoundObject[]): void {
  for (const { path } of objects) orUndefined(() => unlinkSync(path));
  for (const folder of new Set(objects.map(({ path }) => dirname(path)))) orUndefined(() => fsyncFolder(disk, folder, 'purge'));
}
