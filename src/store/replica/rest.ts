/**
 * A session of which only the end is here: its header, then what follows from its newest checkpoint on, each at the byte where it is in the
 * whole log. The rest is a hole in the file, until it is fetched and written into it; `rest.json` beside the log says where that is.
 */

import { fsyncSync, ftruncateSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { SnapshotBody } from '../../agent/ports/disk.ts';
import { SanbotError } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import { isObject, parseJson } from '../../domain/value/json.ts';
import { unlinkIfExists } from '../files/atomic-write.ts';
import { type Disk, faultPoint, fsyncFolder, openToWrite, readOwnFile, useAndClose, writeAll } from '../files/disk.ts';
import { orStoreFailure } from '../files/failure.ts';
import { acquireLock } from '../files/lock.ts';
import { printablePath, REST, restPath, type StorePaths } from '../files/paths.ts';
import { encodeRecord, readRecord, titleIn } from '../files/record-line.ts';
import { rewriteLines } from '../files/rewrite-lines.ts';
import { createBodies, liveRefs } from '../session/bodies/bodies.ts';
import { ELSEWHERE } from '../session/log-reader.ts';
import { peekSession, readTitle, writeTitle } from '../session/peek-session.ts';
import { writeSession } from '../snapshot/write-session.ts';

/** The bytes of the log that are not here, and the segment with which it ended when it came. */
const restSchema = z.object({
  ...{ v: z.literal(1), from: z.int().positive(), to: z.int().positive() },
  at: z.object({ chain: z.string(), hash: z.string(), seq: z.int().positive(), end: z.int().positive() }),
});
type Rest = Readonly<z.infer<typeof restSchema>>;

/** Undefined for a session that is here as a whole. */
export function restOf(paths: StorePaths, sessionId: string): Rest | undefined {
  const kept = readOwnFile(restPath(paths, sessionId));
  if (kept === undefined) return undefined;
  const parsed = restSchema.safeParse(parseJson(kept));
  if (parsed.success) return parsed.data;
  const path = printablePath(restPath(paths, sessionId));
  throw new SanbotError('store_damaged', { en: `${path} is damaged`, zh: `${path} 已损坏` }, deleteHint(sessionId));
}

const deleteHint = (id: string): Bilingual => ({
  en: `sanbot sessions delete ${id} removes what is here of the session; the hub keeps it.`,
  zh: `sanbot sessions delete ${id} 会删除该会话在此处的部分；hub 中的保留。`,
});

export type SessionEnd = {
  readonly header: Buffer;
  /** From the newest checkpoint on, which is at `to` in the whole log. */
  readonly tail: Buffer;
  readonly to: number;
  readonly at: Rest['at'];
  readonly bodies: Iterable<SnapshotBody>;
};

/** A line of the hole is short enough to be held in memory, and a record: a SanBot that does not know it leaves it alone. */
const HOLE_LINE_BYTES = 32 * 1024 * 1024;

/** Makes a session of its end, as a whole or not at all. */
export function writeEnd(disk: Disk, paths: StorePaths, sessionId: string, { header, tail, to, at, bodies }: SessionEnd): void {
  const from = header.length;
  const first = readRecord(tail.subarray(0, tail.indexOf(0x0a) + 1));
  const next = isObject(first) && typeof first.n === 'number' ? first.n : 1;
  const lines = Math.ceil((to - from) / HOLE_LINE_BYTES);
  const fill = (folder: string): void => {
    useAndClose(openToWrite(disk, join(folder, 'log.jsonl')), (file) => {
      ftruncateSync(file, to);
      for (let left = lines - 1; left >= 0; left--) {
        const record = encodeRecord({ type: ELSEWHERE, n: next - 1 - left });
        writeAll(disk, file, record, 'rest', to - left * HOLE_LINE_BYTES - record.length);
      }
      writeAll(disk, file, tail, 'rest', to);
      fsyncSync(file);
    });
    rewriteLines(disk, join(folder, REST), [Buffer.from(`${JSON.stringify({ v: 1, from, to, at })}\n`)]);
  };
  writeSession(disk, paths, { sessionId, log: [header], bodies, retired: [], title: titleIn(tail), fill });
}

/** Writes lines to where they are in the whole log, as far as they are missing. The session may be open meanwhile: it grows at its end alone. */
export function fillRest(
  disk: Disk,
  paths: StorePaths,
  { id, at, lines, bodies }: { readonly id: string; readonly at: number; readonly lines: Buffer; readonly bodies: readonly SnapshotBody[] },
): void {
  const rest = restOf(paths, id);
  if (rest === undefined) return;
  createBodies(disk, paths, { sessionId: id, maxSessionBytes: Number.POSITIVE_INFINITY }).restore(bodies);
  const [from, to] = [Math.max(at, rest.from), Math.min(at + lines.length, rest.to)];
  if (from < to) inLog(disk, paths.log(id), (file) => writeAll(disk, file, lines.subarray(from - at, to - at), 'rest', from));
}

/** All that was missing is written. `title`: the last that stands in it. */
export function endRest(disk: Disk, paths: StorePaths, id: string, title: string | undefined): void {
  inLog(disk, paths.log(id), (file) => {
    faultPoint(disk, 'rest.sync');
    fsyncSync(file);
  });
  if (title !== undefined && readTitle(paths, id) === undefined) writeTitle(disk, paths, { sessionId: id, title });
  unlinkIfExists(restPath(paths, id));
  fsyncFolder(disk, paths.session(id), 'rest');
  const held = acquireLock(disk, paths.sessionLock(id));
  // What another process has open is left to the next change of its context.
  if (held.kind === 'held' || held.holder.pid === disk.pid) retireRest(disk, paths, id);
  if (held.kind === 'held') held.lock.release();
}

/** To what came before the last checkpoint the context refers no more, as after a compaction here. */
export function retireRest(disk: Disk, paths: StorePaths, id: string): void {
  const bodies = createBodies(disk, paths, { sessionId: id, maxSessionBytes: Number.POSITIVE_INFINITY });
  bodies.retire(new Set(liveRefs(peekSession(paths, id)).keys()));
}

const inLog = (disk: Disk, path: string, write: (file: number) => void): void =>
  orStoreFailure('write', path, () => useAndClose(openToWrite(disk, path), write));
