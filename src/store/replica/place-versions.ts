import { join } from 'node:path';
import type { ChangeSet } from '../../domain/session/change.ts';
import { changeLine, lastNumber, linesIn } from '../changes/change-lines.ts';
import { type Contents, createContents } from '../changes/contents.ts';
import { withoutLost } from '../changes/room/prune.ts';
import { type Disk, ensureFolder, entryExists } from '../files/disk.ts';
import { openLineFile } from '../files/line-file.ts';
import { acquireLock, type Lock } from '../files/lock.ts';
import { auditedSession, CHANGES_LOG, isId, namesIn, type StorePaths } from '../files/paths.ts';
import { sha256Of } from '../session/bodies/body-text.ts';
import { recordBefore, recordTimes, toldSetIn, versionIn } from './version-lines.ts';

type Objects = ReadonlyMap<string, Buffer>;

export function appendTo(disk: Disk, path: string, lines: readonly Buffer[]): void {
  const { file } = openLineFile(disk, path, { point: 'versions' });
  try {
    file.append(Buffer.concat(lines));
  } finally {
    file.close();
  }
}

/** The session of a journal, and those in which another state of it is here. */
export function statesOf(paths: StorePaths, log: string): readonly string[] {
  const session = auditedSession(log) ?? '';
  const others = namesIn(paths.sessions).filter((id) => isId(id) && id.startsWith(`${session}-`) && /-[0-9a-f]{8}$/.test(id));
  return [session, ...others].filter((id) => isId(id) && entryExists(paths.log(id)));
}

type Given = { readonly log: string; readonly lines: Buffer; readonly objects: Objects };

/** Adds what lines tell to the changes of their session. `changed`: it is not here, or not as far yet. */
export function placeVersions(disk: Disk, paths: StorePaths, { log, lines, objects }: Given): 'appended' | 'busy' | 'changed' {
  const all = lines
    .toString('latin1')
    .split(/(?<=\n)/)
    .map((line) => Buffer.from(line, 'latin1'));
  const told = all.flatMap((line) => toldSetIn(line) ?? []);
  const states = statesOf(paths, log);
  const records = new Set(told.flatMap(({ set }) => recordBefore(set) ?? []));
  const times = states.map((id) => [id, recordTimes(paths.log(id), records)] as const);
  const placed = new Map<string, ChangeSet[]>();
  let at = states[0];
  for (const { set, said } of told) {
    const record = recordBefore(set);
    if (record !== undefined) at = times.find(([, known]) => said !== undefined && known.get(record) === said)?.[0];
    if (at === undefined) return 'changed';
    placed.set(at, [...(placed.get(at) ?? []), set]);
  }
  if (states.length === 0) return 'changed';
  const locks: Lock[] = [];
  try {
    for (const id of states) {
      const held = acquireLock(disk, paths.sessionLock(id));
      if (held.kind === 'busy') return 'busy';
      locks.push(held.lock);
    }
    for (const id of states) {
      const contents = createContents(disk, paths.changes(id));
      placeContents(contents, { all, objects });
      // What its machine no longer had is not missed here.
      const sets = (placed.get(id) ?? []).map((set) => withoutLost(set, contents.has));
      placeSets(disk, paths.changes(id), sets);
    }
    return 'appended';
  } finally {
    for (const lock of locks) lock.release();
  }
}

type Contained = { readonly all: readonly Buffer[]; readonly objects: Objects };

/** What is not what its line says is left out. */
function placeContents(contents: Contents, { all, objects }: Contained): void {
  for (const { sha256, of } of all.flatMap((line) => versionIn(line) ?? [])) {
    const object = objects.get(sha256);
    const content = object?.subarray(object.indexOf(0x0a) + 1);
    if (content === undefined || sha256Of(content) !== of) continue;
    contents.add(content, of);
    contents.commit();
  }
}

/** `of`: the number where it was noted. It tells nothing of what stands in folders here. */
function placeSets(disk: Disk, folder: string, sets: readonly ChangeSet[]): void {
  const path = join(folder, CHANGES_LOG);
  const lines = linesIn(path);
  const there = new Set(lines.map(({ of, n, at }) => `${of ?? n} ${at}`));
  const fresh = sets.filter(({ n, at }) => !there.has(`${n} ${at}`));
  if (fresh.length === 0) return;
  ensureFolder(disk, folder);
  const last = lastNumber(lines);
  const line = (set: ChangeSet, i: number) => ({ ...set, n: last + 1 + i, of: set.n, changes: set.changes.map(changeLine) });
  appendTo(
    disk,
    path,
    fresh.map((set, i) => Buffer.from(`${JSON.stringify(line(set, i))}\n`)),
  );
}
