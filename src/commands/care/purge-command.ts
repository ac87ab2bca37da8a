import { Command, defineCommand, examples, homeOption, jsonOption } from '../command.ts';

export const purgeCommand = defineCommand({
  grammar: () =>
    new Command('purge')
      .description('take a leaked secret out of everything SanBot has kept')
      .requiredOption('--match <text>', 'the secret; - reads it from stdin, so that no shell keeps it')
      .option('--dry-run', 'show where it stands, change nothing')
      .option('--yes', 'do not ask')
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText(
        'after',
        examples(
          ['sanbot purge --match - --dry-run < secret.txt', 'where it stands'],
          ['sanbot purge --match - --yes < secret.txt', 'put [purged] in its place everywhere; this cannot be undone'],
        ),
      ),
  load: () => import('./purge.ts'),
  run: async (options, context, load) => (await load()).purgeHome(options, context),
});
