import { groupBy, unique } from '../../../domain/lists.ts';
import type { Ledger } from '../../../domain/session/ledger.ts';
import type { CountTokens } from '../../measure/count.ts';
import type { FitLine } from '../../summary/fit-sections.ts';
import { cutAt } from '../../text/sentences.ts';

/** The ledger with the paths in the working folder as they are called there, and without bodies of files that it lists. */
export function seenFrom(cwd: string | undefined, ledger: Ledger): Ledger {
  const shown = (paths: readonly string[]): string[] => unique(paths.map((path) => pathFrom(cwd, path)));
  return {
    ...ledger,
    filesModified: shown(ledger.filesModified),
    filesRead: shown(ledger.filesRead),
    identifiers: shown(ledger.identifiers),
    bodies: bodiesToTell(ledger),
    filesDeleted: ledger.filesDeleted && shown(ledger.filesDeleted),
  };
}

export const pathsHeading = (heading: string, cwd: string | undefined, paths: readonly string[]): string =>
  cwd !== undefined && paths.some((path) => pathFrom(cwd, path) !== path) ? `${heading}\n\nIn ${cwd}` : heading;

function pathFrom(cwd: string | undefined, path: string): string {
  const isInside = cwd !== undefined && cwd.length > 1 && path.startsWith(cwd) && /^[\\/][^\\/]/.test(path.slice(cwd.length));
  return isInside ? path.slice(cwd.length + 1) : path;
}

export const byFolder = (lines: readonly FitLine[]): readonly FitLine[] =>
  [...groupBy(lines, ({ text }) => folderPart(text.split(': ', 1)[0] ?? '')).values()].flat();

/** Folds the older paths into lines by folder: none is lost, and the folder they share is written once. */
export function foldOlderPaths(paths: readonly string[], tokens: number, count: CountTokens): string[] {
  let remainingTokens = tokens;
  const lastFolded = paths.findLastIndex((path) => {
    remainingTokens -= count(`- ${path}\n`);
    return remainingTokens < 0;
  });
  const lines = [...groupBy(paths.slice(0, lastFolded + 1), folderPart)].flatMap(([folder, group]) => {
    const names = group.map((path) => path.slice(folder.length));
    const label = folder === '' ? '' : `${folder}: `;
    return names.flatMap((_, at) => (at % NAMES_PER_LINE === 0 ? [`${label}${names.slice(at, at + NAMES_PER_LINE).join(', ')}`] : []));
  });
  return [...lines, ...paths.slice(lastFolded + 1)];
}

const NAMES_PER_LINE = 12;

/** The bodies that are told of: a file that is listed by its own path can be read there, as it is now. */
function bodiesToTell({ bodies, filesRead, filesModified }: Ledger): Ledger['bodies'] {
  const listed = new Set([...filesRead, ...filesModified]);
  return bodies.filter(({ what }) => !listed.has(what.replace(/^\S+ /, '').replace(/, \d+ lines$/, '')));
}

export const bodyItem =
  (folder: string) =>
  ({ path, what }: Ledger['bodies'][number]): { readonly text: string; readonly key: string } => ({
    text: `- ${path.slice(folder.length)}: ${elideMiddle(what)}`,
    key: path,
  });

export const lookUpHeading = (folder: string): string => `### Where to look things up${folder === '' ? '' : `\n\nIn ${folder}`}`;

export function sharedFolder(paths: readonly string[]): string {
  const folder = folderPart(paths[0] ?? '');
  return paths.length > 1 && paths.every((path) => folderPart(path) === folder) ? folder : '';
}

const folderPart = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

const WHAT_CHARS = 64;
const elideMiddle = (what: string): string =>
  what.length <= WHAT_CHARS ? what : `${cutAt(what, 16).trimEnd()}…${what.slice(-(WHAT_CHARS - 17)).toWellFormed()}`;
