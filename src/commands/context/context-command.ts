import { localize } from '../../domain/language.ts';
import { Command, defineCommand, examples, homeOption, jsonOption, sessionOption } from '../command.ts';

export const contextCommand = defineCommand({
  grammar: () =>
    new Command('context')
      .description(
        localize({
          en: 'show what fills the context of a session, by kind, and how much room could be freed',
          zh: '按类别显示会话上下文的占用情况，以及各种操作可释放的空间',
        }),
      )
      .addOption(sessionOption(localize({ en: 'the session', zh: '会话' })))
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText(
        'after',
        examples([
          'sanbot context',
          localize({
            en: 'the last session of this folder, also while it is open elsewhere',
            zh: '此文件夹中最近使用的会话，即使正在别处打开',
          }),
        ]),
      ),
  load: () => import('./context.ts'),
  run: async (options, context, load) => (await load()).showContext(options, context),
});
