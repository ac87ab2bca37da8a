import { localize } from '../../domain/language.ts';
import { Command, defineCommand, examples, groupOption, homeOption, jsonOption } from '../command.ts';

export const consolidateCommand = defineCommand({
  grammar: () =>
    new Command('consolidate')
      .description(
        localize({
          en: 'merge what is remembered into one page that every session begins with, after showing you the changes',
          zh: '把记忆整理成一页，供每个会话开始时读取；写入前先显示更改',
        }),
      )
      .option('--model <name>', localize({ en: 'the model to use', zh: '使用的模型' }))
      .option('--dry-run', localize({ en: 'show what would change, but change nothing', zh: '只显示将发生的更改，不实际更改' }))
      .option('--yes', localize({ en: 'do not ask for confirmation', zh: '不要求确认' }))
      .addOption(jsonOption())
      .addOption(groupOption(localize({ en: 'the group whose memories to use', zh: '使用哪个组的记忆' })))
      .addOption(homeOption())
      .addHelpText(
        'after',
        examples([
          'sanbot consolidate --dry-run',
          localize({ en: 'see what would change on the page memory/summary/master.md', zh: '查看 memory/summary/master.md 将发生的更改' }),
        ]),
      ),
  load: () => import('./consolidate.ts'),
  run: async (options, context, load) => (await load()).consolidate(options, context),
});
