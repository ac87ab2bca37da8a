import { localize } from '../../domain/language.ts';
import { Command, defineCommand, examples, homeOption, jsonOption } from '../command.ts';

export const historyCommand = defineCommand({
  grammar: () =>
    new Command('history')
      .description(
        localize({
          en: 'list the snapshots, compactions and rollbacks of a session; without --session, list the sessions',
          zh: '列出会话的快照、压缩和回滚；不加 --session 时列出会话',
        }),
      )
      .option('--session <id>', localize({ en: 'the session', zh: '会话' }))
      .option(
        '--snapshot <id>',
        localize({
          en: 'show one snapshot in detail: what was kept, what was summarised, and where to read the originals',
          zh: '显示某个快照的详情：保留了什么、摘要了什么、在哪里读取原文',
        }),
      )
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText(
        'after',
        examples([
          'sanbot history --session ID --json',
          localize({ en: 'the history of one session as JSON', zh: '以 JSON 输出某个会话的历史' }),
        ]),
      ),
  load: () => import('./history.ts'),
  run: async (options, context, load) => (await load()).showHistory(options, context),
});
