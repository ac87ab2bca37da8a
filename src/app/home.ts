import { resolve } from 'node:path';
import { resolveHome } from '../store/home.ts';
import { MAIN_GROUP } from '../store/paths.ts';
import type { World } from './world.ts';

/** The home in force: --home (relative to the working folder), else SANBOT_HOME, else ~/.sanbot. Throws config_invalid. */
export const homeOf = (world: World, { home }: { readonly home: string | undefined }): string =>
  resolveHome({ ...world.env, ...(home === undefined ? {} : { SANBOT_HOME: resolve(world.cwd(), home) }) }, world.homedir);

/** --group, else SANBOT_GROUP, else main. */
export const groupOf = ({ env }: World, { group }: { readonly group: string | undefined }): string =>
  group ?? (env.SANBOT_GROUP || MAIN_GROUP);
