import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { because } from '../../../domain/language.ts';
import { groupBy } from '../../../domain/lists.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { type Disk, fileSize, readOwnFile } from '../../files/disk.ts';
import { failureReason } from '../../files/failure.ts';
import { readHost } from '../../files/host.ts';
import { acquireLock, activeHolder } from '../../files/lock.ts';
import { CHANGES_LOG, isId, namesIn, type StorePaths } from '../../files/paths.ts';
import { isBaseName, lastNumber } from '../change-lines.ts';
import { contentFiles, createContents } from '../contents.ts';
import { keptFolders } from '../git/object-links.ts';
import { dropObjects, dropSets, lostObjects, type PruneStep, readRecorded, stepsOf, stepsToFree } from './prune.ts';

export type HomeLimits = { readonly keep: number; readonly homeBytes: number };

/** What the sessions of a home keep of the changes of commands, as seen by one of them. */
export type HomeRoom = {
  readonly maxBytes: number;
  readonly oldest: () => string;
  /** Bytes of the other sessions, measured when it is first asked for; what other processes add since is not seen. */
  readonly others: () => number;
  /** Chooses what goes, the oldest first, to free so many bytes: drops it of sessions that nobody has open, and returns it of one's own. */
  readonly free: (bytes: number, own: readonly PruneStep[]) => readonly PruneStep[];
  readonly expire: () => void;
};

const logOf = (folder: string): string => join(folder, CHANGES_LOG);

const DAY_MS = 86_400_000;
/** All sessions are not looked at again sooner, where that did not help. */
const PAUSE_MS = 600_000;

export function createHomeRoom(disk: Disk, paths: StorePaths, ownId: string, { keep, homeBytes }: HomeLimits): HomeRoom {
  let sizes: Map<string, number> | undefined;
  let looked = Number.NEGATIVE_INFINITY;
  const measured = (): Map<string, number> => {
    sizes ??= new Map(recordedSessions(paths).flatMap((id) => (id === ownId ? [] : [[id, recordSize(paths.changes(id))]])));
    return sizes;
  };
  const prune = (id: string, until: string): void => {
    pruneClosed(disk, paths, id, until);
    measured().set(id, recordSize(paths.changes(id)));
  };
  return {
    maxBytes: homeBytes,
    oldest: () => oldestKept(disk, keep),
    others: () => [...measured().values()].reduce((sum, bytes) => sum + bytes, 0),
    free: (bytes, own) => {
      const now = disk.now().getTime();
      const host = readHost(disk);
      const isFree = (id: string): boolean => activeHolder(paths.sessionLock(id), host) === undefined;
      const others = now - looked < PAUSE_MS ? [] : [...measured().keys()].filter(isFree);
      const steps = others.map((id): [string, readonly PruneStep[]] => [id, orUndefined(() => closedSteps(disk, paths.changes(id))) ?? []]);
      const going = oldestFirst(new Map([...steps, [ownId, own]]), bytes);
      const freed = [...going.values()].flat().reduce((sum, step) => sum + step.bytes, 0);
      if (freed < bytes) looked = now;
      for (const id of others) {
        const until = going.get(id)?.at(-1)?.at;
        if (until !== undefined) prune(id, until);
      }
      return going.get(ownId) ?? [];
    },
    expire: () => {
      const until = oldestKept(disk, keep);
      for (const id of measured().keys()) if (isExpired(paths.changes(id), until)) prune(id, until);
    },
  };
}

const oldestKept = (disk: Disk, keep: number): string => new Date(disk.now().getTime() - keep * DAY_MS).toISOString();

/** By session, what goes so that so many bytes are freed: the oldest of all first. */
function oldestFirst(steps: ReadonlyMap<string, readonly PruneStep[]>, bytes: number): ReadonlyMap<string, readonly PruneStep[]> {
  const all = [...steps].flatMap(([id, own]) => own.map((step) => ({ id, step })));
  const sorted = all.sort(({ step: a }, { step: b }) => (a.at < b.at ? -1 : Number(a.at > b.at)));
  const count = stepsToFree(
    sorted.map(({ step }) => step),
    bytes,
  ).length;
  const going = groupBy(sorted.slice(0, count), ({ id }) => id);
  return new Map([...going].map(([id, own]) => [id, own.map(({ step }) => step)]));
}

const recordedSessions = (paths: StorePaths): readonly string[] =>
  namesIn(paths.sessions).filter((id) => isId(id) && existsSync(logOf(paths.changes(id))));

/**
 * Bytes that a record takes. Of the objects of repositories only packs are looked at: of the small ones there may be a hundred thousand,
 * and this is asked before the first command of a process.
 */
function recordSize(folder: string): number {
  const names = namesIn(folder);
  const files = [...contentFiles(folder), ...names.filter(isBaseName)].map((name) => join(folder, name));
  const packs = keptFolders(join(folder, 'git')).flatMap(([kept, from]) => {
    const own = new Set(namesIn(join(from, 'pack')));
    return namesIn(join(kept, 'pack')).flatMap((name) => (own.has(name) ? [] : [join(kept, 'pack', name)]));
  });
  return [...files, ...packs, logOf(folder)].reduce((sum, path) => sum + fileSize(path), 0);
}

/** Nothing was written to it since, and there is more than what edits need. */
function isExpired(folder: string, until: string): boolean {
  const written = orUndefined(() => lstatSync(logOf(folder)).mtimeMs);
  return written !== undefined && written < Date.parse(until) && namesIn(folder).some((name) => isBaseName(name) || name === 'git');
}

/**
 * What could be dropped of a record that nobody has open. Where an act was cut off, what it did follows from all that is there: that goes as
 * a whole, when the act is the oldest there is.
 */
function closedSteps(disk: Disk, folder: string): readonly PruneStep[] {
  const { sets, lines, unfinished } = readRecorded(folder);
  const contents = createContents(disk, folder);
  const [first, ...more] = stepsOf(sets, { contents, standpoints: new Map(), keptFrom: Number.POSITIVE_INFINITY });
  const bases = namesIn(folder).filter(isBaseName);
  const baseBytes = bases.reduce((sum, name) => sum + fileSize(join(folder, name)), 0);
  const steps = first === undefined ? more : [{ ...first, bytes: first.bytes + baseBytes }, ...more];
  const extra = new Map<number, number>();
  for (const { bytes, since } of lostObjects(join(folder, 'git'))) {
    const at = steps.findIndex((step) => step.at !== '' && Date.parse(step.at) >= since);
    if (at >= 0) extra.set(at, (extra.get(at) ?? 0) + bytes);
  }
  const all = steps.map((step, at) => ({ ...step, bytes: step.bytes + (extra.get(at) ?? 0) }));
  if (unfinished === undefined) return all;
  const at = [unfinished, ...all.map((step) => step.at)].sort().at(-1) ?? unfinished;
  return [{ n: lastNumber(lines), at, bytes: all.reduce((sum, step) => sum + step.bytes, 0) }];
}

function pruneClosed(disk: Disk, paths: StorePaths, id: string, until: string): void {
  whileClosed(disk, paths, id, (folder) => {
    const { unfinished } = readRecorded(folder);
    if (unfinished !== undefined && unfinished > until) return;
    const needs = { contents: createContents(disk, folder), standpoints: new Map() };
    dropObjects(
      folder,
      dropSets(disk, folder, ({ at }) => at <= until, needs),
      needs,
    );
  });
}

/** Works on the record of a session under its lock. Warns of a failure, and leaves a session in use alone. */
function whileClosed(disk: Disk, paths: StorePaths, id: string, work: (folder: string) => void): void {
  const folder = paths.changes(id);
  try {
    const result = acquireLock(disk, paths.sessionLock(id));
    if (result.kind === 'busy') return;
    try {
      work(folder);
    } finally {
      result.lock.release();
    }
  } catch (error) {
    const what = { en: `What session ${id} keeps of its commands was not cleaned`, zh: `未清理会话 ${id} 为其命令保留的内容` };
    disk.warn(because(what, failureReason(error, folder)));
  }
}

/** What a session no longer keeps, or would not: older than the days, beyond what the home may keep, or needed by nothing. */
type CleanedChanges = { readonly sessionId: string; readonly bytes: number; readonly why: 'age' | 'size' | 'unneeded' };

/** Drops what is over the limits in sessions that nobody has open, or only tells what that would be. */
export function cleanChanges(
  disk: Disk,
  paths: StorePaths,
  { keep, homeBytes, dryRun }: HomeLimits & { readonly dryRun: boolean },
): { readonly dropped: readonly CleanedChanges[]; readonly keptBytes: number } {
  const host = readHost(disk);
  const oldest = oldestKept(disk, keep);
  const sessions = recordedSessions(paths);
  const free = sessions.filter((id) => activeHolder(paths.sessionLock(id), host) === undefined);
  // A record that cannot be read is the doctor's.
  const steps = new Map(free.map((id) => [id, orUndefined(() => closedSteps(disk, paths.changes(id))) ?? []]));
  const expired = [...steps].flatMap(([id, all]) => {
    const old = all.filter(({ at }) => at < oldest);
    const until = old.at(-1)?.at ?? '';
    return until === '' ? [] : [{ sessionId: id, bytes: bytesOf(old), why: 'age' as const, until }];
  });
  const total = sessions.reduce((sum, id) => sum + recordSize(paths.changes(id)), 0) - bytesOf(expired);
  const left = new Map([...steps].map(([id, all]) => [id, all.filter(({ at }) => at >= oldest)]));
  const beyond = [...oldestFirst(left, total - homeBytes)].map(([id, going]) => ({
    ...{ sessionId: id, bytes: bytesOf(going), why: 'size' as const },
    until: going.at(-1)?.at ?? '',
  }));
  const pruned = [...expired, ...beyond];
  const unneeded = free.flatMap((id) => {
    const bytes = pruned.some(({ sessionId }) => sessionId === id) ? 0 : unneededBytes(disk, paths.changes(id));
    return bytes === 0 ? [] : [{ sessionId: id, bytes, why: 'unneeded' as const }];
  });
  if (!dryRun) {
    for (const { sessionId, until } of pruned) pruneClosed(disk, paths, sessionId, until);
    for (const { sessionId } of unneeded)
      whileClosed(disk, paths, sessionId, (folder) => {
        const named = namedIn(folder);
        createContents(disk, folder).retain((sha256) => named.has(sha256));
      });
  }
  const dropped = [...pruned.map(({ sessionId, bytes, why }) => ({ sessionId, bytes, why })), ...unneeded];
  return { dropped, keptBytes: Math.max(0, total - bytesOf(beyond) - bytesOf(unneeded)) };
}

const bytesOf = (all: readonly Pick<PruneStep, 'bytes'>[]): number => all.reduce((sum, { bytes }) => sum + bytes, 0);

function unneededBytes(disk: Disk, folder: string): number {
  const named = namedIn(folder);
  return [...createContents(disk, folder).places()].reduce((sum, [sha256, { bytes }]) => (named.has(sha256) ? sum : sum + bytes), 0);
}

/** All that could be the hash of a content, in the log, in what repairs kept of it, and in what stands in folders. */
function namedIn(folder: string): ReadonlySet<string> {
  const names = namesIn(folder).filter((name) => isBaseName(name) || name.startsWith(CHANGES_LOG));
  const texts = names.map((name) => readOwnFile(join(folder, name))?.toString('latin1') ?? '');
  return new Set(texts.flatMap((text) => text.match(/(?<=sha256:)[0-9a-f]{64}/g) ?? []));
}
