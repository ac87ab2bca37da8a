import { Command, defineCommand, examples, homeOption, jsonOption } from '../command.ts';

export const historyCommand = defineCommand({
  grammar: () =>
    new Command('history')
      .description('list the snapshots, compactions and rollbacks of a session; without --session, list the sessions')
      .option('--session <id>', 'the session')
      .option('--snapshot <id>', 'show one snapshot in detail: what was kept, what was summarised, and where to read the originals')
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText('after', examples(['sanbot history --session ID --json', 'the history of one session as JSON'])),
  load: () => import('./history.ts'),
  run: async (options, context, load) => (await load()).showHistory(options, context),
});
