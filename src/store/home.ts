import { statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { SanbotError } from '../domain/errors.ts';
import { storeFailure } from './files/failure.ts';
import { printablePath } from './files/paths.ts';

const HOME_HINT = 'Set SANBOT_HOME to the folder where SanBot may keep its files.';

/**
 * Where everything lives: SANBOT_HOME (the --home flag is put there), else .sanbot in the user's home. Never below the working folder by
 * accident: an empty or relative value is refused with config_invalid, because node answers HOME="" with a relative home.
 */
export function resolveHome(env: Readonly<Record<string, string | undefined>>, homedir: () => string): string {
  if (env.SANBOT_HOME !== undefined) return requireAbsolute(env.SANBOT_HOME, 'SANBOT_HOME');
  return join(requireAbsolute(userHome(homedir), 'HOME'), '.sanbot');
}

/** A home that is not there yet is made later; one that can never be a folder fails at once. Throws config_invalid or store_failed. */
export function requireFolder(home: string): string {
  try {
    if (statSync(home, { throwIfNoEntry: false })?.isDirectory() !== false) return home;
  } catch (error) {
    const { code, message } = storeFailure(error, 'use the home folder', home);
    throw new SanbotError(code, message, { cause: error, hint: HOME_HINT });
  }
  throw new SanbotError('config_invalid', `The home must be a folder, and ${printablePath(home)} is none`, {
    hint: HOME_HINT,
  });
}

/** A user without an entry in the password file and without HOME has none, and node throws. */
function userHome(homedir: () => string): string {
  try {
    return homedir();
  } catch {
    return '';
  }
}

function requireAbsolute(path: string, name: string): string {
  if (isAbsolute(path) && !path.includes('\0')) return resolve(path);
  const value = path === '' ? 'nothing' : JSON.stringify(path);
  throw new SanbotError('config_invalid', `${name} must be an absolute path, found ${value}`, {
    hint: HOME_HINT,
  });
}
