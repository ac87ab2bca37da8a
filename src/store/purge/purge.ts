/**
 * Takes a text that should never have been written, such as a password, out of every file of the home, in whatever form it stands there:
 * plain, as a JSON escape, as an HTML reference, percent-encoded, or cut off at the end of a line.
 *
 * The text comes in and a plan comes out, which changes nothing; performing it writes all new files, notes what is left to do, and then
 * replaces file after file. What is named by its hash gets the new hash wherever it is named.
 *
 * It refuses texts that are too short to be secrets, words by which our own records are told apart, and a home with an open session. What
 * other programs copied elsewhere, it cannot reach.
 */

import { basename, dirname, join } from 'node:path';
import { SanbotError } from '../../domain/errors.ts';
import { logRecordSchema } from '../../domain/session/record.ts';
import { inspectText } from '../../domain/text.ts';
import { type Disk, entryExists, readOwnFile } from '../files/disk.ts';
import { bodyFileName, groupsOf, isId, namesIn, printablePath, type StorePaths } from '../files/paths.ts';
import { bodyRefOf, decodeBody, encodeBody, encodeBodyFile, readBodyFile, sha256Of } from '../session/bodies/body-text.ts';
import { requireWhole } from '../session/peek-session.ts';
import {
  contentsWith,
  countInPart,
  dropFound,
  fileParts,
  type HomeFile,
  hasMedia,
  homeFiles,
  isBody,
  objectsWith,
  purgedArchive,
  purgedPart,
  valueIn,
} from './purge-files.ts';
import { bodyHashes, readOldJournal, snapshotHashes } from './purge-hashes.ts';
import { beginPurge, type FileRewrite, finishPurge, withAllLocks } from './purge-journal.ts';
import {
  breaksStructure,
  countMatches,
  createSecretPattern,
  type NewHash,
  PURGED,
  type Redaction,
  replaceMatches,
  withHalves,
} from './secret-pattern.ts';

export type PurgePlan = Readonly<ReturnType<typeof planPurge>>;

/** Finds a text anywhere in the home, in any form. Changes nothing. Throws usage, or refused when SanBot needs it to read its files. */
export const planPurge = (paths: StorePaths, text: string) => examine(paths, text).plan;

/**
 * Removes a text from every file of the home. What is named after its hash gets the new name wherever it is mentioned. All new files are
 * written before the first old one is replaced, so that a full disk changes nothing; what a purge that was interrupted later has left to
 * do is done by the next one, or by the doctor. Throws like `planPurge`, session_locked when a session or a memory is in use anywhere, and
 * store_failed.
 */
export function purge(disk: Disk, paths: StorePaths, text: string): void {
  withAllLocks(disk, paths, () => {
    finishPurge(disk, paths);
    const { rewrites, objects } = examine(paths, text);
    dropFound(disk, objects);
    beginPurge(disk, paths, rewrites);
    finishPurge(disk, paths);
  });
}

function examine(paths: StorePaths, text: string) {
  checkSecret(text);
  refuseNames(paths, text);
  requireWhole(paths);
  const pattern = createSecretPattern(text);
  const files = homeFiles(paths);
  const earlier = readOldJournal(paths);
  const bodies = bodyHashes(pattern, files, earlier.bodies);
  const objects = objectsWith(paths, pattern);
  const redaction = { pattern, hashes: withHalves(bodies), gone: contentsWith(files, pattern) };
  const searched = files.map((file) => searchFile(file, redaction));
  // A content goes from other machines too: where a journal names it, they find its hash purged.
  const contents = new Map<string, NewHash>([...redaction.gone].map((sha256) => [sha256, { sha256: PURGED, bytes: 0 }]));
  const hashes = new Map([...withHalves(new Map([...bodies, ...snapshotHashes(files, redaction, earlier.snapshots)])), ...contents]);
  return {
    /** Names are relative to the home. */
    plan: {
      findings: [...searched, ...objects.found].filter(({ count }) => count > 0).map(({ name, count }) => ({ name, count })),
      /** Files with images or PDFs, into which a search for text does not see. */
      unseen: searched.filter(({ isUnseen }) => isUnseen).map(({ name }) => name),
      /** Repositories of which SanBot keeps whole packs under second names: these are not searched, and are the repository's own. */
      packs: objects.packs,
      inSettings: countMatches(readOwnFile(paths.config)?.toString('latin1') ?? '', pattern.inBytes),
      /** True when a purge was interrupted; the next one completes it. */
      unfinished: entryExists(paths.purgeJournal),
    },
    rewrites: rewritesOf(files, (file) => (namesSnapshots(file, paths) ? { pattern, hashes } : redaction)),
    objects: objects.found,
  };
}

const namesSnapshots = ({ path }: HomeFile, { journals }: StorePaths): boolean => path.endsWith('.meta.json') || dirname(path) === journals;

/** `count`: matches in the text of the file, plus one when its name contains the secret. */
function searchFile(file: HomeFile, redaction: Redaction) {
  let count = purgedArchive(file, redaction.pattern.text) === undefined ? 0 : 1;
  let isUnseen = false;
  for (const part of fileParts(file)) {
    const partCount = countInPart(part, file.kind, redaction.pattern);
    if (partCount > 0) refuseBroken(file, part, redaction);
    count += partCount;
    isUnseen ||= hasMedia(file, part);
  }
  return { name: file.name, count, isUnseen };
}

/** New bodies come before what refers to them, and the meta of a snapshot right behind it. */
const inOrder = (a: HomeFile, b: HomeFile): number => Number(isBody(b)) - Number(isBody(a)) || (a.path < b.path ? -1 : 1);

function* rewritesOf(files: readonly HomeFile[], redactionOf: (file: HomeFile) => Redaction): Generator<FileRewrite> {
  const taken = new Set<string>();
  for (const file of files.toSorted(inOrder)) {
    const { path } = file;
    const redaction = redactionOf(file);
    const body = isBody(file) ? purgedBody(path, redaction) : undefined;
    const archive = purgedArchive(file, redaction.pattern.text);
    const to = archive === undefined ? path : freePath(archive, taken);
    if (body !== undefined)
      yield { path, to: join(dirname(path), bodyFileName(bodyRefOf(body))), parts: [encodeBodyFile(body, bodyRefOf(body))] };
    else if (to !== path || changes(file, redaction)) yield { path, to, parts: purgedParts(file, redaction) };
  }
}

function freePath(stem: string, taken: Set<string>): string {
  let path = `${stem}.md`;
  for (let n = 2; taken.has(path) || entryExists(path); n++) path = `${stem}-${n}.md`;
  taken.add(path);
  return path;
}

/** Returns the new bytes of a body that gets another name; undefined for one that stays, and for one that was changed by somebody else. */
function purgedBody(path: string, { pattern, hashes }: Redaction): Buffer | undefined {
  const bytes = readBodyFile(path) ?? Buffer.alloc(0);
  return hashes.has(sha256Of(bytes)) ? encodeBody(replaceMatches(decodeBody(bytes), pattern.inText)) : undefined;
}

function* purgedParts(file: HomeFile, redaction: Redaction): Generator<Buffer> {
  for (const part of fileParts(file)) yield purgedPart(part, file.kind, redaction);
}

function changes(file: HomeFile, redaction: Redaction): boolean {
  for (const part of fileParts(file)) if (purgedPart(part, file.kind, redaction) !== part) return true;
  return false;
}

const MIN_CHARS = 4;
const MIN_BYTES = 6;

/** Throws usage for a text that is too short to be a secret (it would occur everywhere) or that cannot be replaced. */
export function checkSecret(text: string): void {
  const size = [...text.trim()].length;
  const bytes = Buffer.byteLength(text.trim());
  if (size < MIN_CHARS || bytes < MIN_BYTES)
    throw new SanbotError(
      'usage',
      {
        en: `--match needs at least ${MIN_CHARS} characters and ${MIN_BYTES} bytes of text, found ${size} and ${bytes}`,
        zh: `--match 至少需要 ${MIN_CHARS} 个字符、${MIN_BYTES} 字节的文字，实际为 ${size} 个字符、${bytes} 字节`,
      },
      {
        en: 'Give the whole secret; a short text would also match unrelated content.',
        zh: '请给出完整的机密内容；太短的文字会匹配到无关的内容。',
      },
    );
  if (!text.isWellFormed() || text.includes('\0'))
    throw new SanbotError('usage', { en: '--match has half a character or a NUL in it', zh: '--match 中有半个字符或 NUL' });
  if (PURGED.includes(text))
    throw new SanbotError('usage', {
      en: `--match is a part of ${PURGED}, which would take its place`,
      zh: `--match 是 ${PURGED} 的一部分，而后者会取代它`,
    });
}

/** Sessions, groups and snapshots are identified by their names. */
export function refuseNames(paths: StorePaths, text: string): void {
  const groups = groupsOf(paths);
  const snapshots = groups.flatMap((group) => namesIn(paths.summaries(group)));
  const match = [...namesIn(paths.sessions).filter(isId), ...groups, ...snapshots].find((name) => name.includes(text));
  if (match !== undefined)
    throw new SanbotError(
      'refused',
      {
        en: `${inspectText(match)} is the name of a session, a group or a snapshot, which cannot be purged`,
        zh: `${inspectText(match)} 是会话、组或快照的名称，无法清除`,
      },
      {
        en: 'Nothing was changed. To delete a session: sanbot sessions delete ID.',
        zh: '没有做任何更改。会话可用 sanbot sessions delete ID 删除。',
      },
    );
}

/** Removing a word of our own records, such as "assistant", would make the record unreadable. */
export function refuseBroken({ path, name, kind }: HomeFile, part: Buffer, redaction: Redaction): void {
  const { text } = redaction.pattern;
  const value = valueIn(part, kind);
  const isRecord = basename(path) === 'log.jsonl' && logRecordSchema.safeParse(value).success;
  const isReadable = !isRecord || logRecordSchema.safeParse(valueIn(purgedPart(part, kind, redaction), kind)).success;
  if (isReadable && !breaksStructure(value, text)) return;
  throw new SanbotError('refused', {
    en: `${inspectText(text)} is a word of SanBot's own files (${printablePath(name)}), which could not be read without it`,
    zh: `${inspectText(text)} 是 SanBot 自己的文件（${printablePath(name)}）中的词，没有它文件就无法读取`,
  });
}
