import { defineCommand, grammarOf } from '../command.ts';

export const modelsCommand = defineCommand({
  grammar: () =>
    grammarOf('models', {
      en: 'list the models that can be used here: each endpoint that is set, its models, their windows and prices',
      zh: '列出可用的模型：已设置的每个端点及其模型、窗口和价格',
    })
      .option('--all', { en: 'also the known models of endpoints that are not set', zh: '同时列出未设置的端点的已知模型' })
      .option('--refresh <url-or-file>', {
        en: 'take windows and prices from a catalogue, and use them from now on',
        zh: '从目录取得窗口和价格，今后使用',
      })
      .option('--forget', { en: 'remove that catalogue; the built-in table counts again', zh: '删除该目录，恢复使用内置表' })
      .json()
      .examples({
        'sanbot models': { en: 'what can be named with --model here', zh: '可用于 --model 的名称' },
        'sanbot models --all': { en: 'every model whose window or price is known', zh: '所有已知窗口或价格的模型' },
        'sanbot models --json': {
          en: 'the same with limits, abilities, and where each figure was read',
          zh: '同样内容，另含限制、能力和各数据的出处',
        },
      }),
  load: () => import('./models.ts'),
  run: async (options, context, load) => (await load()).showModels(options, context),
});

export const setupCommand = defineCommand({
  grammar: () =>
    grammarOf('setup', {
      en: 'choose the model to work with, try it with one small request, and save the choice in your settings',
      zh: '选择使用的模型，用一个小请求试用，并将选择保存到设置中',
    })
      .notes({
        en: 'It asks at a terminal, looks for servers on this machine only, and can be run again.',
        zh: '在终端上提问，只查找本机的服务器，可以重复运行。',
      })
      .examples({ 'sanbot setup': { en: 'choose a model, or another one', zh: '选择模型，或改选另一个' } }),
  load: () => import('./setup.ts'),
  run: async (options, context, load) => (await load()).runSetup(options, context),
});
