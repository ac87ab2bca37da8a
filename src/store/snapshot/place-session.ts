import { lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SnapshotBody } from '../../agent/ports.ts';
import { SanbotError } from '../../domain/errors.ts';
import { type Disk, ensureFolder, step, syncFolder } from '../files/disk.ts';
import { storeFailure } from '../files/failure.ts';
import { encodeLine } from '../files/json-line.ts';
import type { StorePaths } from '../files/paths.ts';
import { rewriteLines } from '../files/rewrite-lines.ts';
import { encodeBody, refOf } from '../session/body-text.ts';

export type NewSession = {
  readonly sessionId: string;
  /** The lines of its log, each with its end; the header first. */
  readonly log: Iterable<Uint8Array>;
  /** In files, for the stubs of its context. */
  readonly bodies: Iterable<SnapshotBody>;
  /** In bodies.jsonl. */
  readonly retired: Iterable<SnapshotBody>;
  readonly title: string | undefined;
};

/**
 * Makes a whole session at once: it is put together beside the others and gets its name when all of it is on disk, so that a crash
 * leaves no half of one, and no stub without its body. Throws store_failed; there is nothing new then.
 */
export function placeSession(disk: Disk, paths: StorePaths, session: NewSession): void {
  const { sessionId } = session;
  const folder = paths.session(sessionId);
  ensureFolder(disk, paths.sessions);
  // The name of a deletion cut short: what a crash leaves goes with sanbot clean.
  const making = join(paths.sessions, `.${sessionId}.${disk.newId()}.deleted`);
  try {
    step(disk, 'place.folder');
    mkdirSync(making, { mode: 0o700 });
    mkdirSync(join(making, 'offloaded'), { mode: 0o700 });
    fill(disk, making, session);
    if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined)
      throw new SanbotError('store_failed', `There is a session ${sessionId} already`);
    step(disk, 'place.rename');
    renameSync(making, folder);
    syncFolder(disk, paths.sessions, 'place');
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    throw storeFailure(error, 'write', folder);
  }
}

function fill(disk: Disk, making: string, { log, bodies, retired, title }: NewSession): void {
  for (const { ref, text } of bodies)
    rewriteLines(disk, join(making, 'offloaded', `${ref.sha256.slice(0, 32)}.txt`), [checked(ref.sha256, text)]);
  const lines = retiredLines(retired);
  const first = lines.next();
  if (first.done !== true) rewriteLines(disk, join(making, 'bodies.jsonl'), withFirst(first.value, lines));
  if (title !== undefined) rewriteLines(disk, join(making, 'title'), [Buffer.from(title, 'utf8')]);
  rewriteLines(disk, join(making, 'log.jsonl'), log);
}

function* withFirst(first: Uint8Array, rest: Iterable<Uint8Array>): Generator<Uint8Array> {
  yield first;
  yield* rest;
}

function* retiredLines(bodies: Iterable<SnapshotBody>): Generator<Uint8Array, undefined> {
  for (const { ref, text } of bodies) {
    checked(ref.sha256, text);
    yield encodeLine({ sha256: ref.sha256, bytes: ref.bytes, lines: ref.lines, text });
  }
  return undefined;
}

/** The bytes of a body, which must be what its hash says. */
function checked(sha256: string, text: string): Buffer {
  const bytes = encodeBody(text);
  if (refOf(bytes).sha256 === sha256) return bytes;
  throw new SanbotError('store_damaged', `The result ${sha256.slice(0, 32)} is not what its hash says`);
}
