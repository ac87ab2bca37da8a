import { join } from 'node:path';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { type Disk, readOwnFile } from '../../files/disk.ts';
import { readHost } from '../../files/host.ts';
import { activeHolder } from '../../files/lock.ts';
import { CHANGES_LOG, namesIn, type StorePaths } from '../../files/paths.ts';
import { isBaseName } from '../change-lines.ts';
import { createContents } from '../contents.ts';
import {
  closedSteps,
  type HomeLimits,
  oldestFirst,
  oldestKept,
  pruneClosed,
  recordedSessions,
  recordSize,
  whileClosed,
} from './home-room.ts';
import type { PruneStep } from './prune.ts';

/** What a session no longer keeps, or would not: older than the days, beyond what the home may keep, or needed by nothing. */
export type CleanedChanges = { readonly sessionId: string; readonly bytes: number; readonly why: 'age' | 'size' | 'unneeded' };

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

/** Contents that no line names: left when a process was killed. */
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
