import { SanbotError } from '../../domain/errors.ts';
import { Command, defineCommand, examples, homeOption, jsonOption } from '../command.ts';

export const compactCommand = defineCommand({
  grammar: () =>
    new Command('compact')
      .description('summarise the older messages of a session, or show first what that would do')
      .requiredOption('--session <id>', 'the session')
      .option('--preview', 'make the summary and show it, then ask; where nobody can be asked, discard it')
      .option('--yes', 'with --preview: do not ask, commit what was shown')
      .option('--instructions <text>', 'what to keep, in your words')
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText(
        'after',
        examples(
          ['sanbot compact --session ID', 'compact now; sanbot rollback undoes it'],
          ['sanbot compact --session ID --preview', 'see the summary, then commit, edit or discard it'],
        ),
      ),
  load: () => import('./compact.ts'),
  run: async (options, context, load) => {
    if (options.yes && !options.preview)
      throw new SanbotError('usage', '--yes answers the question of --preview; without that, nothing is asked');
    return (await load()).compactSession(options, context);
  },
});
