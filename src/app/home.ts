import { isAbsolute, resolve } from 'node:path';
import { requireFolder, resolveHome } from '../store/home.ts';
import { MAIN_GROUP } from '../store/paths.ts';
import type { World } from './world.ts';

/**
 * The home in force: --home (relative to the working folder), else SANBOT_HOME, else ~/.sanbot. Throws config_invalid, and store_failed
 * when it can be no folder.
 */
export function homeOf(world: World, { home }: { readonly home: string | undefined }): string {
  const flag = home === undefined ? {} : { SANBOT_HOME: isAbsolute(home) ? home : resolve(world.cwd(), home) };
  return requireFolder(resolveHome({ ...world.env, ...flag }, world.homedir));
}

/** --group, else SANBOT_GROUP, else main. */
export const groupOf = ({ env }: World, { group }: { readonly group: string | undefined }): string =>
  group ?? (env.SANBOT_GROUP || MAIN_GROUP);
