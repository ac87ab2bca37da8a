import { localize } from '../../domain/language.ts';
import { Command, defineCommand, examples, homeOption, jsonOption } from '../command.ts';

export const purgeCommand = defineCommand({
  grammar: () =>
    new Command('purge')
      .description(
        localize({ en: 'remove a leaked secret from everything that SanBot has stored', zh: '从 SanBot 保存的所有内容中清除泄露的密钥' }),
      )
      .requiredOption(
        '--match <text>',
        localize({
          en: 'the secret; - reads it from stdin, so that it is not kept in the history of your shell',
          zh: '要清除的密钥；- 表示从标准输入读取，以免留在 shell 历史中',
        }),
      )
      .option('--dry-run', localize({ en: 'show where it occurs, but change nothing', zh: '只显示出现的位置，不做更改' }))
      .option('--yes', localize({ en: 'do not ask for confirmation', zh: '不要求确认' }))
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText(
        'after',
        examples(
          ['sanbot purge --match - --dry-run < secret.txt', localize({ en: 'see where it occurs', zh: '查看出现的位置' })],
          [
            'sanbot purge --match - --yes < secret.txt',
            localize({ en: 'replace it with [purged] everywhere; this cannot be undone', zh: '全部替换为 [purged]；此操作无法撤销' }),
          ],
        ),
      ),
  load: () => import('./purge.ts'),
  run: async (options, context, load) => (await load()).purgeHome(options, context),
});
