import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { errorReason } from '../../domain/errors.ts';
import { staleTemporaries } from '../files/atomic-write.ts';
import type { Disk } from '../files/disk.ts';
import { type Finding, finding, type PartialFinding } from './finding.ts';

export type FileCheckOptions = {
  readonly sessionOf: (path: string) => string | undefined;
  /** Files that a repair set aside; half-written ones among them are not reported. */
  readonly setAsideFolder: string;
};

/** Checks a folder and everything below it for wrong modes, unreadable folders and files left half written by a crash. Never throws. */
export function checkFiles(disk: Disk, folder: string, { sessionOf, setAsideFolder }: FileCheckOptions): readonly Finding[] {
  const findings: Finding[] = [];
  const add = (found: PartialFinding) => findings.push({ ...found, sessionId: sessionOf(found.path) });
  const visit = (path: string): void => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    // A link was made by the user and is left alone.
    if (stats === undefined || stats.isSymbolicLink()) return;
    const mode = disk.platform === 'win32' ? undefined : modeFinding(path, stats);
    if (mode !== undefined) add(mode);
    if (!stats.isDirectory()) return;
    const temporaries = path === setAsideFolder || path.startsWith(join(setAsideFolder, '/')) ? [] : staleTemporaries(disk, path);
    for (const temporary of temporaries)
      add(
        finding(
          'temporary',
          temporary,
          { en: 'half written by a process that was killed', zh: '进程被终止时只写了一半' },
          { en: 'sets it aside', zh: '移到一旁' },
        ),
      );
    try {
      for (const name of readdirSync(path)) visit(join(path, name));
    } catch (error) {
      add(finding('unreadable', path, errorReason(error)));
    }
  };
  visit(folder);
  return findings;
}

/** Returns the mode that a file or folder of the home should have: private, and usable by its owner. */
export const expectedMode = (stats: Stats): number => (stats.isDirectory() ? 0o700 : 0o600);

function modeFinding(path: string, stats: Stats): PartialFinding | undefined {
  const mode = stats.mode & 0o777;
  const expected = expectedMode(stats);
  const octal = (bits: number) => bits.toString(8).padStart(4, '0');
  const remedy = { en: `sets its mode to ${octal(expected)}`, zh: `将其权限设为 ${octal(expected)}` };
  if ((mode & 0o077) !== 0) {
    const what = { en: `other users have rights to it (mode ${octal(mode)})`, zh: `其他用户对它有权限（权限 ${octal(mode)}）` };
    return finding('open_to_others', path, what, remedy);
  }
  const what = { en: `SanBot cannot read and write it (mode ${octal(mode)})`, zh: `SanBot 无法读写它（权限 ${octal(mode)}）` };
  return (mode & expected) === expected ? undefined : finding('not_usable', path, what, remedy);
}
