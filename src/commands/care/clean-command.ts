import { Command, defineCommand, examples, homeOption, jsonOption } from '../command.ts';

export const cleanCommand = defineCommand({
  grammar: () =>
    new Command('clean')
      .description('remove what is no longer needed: snapshots beyond the limits of age and size, and leftovers of interrupted work')
      .option('--dry-run', 'show what would be removed, but remove nothing')
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText('after', examples(['sanbot clean --dry-run', 'see what would be removed, and why'])),
  load: () => import('./clean.ts'),
  run: async (options, context, load) => (await load()).cleanHome(options, context),
});
