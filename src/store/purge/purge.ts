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

import { dirname, join } from 'node:path';
import { type Disk, entryExists, readOwnFile } from '../files/disk.ts';
import { bodyFileName, type StorePaths } from '../files/paths.ts';
import { encodeBodyFile, readBodyFile } from '../session/bodies/body-file.ts';
import { bodyRefOf, decodeBody, encodeBody, sha256Of } from '../session/bodies/body-text.ts';
import { countInPart, fileParts, type HomeFile, hasMedia, homeFiles, isBody, purgedArchive, purgedPart } from './purge-files.ts';
import { bodyHashes, readOldJournal, snapshotHashes } from './purge-hashes.ts';
import { beginPurge, type FileRewrite, finishPurge, withAllLocks } from './purge-journal.ts';
import { checkSecret, refuseBroken, refuseNames } from './purge-refusals.ts';
import { type Redaction, withHalves } from './purge-values.ts';
import { countMatches, createSecretPattern, replaceMatches } from './secret-pattern.ts';

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

/** Finds a text anywhere in the home, in any form. Changes nothing. Throws usage, or refused when SanBot needs it to read its files. */
export const planPurge = (paths: StorePaths, text: string): PurgePlan => examine(paths, text).plan;

/**
 * Removes a text from every file of the home. What is named after its hash gets the new name wherever it is mentioned. All new files are
 * written before the first old one is replaced, so that a full disk changes nothing; what a purge that was interrupted later has left to
 * do is done by the next one, or by the doctor. Throws like `planPurge`, session_locked when a session or a memory is in use anywhere, and
 * store_failed.
 */
export function purge(disk: Disk, paths: StorePaths, text: string): void {
  withAllLocks(disk, paths, () => {
    finishPurge(disk, paths);
    beginPurge(disk, paths, examine(paths, text).rewrites);
    finishPurge(disk, paths);
  });
}

/** What a purge would do: the plan for a person, and the new contents of each file that changes. */
function examine(paths: StorePaths, text: string): { readonly plan: PurgePlan; readonly rewrites: Iterable<FileRewrite> } {
  checkSecret(text);
  refuseNames(paths, text);
  const pattern = createSecretPattern(text);
  const files = homeFiles(paths);
  const earlier = readOldJournal(paths);
  const bodies = bodyHashes(pattern, files, earlier.bodies);
  const redaction = { pattern, hashes: withHalves(bodies) };
  const searched = files.map((file) => searchFile(file, redaction));
  const hashes = withHalves(new Map([...bodies, ...snapshotHashes(files, redaction, earlier.snapshots)]));
  return {
    plan: {
      findings: searched.filter(({ count }) => count > 0).map(({ name, count }) => ({ name, count })),
      unseen: searched.filter(({ isUnseen }) => isUnseen).map(({ name }) => name),
      inSettings: countMatches(readOwnFile(paths.config)?.toString('latin1') ?? '', pattern.inBytes),
      unfinished: entryExists(paths.purgeJournal),
    },
    rewrites: rewritesOf(files, (file) => (file.path.endsWith('.meta.json') ? { pattern, hashes } : redaction)),
  };
}

function searchFile(file: HomeFile, redaction: Redaction): PurgeFinding & { readonly isUnseen: boolean } {
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

/** A body is named after its text, and an archive after its title. */
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
