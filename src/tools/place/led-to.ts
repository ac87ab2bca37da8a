import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Bilingual } from '../../domain/language.ts';
import { isWithin } from '../../domain/value/is-within.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { linkRunsLater } from './runs-later.ts';
import { visibleLine } from './visible.ts';

/** Of a folder with more names not all are looked at. */
const MOST_NAMES = 2_000;

/**
 * Why a change of this file changes what runs later under another name: a link by such a name leads to it, or to a folder that it lies in, or
 * it has such a name itself beside the one that was given. Looked at are the working folder, what of it begins with a dot, and the folders
 * down to the file.
 */
export function ledToReason(path: string, cwd: string): Bilingual | undefined {
  const file = orUndefined(() => lstatSync(path, { throwIfNoEntry: false }));
  const others = file?.isFile() === true && file.nlink > 1 ? file : undefined;
  for (const folder of foldersOf(path, cwd))
    for (const entry of entriesOf(folder)) {
      const name = join(folder, entry.name);
      const leads = entry.isSymbolicLink()
        ? isWithin(path, orUndefined(() => realpathSync.native(name)) ?? '/nowhere')
        : isSame(name, others);
      const why = leads && name !== path ? linkRunsLater(name) : undefined;
      if (why !== undefined) return because(visibleLine(name.slice(cwd.length + 1), 200), why);
    }
  return undefined;
}

const entriesOf = (folder: string) => (orUndefined(() => readdirSync(folder, { withFileTypes: true })) ?? []).slice(0, MOST_NAMES);

function foldersOf(path: string, cwd: string): readonly string[] {
  const down: string[] = [];
  for (let folder = dirname(path); isWithin(folder, cwd) && folder !== cwd; folder = dirname(folder)) down.push(folder);
  const hidden = entriesOf(cwd).flatMap((entry) => (entry.isDirectory() && /^\.(?!git$)/.test(entry.name) ? [join(cwd, entry.name)] : []));
  return [...new Set([cwd, ...down, ...hidden])];
}

const isSame = (path: string, file: { readonly ino: number; readonly dev: number } | undefined): boolean => {
  const stats = file === undefined ? undefined : orUndefined(() => lstatSync(path));
  return stats !== undefined && stats.ino === file?.ino && stats.dev === file.dev;
};

const because = (name: string, { en, zh }: Bilingual): Bilingual => ({
  en: `${name} is another name of it: ${en}`,
  zh: `${name} 是它的另一个名称：${zh}`,
});
