import { Command, defineCommand, examples, groupOption, homeOption, jsonOption } from '../command.ts';

export const consolidateCommand = defineCommand({
  grammar: () =>
    new Command('consolidate')
      .description('merge what is remembered into one page that every session begins with, after showing you the changes')
      .option('--model <name>', 'the model to use')
      .option('--dry-run', 'show what would change, but change nothing')
      .option('--yes', 'do not ask for confirmation')
      .addOption(jsonOption())
      .addOption(groupOption('the group whose memories to use'))
      .addOption(homeOption())
      .addHelpText('after', examples(['sanbot consolidate --dry-run', 'see what would change on the page memory/summary/master.md'])),
  load: () => import('./consolidate.ts'),
  run: async (options, context, load) => (await load()).consolidate(options, context),
});
