import { Command, defineCommand, defineCommandGroup, homeOption, jsonOption } from '../command.ts';
import type { ConfigOptions } from './show-config.ts';

const configSubcommand = (what: ConfigOptions['what'], description: string) =>
  defineCommand({
    grammar: () => new Command(what).description(description).addOption(jsonOption()).addOption(homeOption()),
    load: () => import('./show-config.ts'),
    run: async (options, context, load) => (await load()).showConfig({ ...options, what }, context),
  });

const showCommand = defineCommand({
  grammar: () =>
    new Command('show')
      .description('show every setting in force, and where it comes from')
      .option('--trust', 'as if this folder were trusted')
      .addOption(jsonOption())
      .addOption(homeOption()),
  load: () => import('./show-config.ts'),
  run: async (options, context, load) => (await load()).showConfig({ ...options, what: 'show' }, context),
});

export const configCommand = defineCommandGroup(
  () => new Command('config').description('show or check the settings'),
  [
    showCommand,
    configSubcommand('path', 'show the files that settings come from'),
    configSubcommand('validate', 'check the settings; exit code 2 if they are wrong'),
  ],
);
