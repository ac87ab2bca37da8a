import { join } from 'node:path';
import type { Environment } from '../environment.ts';

/** Where a person's own configuration of git stands, where git is, and folders that are no work tree even where they hold one. */
export function gitPlaces({ env, homedir }: Environment): {
  readonly gitConfigs: readonly string[];
  readonly notBeyond: readonly string[];
  readonly searchPath: string;
} {
  const home = homedir();
  const folder = join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'git');
  return {
    gitConfigs: ['/etc/gitconfig', join(home, '.gitconfig'), join(folder, 'config'), join(folder, 'attributes')],
    notBeyond: home === '' ? ['/'] : [home, '/'],
    searchPath: env.PATH ?? '',
  };
}
