import { existsSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, isAbsolute, join, resolve, sep } from 'node:path';
import { SanbotError } from '../domain/errors.ts';
import { type Bilingual, sameInBoth } from '../domain/language.ts';
import { errnoOf } from '../domain/value/errno.ts';
import { orUndefined } from '../domain/value/or-undefined.ts';
import { storeFailure } from './files/failure.ts';
import { isId, pathsOf, printablePath } from './files/paths.ts';

const HOME_HINT = {
  en: 'Set SANBOT_HOME to a folder of your own where SanBot may keep its files: a new one, an empty one, or one that it has used.',
  zh: '请把 SANBOT_HOME 设为你自己的、SanBot 可以保存文件的文件夹：新的、空的或它用过的。',
};

/**
 * Returns where everything is stored: SANBOT_HOME (which the --home flag sets), else .sanbot in the user's home. A relative value is
 * refused with config_invalid, and so is HOME="", for which node returns a relative home: the home must not end up below the working folder
 * by accident.
 */
export function resolveHome(env: Readonly<Record<string, string | undefined>>, homedir: () => string): string {
  if (env.SANBOT_HOME) return requireAbsolute(env.SANBOT_HOME, 'SANBOT_HOME');
  // A user with neither an entry in the password file nor HOME has no home, and node throws.
  return join(requireAbsolute(orUndefined(homedir) ?? '', 'HOME'), '.sanbot');
}

/** Who uses the home. */
export type HomeUser = {
  readonly homedir: () => string;
  /** Undefined where there are no users by number. */
  readonly uid: number | undefined;
};

/**
 * Returns a home that can be used: one that does not exist yet and is made later, an empty folder, or SanBot's own; and the user's. Any
 * other would be made private, and what others put there would be obeyed. Throws config_invalid or store_failed.
 */
export function requireHome(home: string, user: HomeUser): string {
  let stats: Stats;
  try {
    stats = statSync(home);
  } catch (error) {
    // Asked here and not by `throwIfNoEntry: false`: from Node 22 on that also says of a path through a file that nothing is there.
    if (errnoOf(error) === 'ENOENT') return home;
    const { code, shown } = storeFailure(error, 'use the home folder', home);
    throw new SanbotError(code, shown.message, HOME_HINT, error);
  }
  if (!stats.isDirectory())
    throw new SanbotError(
      'config_invalid',
      { en: `The home must be a folder, and ${printablePath(home)} is not one`, zh: `主目录必须是文件夹，而 ${printablePath(home)} 不是` },
      HOME_HINT,
    );
  const why = whyNoHome(home, stats, user);
  if (why === undefined) return home;
  throw new SanbotError(
    'config_invalid',
    { en: `${printablePath(home)} cannot be the home: ${why.en}`, zh: `${printablePath(home)} 不能用作主目录：${why.zh}` },
    HOME_HINT,
  );
}

function whyNoHome(home: string, stats: Stats, { homedir, uid }: HomeUser): Bilingual | undefined {
  if (uid !== undefined && stats.uid !== uid) return { en: 'it belongs to another user', zh: '它属于其他用户' };
  const own = orUndefined(() => realpathSync(homedir())) ?? '';
  const path = orUndefined(() => realpathSync(home)) ?? home;
  if (path === own || own.startsWith(path.endsWith(sep) ? path : `${path}${sep}`))
    return { en: 'it is your home folder, or above it', zh: '它是你的用户文件夹，或在其上级' };
  // Whoever cannot list it is told by what reads or writes there.
  const strange = (orUndefined(() => readdirSync(home)) ?? []).filter((name) => !isOwnName(name));
  if (strange.length === 0 || basename(home) === '.sanbot' || wasUsed(home)) return undefined;
  const names = strange.slice(0, 3).map(printablePath).join(', ');
  const more = strange.length > 3 ? ', …' : '';
  return { en: `it holds what is not SanBot's (${names}${more})`, zh: `其中有不属于 SanBot 的内容（${names}${more}）` };
}

/** What a person may put there. */
const PERSONS = ['SANBOT.md', 'skills', 'commands', '.DS_Store'];

/** Names of the home, and those of files beside them, as `config.json.lock`, `index.db-wal` and `.history.1.a.tmp`. */
function isOwnName(name: string): boolean {
  const bare = name.replace(/^\.(?=.*\.tmp$)/, '');
  return ownNames().some((known) => bare === known || bare.startsWith(`${known}.`) || bare.startsWith(`${known}-`));
}

let own: readonly string[] | undefined;
const ownNames = (): readonly string[] => {
  own ??= [
    ...Object.values(pathsOf('')).flatMap((path) => (typeof path === 'string' && path !== '' ? (path.split(sep)[0] ?? []) : [])),
    // Places that are asked for by a group, what bin/load-program.js keeps, and what a single executable unpacks.
    ...['memory', 'code-cache', 'program'],
    ...PERSONS,
  ];
  return own;
};

/** Whether SanBot has worked here. A folder for everybody's files is no home for that. */
function wasUsed(home: string): boolean {
  if ((statSync(home).mode & 0o1000) !== 0) return false;
  const { events, sessions, log } = pathsOf(home);
  return existsSync(events) || (orUndefined(() => readdirSync(sessions)) ?? []).some((name) => isId(name) && existsSync(log(name)));
}

function requireAbsolute(path: string, name: string): string {
  if (isAbsolute(path) && !path.includes('\0')) return resolve(path);
  const value = path === '' ? { en: 'nothing', zh: '空' } : sameInBoth(JSON.stringify(path));
  throw new SanbotError(
    'config_invalid',
    { en: `${name} must be an absolute path, found ${value.en}`, zh: `${name} 必须是绝对路径，实际为 ${value.zh}` },
    HOME_HINT,
  );
}
