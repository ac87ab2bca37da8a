import { defineCommand, grammarOf, option } from '../command.ts';

export const doctorCommand = defineCommand({
  grammar: () =>
    grammarOf('doctor', {
      en: 'check every log, reference, hash, snapshot, index, lock and permission (exit code 8 if something is wrong), then the endpoint of the model with one small request (exit code 4)',
      zh: '检查所有日志、引用、哈希、快照、索引、锁和文件权限（有问题时退出码为 8），再用一个小请求检查模型端点（退出码为 4）',
    })
      .option('--session <id>', { en: 'check only this session', zh: '只检查这个会话' })
      .option('--repair', { en: 'repair what can be repaired; nothing is deleted', zh: '修复可修复的问题；不删除任何内容' })
      .option('--no-endpoint', { en: 'do not ask the model anything', zh: '不向模型发送请求' })
      .json()
      .examples({
        'sanbot doctor': { en: 'see what is wrong, and what a repair would do about it', zh: '查看存在的问题及修复方式' },
        'sanbot doctor --repair': { en: 'repair it, then check again', zh: '修复后再次检查' },
      }),
  load: () => import('./doctor.ts'),
  run: async (options, context, load) => (await load()).examineHome(options, context),
});

export const cleanCommand = defineCommand({
  grammar: () =>
    grammarOf('clean', {
      en: 'remove what is no longer needed: snapshots beyond the limits of age and size, and leftovers of interrupted work',
      zh: '删除不再需要的内容：超出保留期限或容量上限的快照，以及中断操作的残留文件',
    })
      .option('--dry-run', { en: 'show what would be removed, but remove nothing', zh: '只显示将删除的内容，不实际删除' })
      .json()
      .examples({ 'sanbot clean --dry-run': { en: 'see what would be removed, and why', zh: '查看将删除哪些内容及原因' } }),
  load: () => import('./clean.ts'),
  run: async (options, context, load) => (await load()).cleanHome(options, context),
});

export const purgeCommand = defineCommand({
  grammar: () =>
    grammarOf('purge', {
      en: 'remove a leaked secret from everything that SanBot has stored',
      zh: '从 SanBot 保存的所有内容中清除泄露的密钥',
    })
      .add(
        option('--match <text>', {
          en: 'the secret; - reads it from stdin, so that it is not kept in the history of your shell',
          zh: '要清除的密钥；- 表示从标准输入读取，以免留在 shell 历史中',
        }).makeOptionMandatory(),
      )
      .option('--dry-run', { en: 'show where it occurs, but change nothing', zh: '只显示出现的位置，不做更改' })
      .option('--yes', { en: 'do not ask for confirmation', zh: '不要求确认' })
      .json()
      .examples({
        'sanbot purge --match - --dry-run < secret.txt': { en: 'see where it occurs', zh: '查看出现的位置' },
        'sanbot purge --match - --yes < secret.txt': {
          en: 'replace it with [purged] everywhere; this cannot be undone',
          zh: '全部替换为 [purged]；此操作无法撤销',
        },
      }),
  load: () => import('./purge.ts'),
  run: async (options, context, load) => (await load()).purgeHome(options, context),
});

export const updateCommand = defineCommand({
  grammar: () =>
    grammarOf('update', {
      en: 'say how this installation is updated; it asks the network nothing and changes nothing',
      zh: '说明如何更新此安装；不访问网络，也不做任何更改',
    }).examples({ 'sanbot update': { en: 'see what is installed, and what to run', zh: '查看安装方式以及要运行的命令' } }),
  load: () => import('./update.ts'),
  run: async (_options, context, load) => (await load()).explainUpdate(context),
});
