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

import { basename, dirname, join, relative } from 'node:path';
import { SanbotError } from '../../domain/errors.ts';
import { logRecordSchema } from '../../domain/session/record.ts';
import { inspectText } from '../../domain/text.ts';
import { namesIn } from '../files/atomic-write.ts';
import { type Disk, readOwnFile } from '../files/disk.ts';
import { groupsOf } from '../files/groups.ts';
import { isId, parseSnapshotId } from '../files/ids.ts';
import { bodyFileName, printablePath, type StorePaths } from '../files/paths.ts';
import { encodeBodyFile, readBodyFile } from '../session/bodies/body-file.ts';
import { bodyRefOf, decodeBody, encodeBody, sha256Of } from '../session/bodies/body-text.ts';
import { decodeSnapshot } from '../snapshot/snapshot-file.ts';
import { archiveNameParts, renamedArchive } from './purge-archive.ts';
import { beginPurge, type FileRewrite, finishPurge, readPurgeJournal, stageAll } from './purge-commit.ts';
import { countInPart, fileParts, type HomeFile, hasMedia, homeFiles, isBody, purgedPart, valueIn } from './purge-files.ts';
import { findHashRenames, isSnapshot, purgedBody, readOldJournal } from './purge-hashes.ts';
import { withAllLocks } from './purge-locks.ts';
import { breaksStructure, type Redaction } from './purge-values.ts';
import { countMatches, createSecretPattern, PURGED, type SecretPattern } from './secret-pattern.ts';

export type PurgeFinding = {
  /** Relative to the home. */
  readonly name: string;
  /** Matches in the text of the file, plus one when its name contains the secret. */
  readonly count: number;
};

export type PurgePlan = {
  readonly findings: readonly PurgeFinding[];
  /** Files with images or PDFs, into which a search for text does not see. Relative to the home. */
  readonly unseen: readonly string[];
  /** Matches in the settings, which are the user's to change. */
  readonly inSettings: number;
  /** True when a purge was interrupted; the next one completes it. */
  readonly unfinished: boolean;
};

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
        hint: {
          en: 'Give the whole secret; a short text would also match unrelated content.',
          zh: '请给出完整的机密内容；太短的文字会匹配到无关的内容。',
        },
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

/** Finds a text anywhere in the home, in any form. Changes nothing. Throws usage, or refused when SanBot needs it to read its files. */
export function planPurge(paths: StorePaths, text: string): PurgePlan {
  checkSecret(text);
  const pattern = createSecretPattern(text);
  const files = homeFiles(paths);
  refuseNames(paths, text);
  const redaction = { pattern, hashes: findHashRenames(pattern, files, paths).bodies };
  const findings = files.flatMap((file) => {
    let count = archiveNameParts(file, text) === undefined ? 0 : 1;
    for (const part of fileParts(file)) {
      const partCount = countInPart(part, file.kind, redaction);
      if (partCount > 0) refuseBroken(file, part, { text, redaction });
      count += partCount;
    }
    return count === 0 ? [] : [{ name: file.name, count }];
  });
  const settings = readOwnFile(paths.config)?.toString('latin1') ?? '';
  return {
    findings,
    unseen: files.filter(hasMedia).map(({ name }) => name),
    inSettings: countMatches(settings, pattern.inBytes),
    unfinished: readOldJournal(paths) !== undefined || readPurgeJournal(paths) !== undefined,
  };
}

/** Sessions, groups and snapshots are identified by their names. */
function refuseNames(paths: StorePaths, text: string): void {
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
        hint: {
          en: 'Nothing was changed. A session goes with sanbot sessions delete ID.',
          zh: '没有做任何更改。会话可用 sanbot sessions delete ID 删除。',
        },
      },
    );
}

type PartCheck = { readonly text: string; readonly redaction: Redaction };

/** Removing a word of our own records, such as "assistant", would make the record unreadable. */
function refuseBroken({ path, name, kind }: HomeFile, part: Buffer, { text, redaction }: PartCheck): void {
  const value = valueIn(part, kind);
  const isRecord = basename(path) === 'log.jsonl' && logRecordSchema.safeParse(value).success;
  const isReadable = !isRecord || logRecordSchema.safeParse(valueIn(purgedPart(part, kind, redaction), kind)).success;
  if (isReadable && !breaksStructure(value, text)) return;
  throw new SanbotError('refused', {
    en: `${inspectText(text)} is a word of SanBot's own files (${printablePath(name)}), which could not be read without it`,
    zh: `${inspectText(text)} 是 SanBot 自己的文件（${printablePath(name)}）中的词，没有它文件就无法读取`,
  });
}

/**
 * Removes a text from every file of the home. What is named after its hash gets the new name wherever it is mentioned. All new files are
 * written before the first old one is replaced, so that a full disk changes nothing; what a purge that was interrupted later has left to
 * do is done by the next one, or by the doctor. Throws like `planPurge`, session_locked when a session or a memory is in use anywhere, and
 * store_failed.
 */
export function purge(disk: Disk, paths: StorePaths, text: string): void {
  withAllLocks(disk, paths, () => {
    const unfinished = readPurgeJournal(paths);
    if (unfinished !== undefined) finishPurge(disk, paths, unfinished);
    planPurge(paths, text);
    performPurge(disk, paths, { text, pattern: createSecretPattern(text) });
  });
}

function performPurge(disk: Disk, paths: StorePaths, { text, pattern }: { readonly text: string; readonly pattern: SecretPattern }): void {
  const files = homeFiles(paths);
  const renames = findHashRenames(pattern, files, paths);
  checkSnapshots(files, { pattern, hashes: renames.bodies });
  const names = newNames(files, { text, hashes: renames.bodies, pattern });
  const all = new Map([...renames.bodies, ...renames.snapshots]);
  const redactionOf = (file: HomeFile) => ({ pattern, hashes: file.path.endsWith('.meta.json') ? all : renames.bodies });
  const replacements = replacementsOf(files.toSorted(byOrder), { names, redactionOf });
  const moves = stageAll(disk, paths.home, replacements);
  const staged = new Set(moves.map(({ to }) => join(paths.home, to)));
  const renamed = [...names].filter(([, to]) => !staged.has(to));
  const journal = beginPurge(disk, paths, {
    moves: [...moves, ...renamed.map(([path, to]) => ({ from: relative(paths.home, path), to: relative(paths.home, to), bytes: 0 }))],
    removes: [...names].filter(([, to]) => staged.has(to)).map(([path]) => relative(paths.home, path)),
  });
  finishPurge(disk, paths, journal);
}

type NameChange = { readonly text: string; readonly pattern: SecretPattern; readonly hashes: Redaction['hashes'] };

/** New paths by old ones: a body is named after its text, and an archive after its title. */
function newNames(files: readonly HomeFile[], { text, pattern, hashes }: NameChange): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const archives = new Set<string>();
  for (const file of files) {
    const body = isBody(file) ? purgedBodyOf(file, { pattern, hashes }) : undefined;
    if (body !== undefined) names.set(file.path, join(dirname(file.path), bodyFileName(bodyRefOf(body))));
    const archive = renamedArchive(file, { text, taken: archives });
    if (archive === undefined) continue;
    archives.add(archive);
    names.set(file.path, archive);
  }
  return names;
}

/** Returns the new bytes of a body that gets another name; undefined for one that stays, and for one that was changed by somebody else. */
function purgedBodyOf({ path }: HomeFile, { pattern, hashes }: Redaction): Buffer | undefined {
  const bytes = readBodyFile(path) ?? Buffer.alloc(0);
  return hashes.has(sha256Of(bytes)) ? encodeBody(purgedBody(pattern, decodeBody(bytes))) : undefined;
}

/** New bodies come before what refers to them, and the meta of a snapshot right behind it. */
const byOrder = (a: HomeFile, b: HomeFile): number => {
  const rank = (file: HomeFile) => (isBody(file) ? 0 : 1);
  return rank(a) - rank(b) || (sortName(a) < sortName(b) ? -1 : 1);
};
const sortName = ({ path }: HomeFile): string => path.replace(/\.meta\.json$/, '.jsonl.meta');

type ReplacementPlan = { readonly names: ReadonlyMap<string, string>; readonly redactionOf: (file: HomeFile) => Redaction };

function* replacementsOf(files: readonly HomeFile[], { names, redactionOf }: ReplacementPlan): Generator<FileRewrite> {
  for (const file of files) {
    const { path } = file;
    const redaction = redactionOf(file);
    const to = names.get(path) ?? path;
    const body = isBody(file) && to !== path ? purgedBodyOf(file, redaction) : undefined;
    if (body !== undefined) yield { path, to, parts: [encodeBodyFile(body, bodyRefOf(body))] };
    else if (changes(file, redaction)) yield { path, to, parts: purgedParts(file, redaction) };
  }
}

function* purgedParts(file: HomeFile, redaction: Redaction): Generator<Buffer> {
  for (const part of fileParts(file)) yield purgedPart(part, file.kind, redaction);
}

function changes(file: HomeFile, redaction: Redaction): boolean {
  for (const part of fileParts(file)) if (purgedPart(part, file.kind, redaction) !== part) return true;
  return false;
}

function checkSnapshots(files: readonly HomeFile[], redaction: Redaction): void {
  for (const file of files.filter(isSnapshot)) {
    const id = basename(file.path, '.jsonl');
    const sessionId = parseSnapshotId(id)?.sessionId;
    const parts = [...fileParts(file)];
    const next = parts.map((part) => purgedPart(part, file.kind, redaction));
    if (sessionId === undefined || next.every((part, i) => part === parts[i])) continue;
    if (decodeSnapshot(Buffer.concat(parts), { id, sessionId }).kind === 'damaged') continue;
    const after = decodeSnapshot(Buffer.concat(next), { id, sessionId });
    if (after.kind === 'damaged')
      throw new SanbotError('refused', {
        en: `Snapshot ${id} could not be read without it (${after.why.en})`,
        zh: `没有它，快照 ${id} 就无法读取（${after.why.zh}）`,
      });
  }
}
