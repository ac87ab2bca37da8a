import { isUtf8 } from 'node:buffer';
import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { SanbotError } from '../../domain/errors.ts';
import { writeFileAtomic } from '../files/atomic-write.ts';
import { type Disk, ensureFolder } from '../files/disk.ts';
import { orStoreFailure } from '../files/failure.ts';
import { folderOf, printablePath } from '../files/paths.ts';
import { readBytes } from '../files/read-text.ts';

/** Returns the new bytes of a file, or undefined to leave it alone; gets no bytes when there is no file. May be called more than once. */
export type EditBytes = (bytes: Buffer) => Buffer | undefined;

/**
 * Changes a file that people also write to. If an editor saves between our read and our write, the file is read again: the editor's text
 * stays, and ours is added to it. `point` names the steps of the replacement. Throws store_failed.
 */
export function changeBytes(disk: Disk, filePath: string, { point, change }: { readonly point: string; readonly change: EditBytes }): void {
  ensureFolder(disk, folderOf(filePath));
  for (let attempt = 0; attempt < 10; attempt++) {
    const path = resolveLink(filePath);
    const before = statSync(path, { throwIfNoEntry: false });
    const bytes = change(readBytes(path, Number.POSITIVE_INFINITY) ?? Buffer.alloc(0));
    if (bytes === undefined) return;
    const isUnchanged = () => isSame(before, statSync(path, { throwIfNoEntry: false }));
    if (writeFileAtomic(disk, path, bytes, { point, isUnchanged })) return;
  }
  throw new SanbotError('store_failed', {
    en: `${printablePath(filePath)} keeps changing while SanBot changes it`,
    zh: `SanBot 修改 ${printablePath(filePath)} 时，它不断被改动`,
  });
}

/** The same for a page of text. Throws store_damaged for a page that is not UTF-8, which would not survive decoding. */
export function changePage(disk: Disk, path: string, change: (page: string) => string): void {
  changeBytes(disk, path, {
    point: 'memory',
    change: (bytes) => {
      if (!isUtf8(bytes))
        throw new SanbotError('store_damaged', { en: `${printablePath(path)} is not UTF-8`, zh: `${printablePath(path)} 不是 UTF-8` });
      const page = bytes.toString('utf8');
      const next = change(page);
      return next === page ? undefined : Buffer.from(next, 'utf8');
    },
  });
}

/** Returns the target of a linked file, so that the target is written and the link stays, as in a folder of dotfiles. */
const resolveLink = (path: string): string =>
  orStoreFailure('follow the link', path, () => (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? realpathSync(path) : path));

const isSame = (a: Stats | undefined, b: Stats | undefined): boolean =>
  a?.ino === b?.ino && a?.size === b?.size && a?.mtimeMs === b?.mtimeMs && a?.ctimeMs === b?.ctimeMs;

type Digest = { readonly day: string; readonly text: string };
type DigestOutcome = 'added' | 'closed' | 'full';

/**
 * Adds a digest under the heading of its day. The first digest that does not fit closes the page with a line that says so (`closed`); any
 * later one is `full`. Throws store_failed.
 */
export function addDigest(disk: Disk, path: string, { day, text }: Digest): DigestOutcome {
  let outcome: DigestOutcome = 'added';
  const change = (bytes: Buffer) => {
    const start = bytes.length === 0 ? Buffer.from(`# ${day}\n\n`, 'utf8') : bytes;
    const gap = start.length > 0 && start[start.length - 1] !== 0x0a ? '\n' : '';
    const digest = Buffer.from(`${gap}${text.toWellFormed()}`, 'utf8');
    outcome = bytes.includes(FULL_DAY_LINE) ? 'full' : start.length + digest.length <= MAX_DAILY_BYTES ? 'added' : 'closed';
    if (outcome === 'full') return undefined;
    return Buffer.concat([start, outcome === 'added' ? digest : Buffer.from(`${gap}${FULL_DAY_LINE}\n`, 'utf8')]);
  };
  changeBytes(disk, path, { point: 'memory', change });
  return outcome;
}

/** Room for some two thousand turns. */
const MAX_DAILY_BYTES = 1024 * 1024;
const FULL_DAY_LINE = '- This day is full: its further turns stand in the logs of their sessions.';
