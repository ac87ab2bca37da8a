/**
 * What the home gives to other machines and takes from them: logs of sessions in whole lines with the bodies to which they refer, and
 * journals of memories (memory-pages.ts), audit lines and snapshots (audit.ts).
 *
 * Lines go out as they stand on disk, to places that the user named (targets.ts). What comes in is added at the end of a log that nobody has
 * open, or makes a session; nothing that is there is ever changed, and bodies and snapshots are on disk before the lines that name them.
 * How two homes become the same is decided in sync/, which sees nothing of the home but this.
 */

import { createHash } from 'node:crypto';
import { fstatSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { SnapshotBody } from '../../agent/ports/disk.ts';
import { SanbotError } from '../../domain/errors.ts';
import { logRecordSchema } from '../../domain/session/record.ts';
import { isObject, isString, parseJson } from '../../domain/value/json.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { createFile, writeFileAtomic } from '../files/atomic-write.ts';
import { type Disk, ensureFolder, entryExists, fileSize, readerOf, readOwnFile, withFile } from '../files/disk.ts';
import { orStoreDamage } from '../files/failure.ts';
import { openLineFile } from '../files/line-file.ts';
import { acquireLock, withLock } from '../files/lock.ts';
import { auditedSession, folderOf, isId, namesIn, type StorePaths } from '../files/paths.ts';
import { encodeRecord, lineSpans, readRecord, titleIn } from '../files/record-line.ts';
import { piecesOf } from '../files/rewrite-lines.ts';
import { purge } from '../purge/purge.ts';
import { finishPurge, withAllLocks } from '../purge/purge-journal.ts';
import { createBodies, refsOf } from '../session/bodies/bodies.ts';
import { bodyRefOf, decodeBody, encodeBody } from '../session/bodies/body-text.ts';
import { deleteSession } from '../session/change-session.ts';
import { writeTitle } from '../session/peek-session.ts';
import { writeSession } from '../snapshot/write-session.ts';
import { auditRefs, placeSnapshots, removeAudit, snapshotObject } from './audit.ts';
import { endRest, fillRest, restOf, retireRest, type SessionEnd, writeEnd } from './rest.ts';

type LinesHere = {
  readonly bytes: Buffer;
  readonly first: number;
  readonly last: number;
  readonly objects: readonly string[];
  readonly dropped: readonly string[];
  readonly versionBytes: number;
};
type ObjectsHere = ReadonlyMap<string, Buffer>;

/** The logs of a home as others may have them. */
export function createReplica(disk: Disk, paths: StorePaths, { mayLeave }: { readonly mayLeave: (sessionId: string) => boolean }) {
  const log = (id: string) => journalOf(paths, id) ?? paths.log(id);
  const rest = (id: string) => (journalOf(paths, id) === undefined ? restOf(paths, id) : undefined);
  const bodiesOf = (id: string) => createBodies(disk, paths, { sessionId: id, maxSessionBytes: Number.POSITIVE_INFINITY });
  return {
    logs: () => [
      ...namesIn(paths.sessions).filter((id) => isId(id) && entryExists(log(id)) && mayLeave(id)),
      ...namesIn(paths.journals).flatMap((name) => {
        const id = `~${name.slice(0, -'.jsonl'.length)}`;
        const session = auditedSession(id);
        return JOURNAL_FILE.test(name) && (session === undefined || mayLeave(session)) ? id : [];
      }),
    ],
    has: (id: string) => entryExists(journalOf(paths, id) ?? paths.session(id)),
    stat: (id: string) => {
      const stats = orStoreDamage(log(id), () => statSync(log(id), { bigint: true, throwIfNoEntry: false }));
      return { bytes: Number(stats?.size ?? 0), file: `${stats?.ino} ${stats?.ctimeNs}` };
    },
    read: (id: string, from: number, maxBytes: number) => orStoreDamage(log(id), () => readLines(log(id), from, maxBytes)),
    digest: (id: string, end: number) => orStoreDamage(log(id), () => digestOf(log(id), end, rest(id))),
    object: (id: string, sha256: string) => {
      if (auditedSession(id) !== undefined) return orStoreDamage(log(id), () => snapshotObject(paths, id, sha256));
      const text = bodiesOf(id).read({ sha256, bytes: 0, lines: 0 });
      return text === undefined ? undefined : encodeBody(text);
    },
    append: (id: string, at: number, lines: Buffer, objects: ObjectsHere) => {
      const journal = journalOf(paths, id);
      if (journal !== undefined) placeSnapshots(disk, paths, id, linesOf(lines), objects);
      if (at === 0) return create(disk, paths, { id, journal, lines, objects });
      if (journal === undefined) return appendLines(disk, paths, { id, at, lines, objects });
      return withLock(disk, `${journal}.lock`, () => appendAt(disk, journal, at, lines));
    },
    rest,
    appendEnd: (id: string, { objects, ...end }: Omit<SessionEnd, 'bodies'> & { readonly objects: ObjectsHere }) => {
      writeEnd(disk, paths, id, { ...end, bodies: bodiesIn(objects) });
      keepTime(paths.log(id), end.tail);
    },
    fill: (id: string, at: number, lines: Buffer, objects: ObjectsHere) =>
      fillRest(disk, paths, { id, at, lines, bodies: [...bodiesIn(objects)] }),
    filled: (id: string, title: string | undefined) => endRest(disk, paths, id, title),
    discard: (id: string, at: number) => orBusy((): 'removed' | 'changed' => (deleteSession(disk, paths, id, at) ? 'removed' : 'changed')),
    remove: (id: string, at: number) =>
      orBusy((): 'removed' | 'changed' => {
        if (journalOf(paths, id) !== undefined) return removeAudit(disk, paths, id);
        return deleteSession(disk, paths, id, at) ? 'removed' : 'changed';
      }),
    purge: (texts: readonly string[]) => orBusy(() => purgeAll(disk, paths, texts)),
    /** How far this home and one place agree, kept as it comes. */
    agreementsWith: (target: string) => ({
      read: (): unknown => {
        const kept = readOwnFile(paths.agreements(target));
        return kept === undefined ? undefined : parseJson(kept);
      },
      write: (agreed: object): void => {
        ensureFolder(disk, folderOf(paths.agreements(target)));
        writeFileAtomic(disk, paths.agreements(target), Buffer.from(`${JSON.stringify({ v: 1, ...agreed })}\n`), { point: 'agreements' });
      },
    }),
  };
}

/** A session that was brought here was last used when it was written, wherever that was. */
function keepTime(path: string, lines: Buffer): void {
  const last = readRecord(lines.subarray(lines.lastIndexOf(0x0a, -2) + 1));
  const time = isObject(last) && isString(last.at) ? new Date(last.at) : undefined;
  if (time !== undefined && Number.isFinite(time.getTime())) orUndefined(() => utimesSync(path, time, time));
}

function orBusy<T>(act: () => T): T | 'busy' {
  try {
    return act();
  } catch (error) {
    if (error instanceof SanbotError && error.code === 'session_locked') return 'busy';
    throw error;
  }
}

function purgeAll(disk: Disk, paths: StorePaths, texts: readonly string[]): 'obeyed' | 'refused' {
  try {
    if (entryExists(paths.purgeJournal)) withAllLocks(disk, paths, () => finishPurge(disk, paths));
    for (const text of texts) purge(disk, paths, text);
    return 'obeyed';
  } catch (error) {
    if (error instanceof SanbotError && (error.code === 'usage' || error.code === 'refused')) return 'refused';
    throw error;
  }
}

/** What a writer says of memories is a log too, one that no session has. */
const journalOf = (paths: StorePaths, id: string): string | undefined =>
  id.startsWith('~') && JOURNAL_FILE.test(`${id.slice(1)}.jsonl`) ? join(paths.journals, `${id.slice(1)}.jsonl`) : undefined;

const JOURNAL_FILE = /^[a-z0-9][a-z0-9_-]{0,63}(?:~[a-z0-9][a-z0-9_-]{0,63})?\.jsonl$/;

/** The last line is left out while it has no end: its writer may be at it. */
function readLines(path: string, from: number, maxBytes: number): LinesHere | undefined {
  return withFile(path, (file) => {
    const read = readerOf(file);
    let end = from;
    for (const { position, length } of lineSpans(read, from, 0)) {
      if (end > from && position + length + 1 - from > maxBytes) break;
      end = position + length + 1;
    }
    return end === from ? undefined : describe(read(from, end - from));
  });
}

function describe(bytes: Buffer): LinesHere {
  const numbers: number[] = [];
  const objects = new Set<string>();
  const gone: string[] = [];
  let total = 0;
  for (const line of linesOf(bytes)) {
    const { object, dropped, versionBytes = 0 } = auditRefs(line);
    total += versionBytes;
    if (object !== undefined) objects.add(object);
    if (dropped !== undefined) gone.push(dropped);
    const value = readRecord(line);
    if (isObject(value) && typeof value.n === 'number' && Number.isSafeInteger(value.n) && value.n >= 0) numbers.push(value.n);
    const record = logRecordSchema.safeParse(value);
    if (record.success) for (const { sha256 } of refsOf(record.data)) objects.add(sha256);
  }
  return { bytes, first: numbers[0] ?? 0, last: numbers.at(-1) ?? 0, objects: [...objects], dropped: gone, versionBytes: total };
}

function* linesOf(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(0x0a, from);
    yield bytes.subarray(from, end < 0 ? bytes.length : end);
    from = end < 0 ? bytes.length : end + 1;
  }
}

/** Without what is not here yet, or only in part. */
function digestOf(path: string, end: number, rest: { readonly from: number; readonly to: number } | undefined): string | undefined {
  if (!entryExists(path)) return undefined;
  return withFile(path, (file) => {
    if (fstatSync(file).size < end) return undefined;
    const hash = createHash('sha256');
    const parts = rest === undefined ? [[0, end] as const] : [[0, Math.min(rest.from, end)] as const, [rest.to, end] as const];
    for (const [from, to] of parts) for (const piece of piecesOf(readerOf(file), from, to)) hash.update(piece);
    return hash.digest('hex');
  });
}

/** A log under another name than its own is a fork of that session; its first line says so, and all others stay as they are. */
function asSession(id: string, lines: Buffer): Buffer {
  const end = lines.indexOf(0x0a) + 1;
  const header = readRecord(lines.subarray(0, end));
  if (!isObject(header) || header.type !== 'header' || header.sessionId === id) return lines;
  return Buffer.concat([encodeRecord({ ...header, sessionId: id, parent: header.sessionId }), lines.subarray(end)]);
}

function* bodiesIn(objects: ObjectsHere): Generator<SnapshotBody> {
  for (const bytes of objects.values()) yield { ref: bodyRefOf(bytes), text: decodeBody(bytes) };
}

type NewLog = { readonly id: string; readonly journal: string | undefined; readonly lines: Buffer; readonly objects: ObjectsHere };

function create(disk: Disk, paths: StorePaths, { id, journal, lines, objects }: NewLog): 'appended' | 'changed' {
  if (journal === undefined) {
    const bodies = bodiesIn(objects);
    writeSession(disk, paths, { sessionId: id, log: [asSession(id, lines)], bodies, retired: [], title: titleIn(lines) });
    if (hasCheckpoint(lines)) withLock(disk, paths.sessionLock(id), () => retireRest(disk, paths, id));
    keepTime(paths.log(id), lines);
    return 'appended';
  }
  ensureFolder(disk, paths.journals);
  return createFile(disk, journal, lines, 'journal.create') ? 'appended' : 'changed';
}

type AddedLines = { readonly id: string; readonly at: number; readonly lines: Buffer; readonly objects: ObjectsHere };

/** Under the session's lock, as any writer of it. */
function appendLines(disk: Disk, paths: StorePaths, { id, at, lines, objects }: AddedLines): 'appended' | 'busy' | 'changed' {
  if (!entryExists(join(paths.session(id), 'log.jsonl'))) return 'changed';
  const held = acquireLock(disk, paths.sessionLock(id));
  if (held.kind === 'busy') return 'busy';
  try {
    if (fileSize(paths.log(id)) !== at) return 'changed';
    createBodies(disk, paths, { sessionId: id, maxSessionBytes: Number.POSITIVE_INFINITY }).restore([...bodiesIn(objects)]);
    const outcome = appendAt(disk, paths.log(id), at, lines);
    const title = titleIn(lines);
    if (title !== undefined && outcome === 'appended') writeTitle(disk, paths, { sessionId: id, title });
    if (outcome === 'appended' && hasCheckpoint(lines)) retireRest(disk, paths, id);
    if (outcome === 'appended') keepTime(paths.log(id), lines);
    return outcome;
  } finally {
    held.lock.release();
  }
}

const hasCheckpoint = (lines: Buffer): boolean => lines.includes('"type":"checkpoint"');

function appendAt(disk: Disk, path: string, at: number, lines: Buffer): 'appended' | 'changed' {
  const { file } = openLineFile(disk, path, { point: 'replica' });
  try {
    if (file.size() !== at) return 'changed';
    file.append(lines);
    return 'appended';
  } finally {
    file.close();
  }
}
