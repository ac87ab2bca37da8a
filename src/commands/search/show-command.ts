import { Command, defineCommand, examples, homeOption, jsonOption } from '../command.ts';

export const showCommand = defineCommand({
  grammar: () =>
    new Command('show')
      .description('the whole text that a hit of search refers to')
      .argument('<ref>', 'a reference, as sanbot search prints it')
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText('after', examples(['sanbot show REF', 'the text, and what stands before and after it'])),
  load: () => import('./search.ts'),
  run: async (options, { operands: [ref], ...context }, load) => (await load()).showOriginal({ ...options, ref }, context),
});
