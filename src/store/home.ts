import { isAbsolute, join, resolve } from 'node:path';
import { SanbotError } from '../domain/errors.ts';

/**
 * Where everything lives: SANBOT_HOME (the --home flag is put there), else .sanbot in the user's home. Never below the working folder by
 * accident: an empty or relative value is refused with config_invalid, because node answers HOME="" with a relative home.
 */
export function resolveHome(env: Readonly<Record<string, string | undefined>>, homedir: () => string): string {
  if (env.SANBOT_HOME !== undefined) return absolute(env.SANBOT_HOME, 'SANBOT_HOME');
  return join(absolute(userHome(homedir), 'HOME'), '.sanbot');
}

/** A user without an entry in the password file and without HOME has none, and node throws. */
function userHome(homedir: () => string): string {
  try {
    return homedir();
  } catch {
    return '';
  }
}

function absolute(path: string, name: string): string {
  if (isAbsolute(path) && !path.includes('\0')) return resolve(path);
  const found = path === '' ? 'nothing' : JSON.stringify(path);
  throw new SanbotError('config_invalid', `${name} must be an absolute path, found ${found}`, {
    hint: 'Set SANBOT_HOME to the folder where SanBot may keep its files.',
  });
}
