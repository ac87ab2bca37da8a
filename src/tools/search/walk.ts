import { lstatSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { isWithin } from '../../domain/value/is-within.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';

/**
 * Returns the arguments for how ripgrep walks a folder: hidden files are included, ignore files are obeyed (a .gitignore even where there
 * is no repository), and git's own files and SanBot's home are excluded. They must come after every other glob, since the last one wins.
 */
export async function walkArgs(root: string, home: string): Promise<readonly string[]> {
  const repository = inRepository(root);
  const realHome = await realpath(home).catch(() => home);
  const hideHome = realHome !== root && isWithin(realHome, root) ? ['--glob', `!/${globFor(relative(root, realHome))}`] : [];
  return ['--hidden', ...(repository ? [] : ['--no-require-git']), '--glob', '!.git', ...hideHome];
}

function inRepository(folder: string): boolean {
  for (let current = folder; ; current = dirname(current)) {
    if (orUndefined(() => lstatSync(join(current, '.git'))) !== undefined) return true;
    if (dirname(current) === current) return false;
  }
}

/** Returns a glob that matches exactly this path. */
const globFor = (path: string): string =>
  path
    .split(sep)
    .join('/')
    .replace(/[\\*?[\]{}!]/g, '\\$&');
