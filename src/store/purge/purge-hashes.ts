import { basename } from 'node:path';
import { z } from 'zod';
import { SanbotError } from '../../domain/errors.ts';
import { bodyRefSchema } from '../../domain/session/message.ts';
import { isObject, isString, parseJson } from '../../domain/value/json.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { readOwnFile } from '../files/disk.ts';
import { parseSnapshotId, type StorePaths } from '../files/paths.ts';
import { readPage, readRecord } from '../files/record-line.ts';
import { bodyRefOf, decodeBody, encodeBody, prefixInName, sha256Of } from '../session/bodies/body-text.ts';
import { decodeSnapshot } from '../snapshot/snapshot-file.ts';
import { fileParts, type HomeFile, isBody, purgedPart } from './purge-files.ts';
import { type Hashes, hasMatch, type NewHash, type Redaction, replaceMatches, type SecretPattern } from './secret-pattern.ts';

type Change = readonly [old: string, hash: NewHash];

const isSnapshot = ({ path }: HomeFile): boolean => /[\\/]session-summaries[\\/][^\\/]+\.jsonl$/.test(path);

/** Returns the new hashes of all bodies that contain the secret, and of those that a purge of SanBot 0.1 had begun to change. */
export function bodyHashes(pattern: SecretPattern, files: readonly HomeFile[], earlier: Hashes): Hashes {
  const changes = new Map(files.flatMap((file) => [...changedBodies(pattern, file)]));
  return new Map([...changes, ...[...earlier].map(([old, hash]): Change => [old, changes.get(hash.sha256) ?? hash])]);
}

function* changedBodies(pattern: SecretPattern, file: HomeFile): Generator<Change> {
  if (isBody(file)) {
    const bytes = Buffer.concat([...fileParts(file)]);
    const sha256 = sha256Of(bytes);
    if (sha256.startsWith(prefixInName(basename(file.path)) ?? '-')) yield* hashChange(pattern, sha256, decodeBody(bytes));
  } else if (file.path.endsWith('bodies.jsonl') || isSnapshot(file))
    for (const part of fileParts(file)) {
      const line = hasMatch(part.toString('latin1'), pattern.inBytes) ? readRecord(part) : undefined;
      if (!isObject(line) || !isString(line.text)) continue;
      const sha256 = isObject(line.ref) ? line.ref.sha256 : line.sha256;
      if (isString(sha256)) yield* hashChange(pattern, sha256, line.text);
    }
}

function hashChange({ inText }: SecretPattern, sha256: string, text: string): readonly Change[] {
  const next = replaceMatches(text, inText);
  return next === text ? [] : [[sha256, bodyRefOf(encodeBody(next))]];
}

/** Returns new hashes by those in the metas; an altered snapshot stays altered. Throws refused when one could not be read afterwards. */
export const snapshotHashes = (files: readonly HomeFile[], redaction: Redaction, earlier: Hashes): Hashes =>
  new Map(
    files.filter(isSnapshot).flatMap((file): readonly Change[] => {
      const parts = [...fileParts(file)];
      const before = Buffer.concat(parts);
      const after = Buffer.concat(parts.map((part) => purgedPart(part, file.kind, redaction)));
      if (!before.equals(after)) refuseDamage(basename(file.path, '.jsonl'), before, after);
      const recorded = recordedHash(file.path.replace(/\.jsonl$/, '.meta.json'));
      if (recorded === undefined || ![recorded, earlier.get(recorded)?.sha256].includes(sha256Of(before))) return [];
      const sha256 = sha256Of(after);
      return sha256 === recorded ? [] : [[recorded, { sha256, bytes: after.length }]];
    }),
  );

function recordedHash(meta: string): string | undefined {
  const value = readPage(orUndefined(() => readOwnFile(meta)));
  return isObject(value) && isString(value.sha256) ? value.sha256 : undefined;
}

function refuseDamage(id: string, before: Buffer, after: Buffer): void {
  const sessionId = parseSnapshotId(id)?.sessionId;
  if (sessionId === undefined || decodeSnapshot(before, { id, sessionId }).kind === 'damaged') return;
  const decoded = decodeSnapshot(after, { id, sessionId });
  if (decoded.kind === 'damaged')
    throw new SanbotError('refused', {
      en: `Snapshot ${id} could not be read without it (${decoded.why.en})`,
      zh: `没有它，快照 ${id} 就无法读取（${decoded.why.zh}）`,
    });
}

const pairs = z
  .array(z.tuple([z.string().regex(/^[0-9a-f]{64}$/), bodyRefSchema.partial({ lines: true })]))
  .transform((list) => new Map(list));
const journalSchema = z.object({ v: z.literal(1), bodies: pairs, snapshots: pairs });

/** Returns the new hashes that an interrupted purge of SanBot 0.1 noted; none when there is no such journal. */
export function readOldJournal({ purgeJournal }: StorePaths): { readonly bodies: Hashes; readonly snapshots: Hashes } {
  const parsed = journalSchema.safeParse(parseJson(readOwnFile(purgeJournal) ?? ''));
  return parsed.success ? parsed.data : { bodies: new Map(), snapshots: new Map() };
}
