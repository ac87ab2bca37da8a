import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { matchesSequence } from '../../../domain/value/glob.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { matchesName } from './complete-pattern.ts';

/**
 * Returns a test for files of a work tree that git ignores, as its files of patterns say (gitignore): those in the folders above the file,
 * and `.git/info/exclude`. The person's own list for all repositories is not read.
 */
export function ignoredFiles(top: string): (path: string) => boolean {
  const lists = new Map<string, readonly IgnoreRule[]>();
  const rulesIn = (file: string): readonly IgnoreRule[] => {
    const known = lists.get(file) ?? rulesOf(orUndefined(() => readFileSync(file, 'utf8')) ?? '');
    lists.set(file, known);
    return known;
  };
  const isIgnoredItself = (path: string): boolean => {
    const files: (readonly [folder: string, file: string])[] = [[top, join(top, '.git', 'info', 'exclude')]];
    for (const folder of foldersAbove(path, top)) files.push([folder, join(folder, '.gitignore')]);
    const rules = files.flatMap(([folder, file]) => rulesIn(file).map((rule) => ({ rule, parts: relative(folder, path).split('/') })));
    return rules.findLast(({ rule, parts }) => matches(rule, parts))?.rule.isIgnored === true;
  };
  // What is below an ignored folder is ignored, whatever else is said of it.
  return (path) => [...foldersAbove(path, top).slice(1), path].some(isIgnoredItself);
}

/** The highest first. */
function foldersAbove(path: string, top: string): readonly string[] {
  const folder = dirname(path);
  return folder === top || !folder.startsWith(top) ? [top] : [...foldersAbove(folder, top), folder];
}

type IgnoreRule = { readonly parts: readonly string[]; readonly isIgnored: boolean };

const rulesOf = (text: string): readonly IgnoreRule[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const pattern = line.replace(/(?<!\\)\s+$/, '');
    if (pattern === '' || pattern.startsWith('#')) return [];
    const isIgnored = !pattern.startsWith('!');
    const plain = (isIgnored ? pattern : pattern.slice(1)).replace(/^\\(?=[#!])/, '').replace(/\/$/, '');
    const parts = plain.replace(/^\//, '').split('/');
    return [{ isIgnored, parts: plain.includes('/') ? parts : ['**', ...parts] }];
  });

const matches = ({ parts }: IgnoreRule, path: readonly string[]): boolean =>
  matchesSequence(parts, path, '**', (pattern, name) => matchesName(pattern, name, { hidden: true }));
