import { type ConfigResolution, configError, resolveConfig } from '../domain/config/config-layers.ts';
import { configPaths, readConfigFiles } from '../store/config-file.ts';
import { homeOf } from './home.ts';
import type { World } from './world.ts';

export type Flags = {
  readonly home: string | undefined;
  readonly model?: string | undefined;
  readonly contextWindow?: number | undefined;
  readonly maxSteps?: number | undefined;
};

/** All settings in force here. Throws config_invalid with every problem found: nothing starts on half a configuration. */
export function readSettings(world: World, flags: Flags): ConfigResolution & { readonly home: string } {
  const home = homeOf(world, flags);
  const { model, contextWindow, maxSteps } = flags;
  const resolved = resolveConfig([
    ...readConfigFiles(home, world.cwd()),
    { kind: 'env', env: world.env },
    { kind: 'flags', model, contextWindow, maxSteps },
  ]);
  if (resolved.kind === 'bad') throw configError(resolved.problems);
  return { ...resolved, home };
}

export const settingsFiles = (world: World, flags: Flags): { readonly user: string; readonly project: string } =>
  configPaths(homeOf(world, flags), world.cwd());
