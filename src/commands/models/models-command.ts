import { localize } from '../../domain/language.ts';
import { Command, defineCommand, examples, homeOption, jsonOption } from '../command.ts';

export const modelsCommand = defineCommand({
  grammar: () =>
    new Command('models')
      .description(
        localize({
          en: 'list the models that can be used here: each endpoint that is set, its models, their windows and prices',
          zh: '列出可用的模型：已设置的每个端点及其模型、窗口和价格',
        }),
      )
      .option('--all', localize({ en: 'also the known models of endpoints that are not set', zh: '同时列出未设置的端点的已知模型' }))
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText(
        'after',
        examples(
          ['sanbot models', localize({ en: 'what can be named with --model here', zh: '可用于 --model 的名称' })],
          ['sanbot models --all', localize({ en: 'every model whose window or price is known', zh: '所有已知窗口或价格的模型' })],
          [
            'sanbot models --json',
            localize({
              en: 'the same with limits, abilities, and where each figure was read',
              zh: '同样内容，另含限制、能力和各数据的出处',
            }),
          ],
        ),
      ),
  load: () => import('./models.ts'),
  run: async (options, context, load) => (await load()).showModels(options, context),
});
