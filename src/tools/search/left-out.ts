import { accessSync, closeSync, constants, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { groupDigits } from '../../domain/value/size-text.ts';
import { probableEncoding } from '../files/encoding.ts';
import { isLeftOutOfSearch } from '../place/secret-files.ts';
import { visibleLine } from '../place/visible.ts';
import { quantity } from '../tool.ts';
import { type RipgrepOptions, ripgrep } from './ripgrep.ts';

const MAX_FILES = 200_000;
const MAX_FOLDERS = 2_000;
const MAX_INNER_FOLDERS = 50;
const MAX_NAMED = 8;
const CHECK_MS = 10_000;
/** Of files that are not UTF-8 text no more are searched in what they seem to be. */
const MAX_ODD_FILES = 500;
const MAX_ODD_BYTES = 256 * 1024 * 1024;
const HEAD_BYTES = 16 * 1024;

type Where = Omit<RipgrepOptions, 'separator' | 'onRecord' | 'input'>;

/** A line of anything but UTF-8 without a NUL: ripgrep reads UTF-16 with a mark as text. */
const ODD_LINES = ['--text', '--invert-match', '--line-regexp', '-e', '[^\\x00]*'] as const;

/** Where it is ASCII throughout, its words still stand in pieces or as numbers of glyphs. */
const PDF = /\.pdf$/i;

/** All files that a walk comes to, by their names from where it begins, and which of them are not UTF-8 text or PDFs; `isWhole` where no limit ended it. */
export async function walkedFiles(args: readonly string[], where: Where) {
  const files = new Set<string>();
  const odd: string[] = [];
  let current: string | undefined;
  const take = (rest: string): boolean => {
    const [, count = '', next = ''] = /^(\d+)\n([\s\S]*)$/.exec(rest) ?? [];
    if (current !== undefined) {
      files.add(current);
      if (count !== '0' || PDF.test(current)) odd.push(current);
    }
    current = withoutDot(current === undefined ? rest : next);
    return files.size < MAX_FILES;
  };
  const counting = ['--count', '--max-count=1', '--include-zero', '--with-filename', '--null', ...ODD_LINES];
  const { kind, stderr } = await ripgrep([...counting, ...args], { ...where, separator: '\0', onRecord: take, timeLimitMs: CHECK_MS });
  return { files: new Set([...files].sort()), odd: odd.sort(), isWhole: kind !== 'stopped' && kind !== 'timed_out', stderr };
}

const withoutDot = (path: string): string => path.replace(/^\.[/\\]/, '');

/** Names below a folder that no walk came to, from that folder on: a folder that was not walked stands for all that is in it. */
export type Unwalked = Readonly<Record<'ignored' | 'closed' | 'empty' | 'links' | 'special', readonly string[]>> & {
  /** Whether all folders were looked at. */
  readonly isAll: boolean;
};

/** What stands beside files that were walked, in their folders. `closed` is what may not be read. */
export function unwalkedIn(
  root: string,
  files: ReadonlySet<string>,
  isHidden: (path: string) => boolean,
  mayRead: (path: string) => boolean = isReadable,
): Unwalked {
  const folders = foldersOf(files);
  const [ignored, closed, empty, links, special]: [string[], string[], string[], string[], string[]] = [[], [], [], [], []];
  const entriesOf = (folder: string) => orUndefined(() => readdirSync(join(root, folder), { withFileTypes: true })) ?? [];
  /** One of very many folders counts as holding some. */
  const holdsFiles = (top: string, bound: number): boolean => {
    const waiting = [top];
    for (let seen = 0; seen < bound; seen++) {
      const folder = waiting.pop();
      if (folder === undefined) return false;
      for (const entry of entriesOf(folder)) {
        const path = `${folder}/${entry.name}`;
        if (isHidden(path)) continue;
        if (!entry.isDirectory()) return true;
        waiting.push(path);
      }
    }
    return true;
  };
  for (const folder of [...folders].slice(0, MAX_FOLDERS))
    for (const entry of entriesOf(folder)) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (files.has(path) || folders.has(path) || isHidden(path)) continue;
      const name = entry.isDirectory() ? `${path}/` : path;
      if (entry.isSymbolicLink()) links.push(path);
      else if ((entry.isDirectory() || entry.isFile()) && !mayRead(join(root, path))) closed.push(name);
      else if (entry.isDirectory()) (holdsFiles(path, MAX_INNER_FOLDERS) ? ignored : empty).push(name);
      else (entry.isFile() ? ignored : special).push(path);
    }
  const lists = { ignored: ignored.sort(), closed: closed.sort(), empty: empty.sort(), links: links.sort(), special: special.sort() };
  return { ...lists, isAll: folders.size <= MAX_FOLDERS };
}

const isReadable = (path: string): boolean =>
  orUndefined(() => {
    accessSync(path, statSync(path).isDirectory() ? constants.R_OK | constants.X_OK : constants.R_OK);
    return true;
  }) ?? false;

function foldersOf(files: ReadonlySet<string>): ReadonlySet<string> {
  const folders = new Set(['']);
  for (const file of files)
    for (let end = file.lastIndexOf('/'); end > 0 && !folders.has(file.slice(0, end)); end = file.lastIndexOf('/', end - 1))
      folders.add(file.slice(0, end));
  return folders;
}

/** Files that are not UTF-8 text: those that match as what they seem to be, those that do not, and those that were not searched. */
export type OddFiles = { readonly matching: readonly string[]; readonly others: readonly string[]; readonly unsearched: readonly string[] };

/** Searches them, each in the encoding that it seems to be in. `seen` are those that were found to match already. */
export async function searchOdd(
  paths: readonly string[],
  pattern: readonly string[],
  where: Where,
  seen: ReadonlySet<string>,
): Promise<OddFiles> {
  const groups = new Map<string, string[]>();
  const unsearched: string[] = [];
  let bytes = 0;
  for (const [at, path] of paths.entries()) {
    const size = orUndefined(() => statSync(join(where.cwd, path)).size) ?? 0;
    bytes += size;
    if (at >= MAX_ODD_FILES || bytes > MAX_ODD_BYTES) unsearched.push(path);
    else {
      const encoding = orUndefined(() => probableEncoding(headOf(join(where.cwd, path)))) ?? 'binary';
      groups.set(encoding, [...(groups.get(encoding) ?? []), path]);
    }
  }
  const [matching, others]: [string[], string[]] = [[], []];
  for (const [encoding, members] of groups) {
    const found = new Set<string>();
    const args = ['--files-with-matches', '--null', '--text', ...(encoding === 'binary' ? [] : [`--encoding=${encoding}`]), ...pattern];
    const onRecord = (path: string): boolean => found.add(withoutDot(path)).size > 0;
    const run = await ripgrep([...args, '--', ...members.map((path) => `./${path}`)], { ...where, separator: '\0', onRecord });
    for (const path of members) {
      if (found.has(path) && !seen.has(path)) matching.push(`${path} (${encoding})`);
      else if (!found.has(path) && run.kind !== 'done') unsearched.push(path);
      else if (!seen.has(path)) others.push(`${path} (${encoding})`);
    }
  }
  return { matching, others, unsearched };
}

function headOf(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(HEAD_BYTES);
    return buffer.subarray(0, readSync(file, buffer, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(file);
  }
}

/** A count, why, and the first names. */
export function namedText(names: readonly string[], [one, many]: readonly [string, string]): string {
  if (names.length === 0) return '';
  const shown = names.slice(0, MAX_NAMED).map((name) => visibleLine(name, 100));
  const more = names.length - shown.length;
  return `${names.length} ${names.length === 1 ? one : many} (${shown.join(' ')}${more > 0 ? ` and ${more} more` : ''})`;
}

type LeftOut = Omit<Unwalked, 'empty'> & { readonly secrets: readonly string[]; readonly odd: OddFiles; readonly isWhole: boolean };

/** For the first line of a result: what was not searched, with the reason, and what is in files that are not UTF-8 text. */
export function leftOutNotes({ ignored, closed, links, special, secrets, odd, isWhole, isAll }: LeftOut): readonly string[] {
  const unsearched = [
    namedText(ignored, ['ignored', 'ignored']),
    namedText(closed, ['that may not be read', 'that may not be read']),
    namedText(secrets, ['held back, since such files hold secrets', 'held back, since such files hold secrets']),
    namedText(links, ['link', 'links']),
    namedText(special, ['that is no plain file', 'that are no plain files']),
    namedText(odd.unsearched, ['that is not UTF-8 text', 'that are not UTF-8 text']),
  ].filter((part) => part !== '');
  const names = (paths: readonly string[]): string => namedText(paths, ['', '']).replace(/^\d+ +\((.*)\)$/s, '$1');
  return [
    odd.matching.length === 0
      ? ''
      : `also in ${quantity(odd.matching.length, 'file')} that ${odd.matching.length === 1 ? 'is' : 'are'} not UTF-8 text, as what they seem to be: ${names(odd.matching)}`,
    odd.others.length === 0 ? '' : `not UTF-8 text, and without a match as what they seem to be: ${names(odd.others)}`,
    unsearched.length === 0 ? '' : `not searched: ${unsearched.join(', ')}`,
    isAll || !isWhole ? '' : `what was not searched is counted in the first ${groupDigits(MAX_FOLDERS)} folders only`,
    isWhole ? '' : 'what else was not searched is not known, since there are too many files to look at',
  ].filter((note) => note !== '');
}

/** Of the files that a walk came to, those that a search leaves out; a search of a folder needs no permission, and reading such a file does. */
export const secretsIn = (files: ReadonlySet<string>): readonly string[] => [...files].filter(isLeftOutOfSearch);
