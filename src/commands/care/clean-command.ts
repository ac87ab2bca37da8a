import { localize } from '../../domain/language.ts';
import { Command, defineCommand, examples, homeOption, jsonOption } from '../command.ts';

export const cleanCommand = defineCommand({
  grammar: () =>
    new Command('clean')
      .description(
        localize({
          en: 'remove what is no longer needed: snapshots beyond the limits of age and size, and leftovers of interrupted work',
          zh: '删除不再需要的内容：超出保留期限或容量上限的快照，以及中断操作的残留文件',
        }),
      )
      .option('--dry-run', localize({ en: 'show what would be removed, but remove nothing', zh: '只显示将删除的内容，不实际删除' }))
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText(
        'after',
        examples(['sanbot clean --dry-run', localize({ en: 'see what would be removed, and why', zh: '查看将删除哪些内容及原因' })]),
      ),
  load: () => import('./clean.ts'),
  run: async (options, context, load) => (await load()).cleanHome(options, context),
});
