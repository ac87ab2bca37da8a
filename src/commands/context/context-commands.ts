import { SanbotError } from '../../domain/errors.ts';
import { defineCommand, grammarOf, option, sessionOption } from '../command.ts';

export const contextCommand = defineCommand({
  grammar: () =>
    grammarOf('context', {
      en: 'show what fills the context of a session, by kind, and how much room could be freed',
      zh: '按类别显示会话上下文的占用情况，以及各种操作可释放的空间',
    })
      .add(sessionOption({ en: 'the session', zh: '会话' }))
      .json()
      .examples({
        'sanbot context': {
          en: 'the last session of this folder, also while it is open elsewhere',
          zh: '此文件夹中最近使用的会话，即使正在别处打开',
        },
      }),
  load: () => import('./context.ts'),
  run: async (options, context, load) => (await load()).showContext(options, context),
});

export const compactCommand = defineCommand({
  grammar: () =>
    grammarOf('compact', {
      en: 'summarise the older messages of a session, or preview the summary first',
      zh: '为会话中较早的消息生成摘要，也可先预览摘要',
    })
      .add(sessionOption({ en: 'the session to compact', zh: '要压缩的会话' }))
      .option('--preview', {
        en: 'make the summary, show it and ask whether to commit it; without a terminal, discard it',
        zh: '生成并显示摘要，询问是否提交；没有终端时丢弃',
      })
      .option('--yes', { en: 'with --preview: commit the summary without asking', zh: '与 --preview 一起使用：不询问，直接提交摘要' })
      .option('--instructions <text>', { en: 'what the summary should keep, in your own words', zh: '用自己的话说明摘要应保留什么' })
      .option('--target <tokens>', {
        en: 'what the summary and what is gathered by rule may take, this once',
        zh: '本次摘要与按规则收集的内容最多可占的 token',
      })
      .option('--keep <n>', { en: 'how many of the newest messages may stay as they are, this once', zh: '本次最多原样保留的最新消息数' })
      .option('--model <name>', { en: 'the model that summarises, this once', zh: '本次生成摘要的模型' })
      .json()
      .examples({
        'sanbot compact': {
          en: 'compact the last session of this folder; sanbot rollback --last undoes it',
          zh: '压缩此文件夹中最近使用的会话；用 sanbot rollback --last 撤销',
        },
        'sanbot compact --session ID --preview': {
          en: 'see the summary, then commit, edit or discard it',
          zh: '查看摘要，然后提交、编辑或丢弃',
        },
      }),
  load: () => import('./compact.ts'),
  run: async (options, context, load) => {
    if (options.yes && !options.preview)
      throw new SanbotError('usage', {
        en: '--yes only works with --preview; without --preview, sanbot compact does not ask',
        zh: '--yes 只能与 --preview 一起使用；不加 --preview 时，sanbot compact 不会询问',
      });
    return (await load()).compactSession(options, context);
  },
});

export const rollbackCommand = defineCommand({
  grammar: () =>
    grammarOf('rollback', {
      en: 'return a session to an earlier state: a snapshot, or just before a message',
      zh: '使会话回到较早的状态：某个快照，或某条消息之前',
    })
      .add(
        option('--snapshot <id>', {
          en: 'the snapshot to return to (sanbot history --session ID lists them)',
          zh: '要回滚到的快照（用 sanbot history --session ID 列出）',
        }).conflicts(['session', 'last', 'toMessage']),
      )
      .add(
        sessionOption({
          en: 'the session; without --last or --to-message, the messages you can go back to are listed',
          zh: '会话（不加 --last 和 --to-message 时，列出可回退到的消息）',
        }),
      )
      .add(
        option('--last', { en: "undo the session's last compaction, rollback or clear", zh: '撤销会话最近一次压缩、回滚或清空' }).conflicts(
          'toMessage',
        ),
      )
      .option('--to-message <n>', {
        en: 'go back to just before this message of yours: its number in that list, or its id',
        zh: '回退到你的某条消息之前：列表中的编号，或其 id',
      })
      .option('--files', {
        en: 'also restore the files that SanBot and its commands have changed since; what others have changed too is left alone',
        zh: '同时恢复 SanBot 及其命令此后改过的文件；他人也改过的文件不动',
      })
      .option('--dry-run', { en: 'show what would change, but change nothing', zh: '只显示将发生的更改，不实际更改' })
      .option('--yes', {
        en: 'do not ask: yes to what touches only what SanBot itself wrote, also to removing with --files what it made since',
        zh: '不询问：同意只涉及 SanBot 自己所写内容的更改，包括用 --files 删除它此后新建的文件',
      })
      .json()
      .examples({
        'sanbot rollback --snapshot ID --dry-run': { en: 'see what would change', zh: '查看将发生的更改' },
        'sanbot rollback --last --yes': {
          en: "undo the last change of this folder's last session; run it again to undo that",
          zh: '撤销此文件夹中最近使用的会话的最近一次更改；再次运行则撤销这次撤销',
        },
        'sanbot rollback --snapshot ID --yes': {
          en: 'roll back; the current state is saved first, so you can undo this',
          zh: '回滚；会先保存当前状态，因此可以撤销',
        },
        'sanbot rollback --session ID --to-message 3 --yes': {
          en: 'go back to just before your third message',
          zh: '回退到你的第三条消息之前',
        },
      }),
  load: () => import('./rollback.ts'),
  run: async ({ snapshot, session, last, toMessage, ...options }, context, load) => {
    const { listMessages, rollBackTo } = await load();
    if (snapshot !== undefined) return rollBackTo({ ...options, to: { snapshot } }, context);
    if (last) return rollBackTo({ ...options, to: { lastOf: session } }, context);
    if (toMessage === undefined) return listMessages({ ...options, session }, context);
    return rollBackTo({ ...options, to: { session, message: toMessage } }, context);
  },
});
