import { type ConfigResolution, configError, resolveConfig } from '../domain/config/config-layers.ts';
import { configPaths, readConfigFiles } from '../store/config-file.ts';
import type { Environment } from './environment.ts';
import { type HomeOptions, homeOf } from './home.ts';

export type Flags = HomeOptions & {
  readonly model?: string | undefined;
  readonly contextWindow?: number | undefined;
  readonly maxSteps?: number | undefined;
};

/** All settings in force here. Throws config_invalid with every problem found: nothing starts on half a configuration. */
export function readSettings(environment: Environment, flags: Flags): ConfigResolution & { readonly home: string } {
  const home = homeOf(environment, flags);
  const { model, contextWindow, maxSteps } = flags;
  const resolved = resolveConfig([
    ...readConfigFiles(home, environment.cwd()),
    { kind: 'env', env: environment.env },
    { kind: 'flags', model, contextWindow, maxSteps },
  ]);
  if (resolved.kind === 'bad') throw configError(resolved.problems);
  return { ...resolved, home };
}

export const settingsFiles = (environment: Environment, flags: Flags): { readonly user: string; readonly project: string } =>
  configPaths(homeOf(environment, flags), environment.cwd());
