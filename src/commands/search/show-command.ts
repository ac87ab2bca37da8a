import { Command, defineCommand, examples, homeOption, jsonOption } from '../command.ts';

export const showCommand = defineCommand({
  grammar: () =>
    new Command('show')
      .description('print the full text of a search result')
      .argument('<ref>', 'the reference that sanbot search prints')
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText('after', examples(['sanbot show REF', 'the text, and what comes before and after it'])),
  load: () => import('./search.ts'),
  run: async (options, { operands: [ref], ...context }, load) => (await load()).showOriginal({ ...options, ref }, context),
});
