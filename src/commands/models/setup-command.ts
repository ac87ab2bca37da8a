import { localize } from '../../domain/language.ts';
import { Command, defineCommand, examples, homeOption, notes } from '../command.ts';

export const setupCommand = defineCommand({
  grammar: () =>
    new Command('setup')
      .description(
        localize({
          en: 'choose the model to work with, try it with one small request, and save the choice in your settings',
          zh: '选择使用的模型，用一个小请求试用，并将选择保存到设置中',
        }),
      )
      .addOption(homeOption())
      .addHelpText(
        'after',
        notes(
          localize({
            en: 'It asks at a terminal, looks for servers on this machine only, and can be run again.',
            zh: '在终端上提问，只查找本机的服务器，可以重复运行。',
          }),
        ),
      )
      .addHelpText('after', examples(['sanbot setup', localize({ en: 'choose a model, or another one', zh: '选择模型，或改选另一个' })])),
  load: () => import('./setup.ts'),
  run: async (options, context, load) => (await load()).runSetup(options, context),
});
