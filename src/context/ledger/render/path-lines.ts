import { unique } from '../../../domain/lists.ts';
import type { Ledger } from '../../../domain/session/ledger.ts';
import type { FitLine } from '../../summary/fit-sections.ts';
import { bodiesToTell, folderPart } from './look-up-lines.ts';

/** The ledger with the paths in the working folder as they are called there, and without bodies of files that it lists. */
export function seenFrom(cwd: string | undefined, ledger: Ledger): Ledger {
  const shown = (paths: readonly string[]): string[] => unique(paths.map((path) => pathFrom(cwd, path)));
  return {
    ...ledger,
    filesModified: shown(ledger.filesModified),
    filesRead: shown(ledger.filesRead),
    identifiers: shown(ledger.identifiers),
    bodies: bodiesToTell(ledger),
    ...(ledger.filesDeleted === undefined ? {} : { filesDeleted: shown(ledger.filesDeleted) }),
  };
}

/** Names the folder where the first list of paths is told from it. */
export const pathsHeading = (heading: string, cwd: string | undefined, paths: readonly string[]): string =>
  cwd !== undefined && paths.some((path) => pathFrom(cwd, path) !== path) ? `${heading}\n\nIn ${cwd}` : heading;

function pathFrom(cwd: string | undefined, path: string): string {
  const isInside = cwd !== undefined && cwd.length > 1 && path.startsWith(cwd) && /^[\\/][^\\/]/.test(path.slice(cwd.length));
  return isInside ? path.slice(cwd.length + 1) : path;
}

/** Puts the lines of one folder together, the folders in the order of their first one. */
export function byFolder(lines: readonly FitLine[]): readonly FitLine[] {
  const folders = new Map<string, FitLine[]>();
  for (const line of lines) {
    const folder = folderPart(line.text.split(': ', 1)[0] ?? '');
    folders.set(folder, [...(folders.get(folder) ?? []), line]);
  }
  return [...folders.values()].flat();
}
