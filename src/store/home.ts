import { statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { SanbotError } from '../domain/errors.ts';
import { sameInBoth } from '../domain/language.ts';
import { orUndefined } from '../domain/value/or-undefined.ts';
import { storeFailure } from './files/failure.ts';
import { printablePath } from './files/paths.ts';

const HOME_HINT = {
  en: 'Set SANBOT_HOME to the folder where SanBot may keep its files.',
  zh: '请把 SANBOT_HOME 设为 SanBot 可以保存文件的文件夹。',
};

/**
 * Returns where everything is stored: SANBOT_HOME (which the --home flag sets), else .sanbot in the user's home. An empty or relative value
 * is refused with config_invalid, because node returns a relative home for HOME="", and the home must not end up below the working folder
 * by accident.
 */
export function resolveHome(env: Readonly<Record<string, string | undefined>>, homedir: () => string): string {
  if (env.SANBOT_HOME !== undefined) return requireAbsolute(env.SANBOT_HOME, 'SANBOT_HOME');
  // A user with neither an entry in the password file nor HOME has no home, and node throws.
  return join(requireAbsolute(orUndefined(homedir) ?? '', 'HOME'), '.sanbot');
}

/** A home that does not exist yet is made later; one that can never be a folder fails at once. Throws config_invalid or store_failed. */
export function requireFolder(home: string): string {
  try {
    if (statSync(home, { throwIfNoEntry: false })?.isDirectory() !== false) return home;
  } catch (error) {
    const { code, shown } = storeFailure(error, 'use the home folder', home);
    throw new SanbotError(code, shown.message, { cause: error, hint: HOME_HINT });
  }
  throw new SanbotError(
    'config_invalid',
    { en: `The home must be a folder, and ${printablePath(home)} is not one`, zh: `主目录必须是文件夹，而 ${printablePath(home)} 不是` },
    { hint: HOME_HINT },
  );
}

function requireAbsolute(path: string, name: string): string {
  if (isAbsolute(path) && !path.includes('\0')) return resolve(path);
  const value = path === '' ? { en: 'nothing', zh: '空' } : sameInBoth(JSON.stringify(path));
  throw new SanbotError(
    'config_invalid',
    { en: `${name} must be an absolute path, found ${value.en}`, zh: `${name} 必须是绝对路径，实际为 ${value.zh}` },
    { hint: HOME_HINT },
  );
}
