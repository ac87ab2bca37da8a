import { type Config, configSchema } from './config.ts';

/** Every setting as it is when nothing sets it, new each time. The bundle holds what it returns (build/computed-parts.mjs). */
export const configDefaults = (): Config => configSchema.parse({});
