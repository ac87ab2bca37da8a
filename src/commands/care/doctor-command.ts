import { localize } from '../../domain/language.ts';
import { Command, defineCommand, examples, homeOption, jsonOption } from '../command.ts';

export const doctorCommand = defineCommand({
  grammar: () =>
    new Command('doctor')
      .description(
        localize({
          en: 'check every log, reference, hash, snapshot, index, lock and permission (exit code 8 if something is wrong), then the endpoint of the model with one small request (exit code 4)',
          zh: '检查所有日志、引用、哈希、快照、索引、锁和文件权限（有问题时退出码为 8），再用一个小请求检查模型端点（退出码为 4）',
        }),
      )
      .option('--session <id>', localize({ en: 'check only this session', zh: '只检查这个会话' }))
      .option('--repair', localize({ en: 'repair what can be repaired; nothing is deleted', zh: '修复可修复的问题；不删除任何内容' }))
      .option('--no-endpoint', localize({ en: 'do not ask the model anything', zh: '不向模型发送请求' }))
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText(
        'after',
        examples(
          ['sanbot doctor', localize({ en: 'see what is wrong, and what a repair would do about it', zh: '查看存在的问题及修复方式' })],
          ['sanbot doctor --repair', localize({ en: 'repair it, then check again', zh: '修复后再次检查' })],
        ),
      ),
  load: () => import('./doctor.ts'),
  run: async (options, context, load) => (await load()).examineHome(options, context),
});
