import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { SanbotError } from '../domain/errors.ts';
import { type Bilingual, isBilingual, type Warn } from '../domain/language.ts';
import { inspectText } from '../domain/text.ts';
import { isWithin } from '../domain/value/is-within.ts';
import { orUndefined } from '../domain/value/or-undefined.ts';
import type { Environment } from './environment.ts';
import type { Settings } from './settings.ts';

type Place = Pick<Environment, 'cwd' | 'homedir'>;
type Folders = {
  readonly settings: { readonly home: string; readonly config: Pick<Settings['config'], 'permissions'> };
  readonly named: readonly string[];
  readonly warn: Warn;
};

/**
 * The folders beside the working folder that are read and written like it, for this process: absolute, links resolved, none of them in
 * another or in the working folder. Of those that cannot be had, one of the settings is told, and a `named` one throws usage. So does
 * `add`, which adds one from the next call on; `option` is where it was written.
 */
export function openFolders(environment: Place, { settings: { home, config }, named, warn }: Folders) {
  const folders: string[] = [];
  const take = (written: string): string | Bilingual => {
    const folder = folderAt(written, environment, home);
    if (isBilingual(folder)) return folder;
    const roots = [realOf(environment.cwd()) ?? environment.cwd(), ...folders];
    // Of two of which one is in the other, the outer one is enough.
    if (!roots.some((root) => isWithin(folder, root)))
      folders.splice(0, Number.POSITIVE_INFINITY, ...folders.filter((each) => !isWithin(each, folder)), folder);
    return folder;
  };
  for (const path of config.permissions.folders) {
    const folder = take(path);
    if (isBilingual(folder)) warn(wrongFolder('permissions.folders', path, folder));
  }
  const takeNamed = (path: string, option: string): void => {
    const folder = take(path);
    if (isBilingual(folder)) throw new SanbotError('usage', wrongFolder(option, path, folder));
  };
  for (const path of named) takeNamed(path, '--add-dir');
  return { all: (): readonly string[] => folders, add: (path: string, option = '/add-dir'): void => takeNamed(path, option) };
}

const wrongFolder = (name: string, path: string, { en, zh }: Bilingual): Bilingual => ({
  en: `${name} ${inspectText(path)}: ${en}`,
  zh: `${name} ${inspectText(path)}：${zh}`,
});

const realOf = (path: string): string | undefined => orUndefined(() => realpathSync.native(path));

/** Nothing of these is a folder of work. */
const KERNEL: readonly string[] = ['/dev', '/proc', '/run', '/sys'];

function folderAt(written: string, { cwd, homedir }: Place, home: string): string | Bilingual {
  const folder = realOf(
    resolve(
      cwd(),
      written.replace(/^~(?=\/|$)/, () => homedir()),
    ),
  );
  if (written === '' || folder === undefined) return NOT_THERE;
  if (orUndefined(() => statSync(folder).isDirectory()) !== true) return NO_FOLDER;
  const has = (path: string): boolean => isWithin(realOf(path) ?? path, folder);
  if (homedir() !== '' && has(homedir())) return HAS_HOME;
  if (has(home) || isWithin(folder, realOf(home) ?? home)) return HAS_STATE;
  if (KERNEL.some((path) => isWithin(folder, path))) return OF_KERNEL;
  return has(cwd()) && folder !== realOf(cwd()) ? IS_ABOVE : folder;
}

const NOT_THERE: Bilingual = {
  en: 'there is no such folder; give the path of one that is there',
  zh: '没有此文件夹；请给出已有文件夹的路径',
};
const NO_FOLDER: Bilingual = { en: 'that is a file; give the folder that it is in', zh: '这是文件；请给出它所在的文件夹' };
const HAS_HOME: Bilingual = {
  en: 'that is your home folder or one above it; give the folder of a project',
  zh: '这是你的主文件夹或其上级；请给出项目的文件夹',
};
const HAS_STATE: Bilingual = {
  en: 'SanBot keeps its own files there, which tools do not touch; give another folder',
  zh: 'SanBot 在此存放自己的文件，工具不会触及；请给出另一个文件夹',
};
const OF_KERNEL: Bilingual = { en: 'that is a folder of the system; give another one', zh: '这是系统的文件夹；请给出另一个' };
const IS_ABOVE: Bilingual = {
  en: 'the working folder lies in it; start SanBot there instead',
  zh: '当前文件夹位于其中；请改为在那里启动 SanBot',
};
