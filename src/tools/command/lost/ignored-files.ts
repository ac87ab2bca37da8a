import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { matchesSequence } from '../../../domain/value/glob.ts';
import { matchesName } from './complete-pattern.ts';

/** A list that people write has some hundred lines. */
const MAX_LIST_BYTES = 256 * 1024;
/** Of characters compared with all lists together: a tenth of a second or two. */
const MAX_STEPS = 20_000_000;

/**
 * Returns a test for files of a work tree that git ignores, as its files of patterns say (gitignore): those in the folders above the file,
 * and `.git/info/exclude`. The person's own list for all repositories is not read. Where a list is too long, or all of them take too long
 * to compare, nothing is ignored: whoever asks then finds too much, and not too little.
 */
export function ignoredFiles(top: string): (path: string) => boolean {
  const lists = new Map<string, readonly IgnoreRule[]>();
  let steps = 0;
  let isTooLong = false;
  const rulesIn = (file: string): readonly IgnoreRule[] => {
    const known = lists.get(file);
    if (known !== undefined) return known;
    const text = readList(file);
    isTooLong ||= text === undefined;
    const rules = rulesOf(text ?? '');
    lists.set(file, rules);
    return rules;
  };
  const spend = (more: number): void => {
    steps += more;
    isTooLong ||= steps > MAX_STEPS;
  };
  const matches = ({ parts }: IgnoreRule, path: readonly string[]): boolean => {
    spend(parts.length);
    const matchesPart = (pattern: string, name: string): boolean => !isTooLong && matchesName(pattern, name, { hidden: true, spend });
    return !isTooLong && matchesSequence(parts, path, '**', matchesPart);
  };
  /** What the last rule of the lowest list that names it says. */
  const isIgnoredItself = (path: string): boolean => {
    for (const folder of foldersAbove(path, top).toReversed()) {
      const parts = relative(folder, path).split('/');
      const rule = rulesIn(join(folder, '.gitignore')).findLast((each) => matches(each, parts));
      if (rule !== undefined) return rule.isIgnored;
    }
    const parts = relative(top, path).split('/');
    return rulesIn(join(top, '.git', 'info', 'exclude')).findLast((each) => matches(each, parts))?.isIgnored === true;
  };
  return (path) => {
    // What is below an ignored folder is ignored, whatever else is said of it.
    const isIgnored = [...foldersAbove(path, top).slice(1), path].some((each) => !isTooLong && isIgnoredItself(each));
    return isIgnored && !isTooLong;
  };
}

/** The highest first. */
function foldersAbove(path: string, top: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); folder !== top && folder.startsWith(top); folder = dirname(folder)) folders.push(folder);
  return [top, ...folders.toReversed()];
}

/** Empty where there is none; undefined for one that is too long or no plain file, of which not even the beginning is read. */
function readList(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    return '';
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > MAX_LIST_BYTES) return undefined;
    const bytes = Buffer.alloc(stats.size);
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
}

type IgnoreRule = { readonly parts: readonly string[]; readonly isIgnored: boolean };

const rulesOf = (text: string): readonly IgnoreRule[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const pattern = withoutEndBlanks(line);
    if (pattern === '' || pattern.startsWith('#')) return [];
    const isIgnored = !pattern.startsWith('!');
    const plain = (isIgnored ? pattern : pattern.slice(1)).replace(/^\\(?=[#!])/, '').replace(/\/$/, '');
    const parts = plain.replace(/^\//, '').split('/');
    return [{ isIgnored, parts: plain.includes('/') ? parts : ['**', ...parts] }];
  });

/** A blank behind a backslash belongs to the name. */
function withoutEndBlanks(line: string): string {
  const kept = line.trimEnd();
  return kept.endsWith('\\') ? line.slice(0, kept.length + 1) : kept;
}
