import type { Ledger } from '../../../domain/session/ledger.ts';
import { cutAt } from '../../text/sentences.ts';

/** The bodies that are told of: a file that is listed by its own path can be read there, as it is now. */
export function bodiesToTell({ bodies, filesRead, filesModified }: Ledger): Ledger['bodies'] {
  const listed = new Set([...filesRead, ...filesModified]);
  return bodies.filter(({ what }) => !listed.has(what.replace(/^\S+ /, '').replace(/, \d+ lines$/, '')));
}

/** The line of one body, by its name in the folder that all of them share. */
export const bodyItem =
  (folder: string) =>
  ({ path, what }: Ledger['bodies'][number]): { readonly text: string; readonly key: string } => ({
    text: `- ${path.slice(folder.length)}: ${elideMiddle(what)}`,
    key: path,
  });

/** The folder is named once. */
export const lookUpHeading = (folder: string): string => `### Where to look things up${folder === '' ? '' : `\n\nIn ${folder}`}`;

/** The folder that all the paths are in, when there is more than one. */
export function sharedFolder(paths: readonly string[]): string {
  const folder = folderPart(paths[0] ?? '');
  return paths.length > 1 && paths.every((path) => folderPart(path) === folder) ? folder : '';
}

export const folderPart = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

const WHAT_CHARS = 64;
/** Keeps the end, which has the file's name and the number of lines. */
const elideMiddle = (what: string): string =>
  what.length <= WHAT_CHARS ? what : `${cutAt(what, 16).trimEnd()}…${what.slice(-(WHAT_CHARS - 17)).toWellFormed()}`;
