import { Command, defineCommand, examples, homeOption, jsonOption } from '../command.ts';

export const modelsCommand = defineCommand({
  grammar: () =>
    new Command('models')
      .description('list the models that can be used here: each endpoint that is set, its models, their windows and prices')
      .option('--all', 'also the models that are known of endpoints that are not set')
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText(
        'after',
        examples(
          ['sanbot models', 'what can be named with --model here'],
          ['sanbot models --all', 'every model whose window or price is known'],
          ['sanbot models --json', 'the same with limits, abilities, and where each figure was read'],
        ),
      ),
  load: () => import('./models.ts'),
  run: async (options, context, load) => (await load()).showModels(options, context),
});
