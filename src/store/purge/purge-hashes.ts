import { basename } from 'node:path';
import { z } from 'zod';
import { bodyRefSchema } from '../../domain/session/message.ts';
import { isObject, isString, parseJson } from '../../domain/value/json.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { readOwnFile } from '../files/disk.ts';
import type { StorePaths } from '../files/paths.ts';
import { readPage, readRecord } from '../files/record-line.ts';
import { prefixInName } from '../session/bodies/body-file.ts';
import { bodyRefOf, decodeBody, encodeBody, sha256Of } from '../session/bodies/body-text.ts';
import { fileParts, type HomeFile, isBody, purgedPart } from './purge-files.ts';
import type { Hashes, NewHash } from './purge-values.ts';
import { hasMatch, replaceMatches, type SecretPattern } from './secret-pattern.ts';

/** New hashes by old ones: a body is named after the hash of its text, and the meta of a snapshot holds the hash of its file. */
export type HashRenames = { readonly bodies: Hashes; readonly snapshots: Hashes };

const SNAPSHOT = /[\\/]session-summaries[\\/][^\\/]+\.jsonl$/;
export const isSnapshot = ({ path }: HomeFile): boolean => SNAPSHOT.test(path);
const metaOf = (path: string): string => path.replace(/\.jsonl$/, '.meta.json');

/** Finds the renames of all bodies and snapshots that contain the secret, and of those that a purge of SanBot 0.1 had begun to change. */
export function findHashRenames(secretPattern: SecretPattern, files: readonly HomeFile[], paths: StorePaths): HashRenames {
  const earlier = readOldJournal(paths) ?? { bodies: new Map(), snapshots: new Map() };
  const bodies = mergeHashes(earlier.bodies, new Map(files.flatMap((file) => changedBodies(secretPattern, file))));
  const changes = files.filter(isSnapshot).flatMap(({ path, name, kind }): (readonly [string, NewHash])[] => {
    const recordedSha = readSha(metaOf(path));
    const parts = [...fileParts({ path, name, kind })];
    const next = Buffer.concat(parts.map((part) => purgedPart(part, kind, { pattern: secretPattern, hashes: bodies })));
    const currentSha = sha256Of(Buffer.concat(parts));
    // A snapshot that does not match its meta was altered before, and stays altered.
    if (recordedSha === undefined || currentSha !== (earlier.snapshots.get(recordedSha)?.sha256 ?? recordedSha)) return [];
    const sha256 = sha256Of(next);
    return sha256 === currentSha ? [] : [[currentSha, { sha256, bytes: next.length }]];
  });
  return { bodies, snapshots: mergeHashes(earlier.snapshots, new Map(changes)) };
}

/** Merges renames: an earlier rename to a hash that changes now leads to the newest hash. */
function mergeHashes(earlier: Hashes, changes: Hashes): Hashes {
  const moved = [...earlier].map(([old, hash]) => [old, changes.get(hash.sha256) ?? hash] as const);
  return new Map([...changes, ...moved]);
}

function changedBodies(secretPattern: SecretPattern, file: HomeFile): readonly (readonly [string, NewHash])[] {
  if (isBody(file)) {
    const bytes = Buffer.concat([...fileParts(file)]);
    const sha256 = sha256Of(bytes);
    return sha256.startsWith(prefixInName(basename(file.path)) ?? '-') ? hashChange(secretPattern, sha256, decodeBody(bytes)) : [];
  }
  if (!file.path.endsWith('bodies.jsonl') && !isSnapshot(file)) return [];
  const changes: (readonly [string, NewHash])[] = [];
  for (const part of fileParts(file)) {
    if (!hasMatch(part.toString('latin1'), secretPattern.inBytes)) continue;
    const line = readRecord(part);
    if (!isObject(line) || !isString(line.text)) continue;
    const sha256 = isObject(line.ref) ? line.ref.sha256 : line.sha256;
    if (isString(sha256)) changes.push(...hashChange(secretPattern, sha256, line.text));
  }
  return changes;
}

function hashChange(secretPattern: SecretPattern, sha256: string, text: string): readonly (readonly [string, NewHash])[] {
  const next = purgedBody(secretPattern, text);
  return next === text ? [] : [[sha256, bodyRefOf(encodeBody(next))]];
}

export const purgedBody = (secretPattern: SecretPattern, text: string): string => replaceMatches(text, secretPattern.inText);

function readSha(meta: string): string | undefined {
  const value = readPage(orUndefined(() => readOwnFile(meta)) ?? Buffer.alloc(0));
  return isObject(value) && isString(value.sha256) ? value.sha256 : undefined;
}

const sha = z.string().regex(/^[0-9a-f]{64}$/);
const pairs = z.array(z.tuple([sha, bodyRefSchema.partial({ lines: true })]));
const journalSchema = z.object({ v: z.literal(1), bodies: pairs, snapshots: pairs });

/** Returns what an interrupted purge of SanBot 0.1 left; undefined when there is none. */
export function readOldJournal(paths: StorePaths): HashRenames | undefined {
  const parsed = journalSchema.safeParse(parseJson(readOwnFile(paths.purgeJournal) ?? ''));
  return parsed.success ? { bodies: new Map(parsed.data.bodies), snapshots: new Map(parsed.data.snapshots) } : undefined;
}
