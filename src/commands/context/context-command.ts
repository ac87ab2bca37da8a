import { Command, defineCommand, examples, homeOption, jsonOption, sessionOption } from '../command.ts';

export const contextCommand = defineCommand({
  grammar: () =>
    new Command('context')
      .description('show what fills the context of a session, by kind, and what would free how much')
      .addOption(sessionOption('the session'))
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText('after', examples(['sanbot context', 'the last session of this folder, also while it is open elsewhere'])),
  load: () => import('./context.ts'),
  run: async (options, context, load) => (await load()).showContext(options, context),
});
