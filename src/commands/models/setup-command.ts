import { Command, defineCommand, examples, homeOption, notes } from '../command.ts';

export const setupCommand = defineCommand({
  grammar: () =>
    new Command('setup')
      .description('choose the model to work with, try it with one small request, and save the choice in your settings')
      .addOption(homeOption())
      .addHelpText(
        'after',
        `${notes('It asks at a terminal, looks for servers on this machine only, and can be run again.')}\n${examples(['sanbot setup', 'choose a model, or another one'])}`,
      ),
  load: () => import('./setup.ts'),
  run: async (options, context, load) => (await load()).runSetup(options, context),
});
