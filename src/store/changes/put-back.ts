import {
  chmodSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { errorReason, ReasonError } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import type { Manifest, PutBack, PutBackProblem } from '../../domain/session/change.ts';
import { errnoOf } from '../../domain/value/errno.ts';
import { type Disk, faultPoint } from '../files/disk.ts';
import { createHardLinks, type HardLinks, hasThose, setFacts } from './hard-links.ts';

/**
 * Makes paths what they were: what is to go goes first, folders are made from the top and their modes set last, each file is replaced whole.
 * Cut off anywhere, each path is as it was or as it is to be; doing it again finishes it. `known` is what stands there
 * now. Returns what could not be done, and why.
 */
export function putBack(disk: Disk, all: readonly PutBack[], known: Manifest): readonly PutBackProblem[] {
  const problems: PutBackProblem[] = [];
  const links = createHardLinks(known, all);
  const attempt = (each: PutBack, work: (each: PutBack) => void): void => {
    try {
      const why = blocked(each.path);
      if (why !== undefined) throw new ReasonError(why);
      faultPoint(disk, 'restore.path');
      work(each);
    } catch (error) {
      problems.push({ path: each.path, why: errorReason(error) });
    }
  };
  const down = all.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const up = down.toReversed();
  for (const each of up) if (each.to === null) attempt(each, remove);
  for (const each of down) if (each.to?.kind === 'folder') attempt(each, makeFolder);
  for (const each of down) if (each.to?.kind === 'file' || each.to?.kind === 'link') attempt(each, (one) => replace(one, { disk, links }));
  for (const each of up) if (each.to?.kind === 'folder') attempt(each, setMode);
  return [...problems, ...links.broken()];
}

const NOT_KEPT: Bilingual = { en: 'what it held then is not kept', zh: '当时的内容没有保留' };
const LED_ELSEWHERE: Bilingual = { en: 'a link on the way to it leads elsewhere now', zh: '途中的链接现已指向别处' };

type Means = { readonly disk: Disk; readonly links: HardLinks };

/** Why nothing can be done at a path: a link is on the way to it, as far as that exists. */
export function blocked(path: string): Bilingual | undefined {
  let folder = dirname(path);
  while (lstatSync(folder, { throwIfNoEntry: false }) === undefined && dirname(folder) !== folder) folder = dirname(folder);
  return realpathSync(folder) === folder ? undefined : LED_ELSEWHERE;
}

function remove({ path }: PutBack): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isDirectory()) {
    unlinkSync(path);
    return;
  }
  try {
    rmdirSync(path);
  } catch (error) {
    // What others put there stays, and its folder with it.
    if (!['ENOTEMPTY', 'EEXIST'].includes(errnoOf(error))) throw error;
  }
}

function makeFolder({ path }: PutBack): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) {
    if ((stats.mode & 0o700) !== 0o700) chmodSync(path, stats.mode | 0o700);
    return;
  }
  if (stats !== undefined) unlinkSync(path);
  mkdirSync(path, { recursive: true });
}

const setMode = ({ path, to }: PutBack): void => {
  if (to !== null) chmodSync(path, to.mode);
};

function replace({ path, to, bytes }: PutBack, { disk, links }: Means): void {
  if (to === null) return;
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  const now = lstatSync(path, { throwIfNoEntry: false });
  if (now?.isDirectory() === true) rmdirSync(path);
  if (now?.isFile() === true && to.kind === 'file' && hasThose(path, now, to, bytes)) {
    setFacts(path, to);
    links.add(path, to);
    return;
  }
  const temporary = join(folder, `.sanbot-${disk.newId()}.tmp`);
  try {
    if (to.kind === 'link') {
      if (to.holds?.startsWith('link:') !== true) throw new ReasonError(NOT_KEPT);
      symlinkSync(to.holds.slice('link:'.length), temporary);
      lutimesSync(temporary, to.mtime / 1000, to.mtime / 1000);
    } else {
      if (!links.linkTo(path, to, bytes, temporary)) {
        if (bytes === undefined) throw new ReasonError(NOT_KEPT);
        writeFileSync(temporary, bytes, { mode: 0o600, flag: 'wx', flush: true });
      }
      setFacts(temporary, to);
    }
    faultPoint(disk, 'restore.rename');
    renameSync(temporary, path);
  } catch (error) {
    if (lstatSync(temporary, { throwIfNoEntry: false }) !== undefined) unlinkSync(temporary);
    throw error;
  }
  if (to.kind === 'file') links.add(path, to, now);
}
