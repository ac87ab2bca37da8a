import { Command, defineCommand, examples, homeOption, jsonOption } from '../command.ts';

export const cleanCommand = defineCommand({
  grammar: () =>
    new Command('clean')
      .description('remove what nothing needs any more: snapshots beyond the limits of age and size, and what interrupted work left')
      .option('--dry-run', 'show what would go, remove nothing')
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText('after', examples(['sanbot clean --dry-run', 'what would go, and why'])),
  load: () => import('./clean.ts'),
  run: async (options, context, load) => (await load()).cleanHome(options, context),
});
