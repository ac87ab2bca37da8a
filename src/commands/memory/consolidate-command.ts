import { Command, defineCommand, examples, groupOption, homeOption, jsonOption } from '../command.ts';

export const consolidateCommand = defineCommand({
  grammar: () =>
    new Command('consolidate')
      .description('bring what is remembered into one page that every session begins with, after showing what changes')
      .option('--model <name>', 'the model to ask')
      .option('--dry-run', 'show what would change, change nothing')
      .option('--yes', 'do not ask')
      .addOption(jsonOption())
      .addOption(groupOption('the group whose memories are meant'))
      .addOption(homeOption())
      .addHelpText('after', examples(['sanbot consolidate --dry-run', 'the page memory/summary/master.md as it would be'])),
  load: () => import('./consolidate.ts'),
  run: async (options, context, load) => (await load()).consolidate(options, context),
});
