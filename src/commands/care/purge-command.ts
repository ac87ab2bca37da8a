import { Command, defineCommand, examples, homeOption, jsonOption } from '../command.ts';

export const purgeCommand = defineCommand({
  grammar: () =>
    new Command('purge')
      .description('remove a leaked secret from everything that SanBot has stored')
      .requiredOption('--match <text>', 'the secret; - reads it from stdin, so that it is not kept in the history of your shell')
      .option('--dry-run', 'show where it occurs, but change nothing')
      .option('--yes', 'do not ask for confirmation')
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText(
        'after',
        examples(
          ['sanbot purge --match - --dry-run < secret.txt', 'see where it occurs'],
          ['sanbot purge --match - --yes < secret.txt', 'replace it with [purged] everywhere; this cannot be undone'],
        ),
      ),
  load: () => import('./purge.ts'),
  run: async (options, context, load) => (await load()).purgeHome(options, context),
});
