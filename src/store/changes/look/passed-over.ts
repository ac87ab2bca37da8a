import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Uncovered } from '../../../domain/session/change.ts';
import { errnoOf } from '../../../domain/value/errno.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { nameOfBytes, onDisk } from '../../files/byte-path.ts';
import type { Disk } from '../../files/disk.ts';
import { closeAgain, createTouchedFolders, type TouchedFolders } from '../touched-folders.ts';
import { isOwnTemporary } from './remade.ts';
import { seenAt, TICK_MS } from './standing.ts';

/** Whether a path below a folder that is passed over may run later, and why that is passed over. */
export type MayRunLater = (path: string, folder: string, why: 'remade' | 'name' | 'unreadable') => boolean;

type PassedOver = {
  readonly uncovered: Uncovered;
  readonly since: number;
  readonly mayRunLater: MayRunLater;
  readonly now: () => number;
  readonly until: number;
};

type Known = { readonly stamp: number; readonly folders: readonly string[]; readonly names: readonly string[] };

const FOLDERS_A_CLOCK = 64;

/**
 * Finds what may run later and was made or changed since in folders that a look passes over: those that a tool makes again, those that cannot
 * be listed (opened for as long as it takes, where they are this user's), and below names that are no text. By the time that the system keeps
 * for itself, which no command can set. What is known of a folder that has not changed is not listed again. Returns what is taken of each while it can be reached.
 */
export function createPassedOver(disk: Disk) {
  const known = new Map<string, Known>();
  return <T>(options: PassedOver, take: (path: string) => T): readonly T[] => {
    const touched = createTouchedFolders(disk);
    const found: string[] = [];
    for (const [path, why] of options.uncovered) {
      if (why !== 'remade' && why !== 'name' && why !== 'unreadable') continue;
      for (const top of why === 'name' ? oddNames(path) : [why === 'remade' ? path : readableTop(path)])
        scan(top, why, { ...options, known, touched, found });
    }
    const taken = [...new Set(found)].map(take);
    closeAgain(touched);
    return taken;
  };
}

type Scan = PassedOver & { readonly known: Map<string, Known>; readonly touched: TouchedFolders; readonly found: string[] };

function scan(top: string, why: 'remade' | 'name' | 'unreadable', { since, until, now, mayRunLater, known, touched, found }: Scan): void {
  const isNew = ({ ctimeMs }: Stats): boolean => ctimeMs >= since - TICK_MS;
  const first = seenAt(top);
  if (first?.isDirectory() === false && isNew(first) && mayRunLater(top, dirname(top), why)) found.push(top);
  const queue = [top];
  for (let i = 0; i < queue.length; i++) {
    if (i % FOLDERS_A_CLOCK === FOLDERS_A_CLOCK - 1 && now() > until) return;
    const folder = queue[i] ?? '';
    const stats = seenAt(folder);
    if (stats?.isDirectory() !== true) continue;
    if (why === 'unreadable' && (stats.mode & 0o500) !== 0o500) touched.enter(folder);
    const former = known.get(folder);
    const isKnown = former !== undefined && former.stamp === stats.ctimeMs && !isNew(stats);
    const listed = isKnown ? former : list(folder, stats, (path) => mayRunLater(path, top, why));
    known.set(folder, listed);
    for (const name of listed.names) {
      const path = `${folder}/${name}`;
      const each = seenAt(path);
      if (each !== undefined && isNew(each)) found.push(path);
    }
    queue.push(...listed.folders.map((name) => `${folder}/${name}`));
  }
}

function list(folder: string, { ctimeMs }: Stats, matters: (path: string) => boolean): Known {
  const folders: string[] = [];
  const names: string[] = [];
  for (const entry of orUndefined(() => readdirSync(onDisk(folder), { withFileTypes: true, encoding: 'buffer' })) ?? []) {
    const name = nameOfBytes(entry.name);
    if (entry.isDirectory()) folders.push(name);
    else if (!isOwnTemporary(name) && matters(`${folder}/${name}`)) names.push(name);
  }
  return { stamp: ctimeMs, folders, names };
}

/** Which names that are no text a name stands for that has a mark in their place. */
function oddNames(path: string): readonly string[] {
  const folder = dirname(path);
  return (orUndefined(() => readdirSync(onDisk(folder), 'buffer')) ?? [])
    .filter((bytes) => bytes.toString() === basename(path))
    .map((bytes) => `${folder}/${nameOfBytes(bytes)}`);
}

/** The folder in which names can be listed and not looked at, or the path itself. */
const readableTop = (path: string): string => {
  try {
    lstatSync(path);
    return path;
  } catch (error) {
    return errnoOf(error) === 'EACCES' ? dirname(path) : path;
  }
};
