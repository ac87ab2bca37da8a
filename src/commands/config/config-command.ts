import { Command, defineCommand, defineCommandGroup, homeOption, jsonOption } from '../command.ts';
import type { ConfigOptions } from './show-config.ts';

const configSubcommand = (what: ConfigOptions['what'], description: string) =>
  defineCommand({
    grammar: () => new Command(what).description(description).addOption(jsonOption()).addOption(homeOption()),
    load: () => import('./show-config.ts'),
    run: async (options, context, load) => (await load()).showConfig({ ...options, what }, context),
  });

export const configCommand = defineCommandGroup(
  () => new Command('config').description('show or check the settings'),
  [
    configSubcommand('show', 'show every setting in force, and where it comes from'),
    configSubcommand('path', 'show the files that settings come from'),
    configSubcommand('validate', 'check the settings; exit code 2 if they are wrong'),
  ],
);
