import { SanbotError } from '../../domain/errors.ts';
import { Command, defineCommand, examples, homeOption, jsonOption, sessionOption } from '../command.ts';

export const compactCommand = defineCommand({
  grammar: () =>
    new Command('compact')
      .description('summarise the older messages of a session, or preview the summary first')
      .addOption(sessionOption('the session to compact'))
      .option('--preview', 'make the summary, show it and ask whether to commit it; without a terminal, discard it')
      .option('--yes', 'with --preview: commit the summary without asking')
      .option('--instructions <text>', 'what the summary should keep, in your own words')
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText(
        'after',
        examples(
          ['sanbot compact', 'compact the last session of this folder; sanbot rollback --last undoes it'],
          ['sanbot compact --session ID --preview', 'see the summary, then commit, edit or discard it'],
        ),
      ),
  load: () => import('./compact.ts'),
  run: async (options, context, load) => {
    if (options.yes && !options.preview)
      throw new SanbotError('usage', '--yes only works with --preview; without --preview, sanbot compact does not ask');
    return (await load()).compactSession(options, context);
  },
});
