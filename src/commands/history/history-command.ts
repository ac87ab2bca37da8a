import { Command, defineCommand, examples, homeOption, jsonOption } from '../command.ts';

export const historyCommand = defineCommand({
  grammar: () =>
    new Command('history')
      .description('snapshots, compactions and rollbacks of a session; without one, the sessions')
      .option('--session <id>', 'the session')
      .option('--snapshot <id>', 'one snapshot of it: what was kept, summarised and put away, and where to read it again')
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText('after', examples(['sanbot history --session ID --json', 'the history of one session as JSON'])),
  load: () => import('./history.ts'),
  run: async (options, context, load) => (await load()).showHistory(options, context),
});
