import { keyVariablesFor } from './choose-provider.ts';
import type { Config } from './config.ts';

/** What is said of single variables, by name; `*` at the end stands for any rest. */
export type EnvironmentRules = { readonly pass: readonly string[]; readonly withhold: readonly string[] };

/** The rules in force for what SanBot starts: a variable that holds a model's key stays back, whatever its name and whatever the settings pass. */
export const environmentRules = ({ commands, model, recall }: Pick<Config, 'commands' | 'model' | 'recall'>): EnvironmentRules => ({
  pass: commands.environment.pass,
  withhold: [
    ...new Set([
      ...commands.environment.withhold,
      ...[model, ...Object.values(model.endpoints)].flatMap(({ provider, apiKeyEnv }) => [
        ...(provider === null ? [] : keyVariablesFor(provider)),
        ...(apiKeyEnv === null ? [] : [apiKeyEnv]),
      ]),
      ...(typeof recall.embeddings?.apiKeyEnv === 'string' ? [recall.embeddings.apiKeyEnv] : []),
    ]),
  ],
});
