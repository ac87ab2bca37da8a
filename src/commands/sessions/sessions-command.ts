import { localize } from '../../domain/language.ts';
import { Command, defineCommand, examples, homeOption, jsonOption, requireText } from '../command.ts';

const listGrammar = (name: string) =>
  new Command(name)
    .description(localize({ en: 'list all sessions, newest first', zh: '列出所有会话，最新的在前' }))
    .addOption(jsonOption())
    .addOption(homeOption());

const listCommand = defineCommand({
  grammar: () => listGrammar('list'),
  load: () => import('./list-sessions.ts'),
  run: async (options, context, load) => (await load()).showSessions(options, context),
});

const showCommand = defineCommand({
  grammar: () =>
    new Command('show')
      .description(localize({ en: 'show what a session contains: messages, results, snapshots', zh: '显示会话的内容：消息、结果、快照' }))
      .argument('<id>', localize({ en: 'the session', zh: '会话' }))
      .addOption(jsonOption())
      .addOption(homeOption()),
  load: () => import('./sessions.ts'),
  run: async (options, { operands: [id], ...context }, load) => {
    const session = requireText({ en: 'The session', zh: '会话 id' }, [id]);
    return (await load()).showSession({ ...options, session }, context);
  },
});

const renameCommand = defineCommand({
  grammar: () =>
    new Command('rename')
      .description(localize({ en: 'give a session a new title', zh: '为会话设置新标题' }))
      .argument('<id>', localize({ en: 'the session', zh: '会话' }))
      .argument('<title...>', localize({ en: 'the new title', zh: '新标题' }))
      .addOption(homeOption())
      .addHelpText(
        'after',
        examples([
          'sanbot sessions rename ID The great refactoring',
          localize({ en: 'sanbot sessions shows the new title from now on', zh: '此后 sanbot sessions 显示新标题' }),
        ]),
      ),
  load: () => import('./sessions.ts'),
  run: async (options, { operands: [session, words], ...context }, load) => {
    const title = requireText({ en: 'The title', zh: '标题' }, words);
    return (await load()).retitleSession({ ...options, session, title }, context);
  },
});

const deleteCommand = defineCommand({
  grammar: () =>
    new Command('delete')
      .description(
        localize({
          en: "delete a session's folder; its snapshots, archives and memories are kept",
          zh: '删除会话的文件夹；其快照、存档和记忆会保留',
        }),
      )
      .argument('<id>', localize({ en: 'the session', zh: '会话' }))
      .option('--yes', localize({ en: 'do not ask for confirmation', zh: '不要求确认' }))
      .addOption(homeOption()),
  load: () => import('./sessions.ts'),
  run: async (options, { operands: [id], ...context }, load) => {
    const session = requireText({ en: 'The session', zh: '会话 id' }, [id]);
    return (await load()).removeSession({ ...options, session }, context);
  },
});

const searchCommand = defineCommand({
  grammar: () =>
    new Command('search')
      .description(
        localize({ en: 'search the messages and tool results of all sessions for a text', zh: '在所有会话的消息和工具结果中搜索文本' }),
      )
      .argument('<text...>', localize({ en: 'the text to find, in upper or lower case', zh: '要查找的文本，不区分大小写' }))
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText(
        'after',
        examples(['sanbot sessions search connection refused', localize({ en: 'find where that was said', zh: '查找这句话出现在哪里' })]),
      ),
  load: () => import('./sessions.ts'),
  run: async (options, { operands: [words], ...context }, load) => {
    const text = requireText({ en: 'The text', zh: '文本' }, words);
    return (await load()).searchAllSessions({ ...options, text }, context);
  },
});

export const sessionsCommand = defineCommand({
  subcommands: [listCommand, showCommand, renameCommand, deleteCommand, searchCommand],
  grammar: () =>
    listGrammar('sessions').addHelpText(
      'after',
      examples([
        'sanbot sessions',
        localize({ en: 'when each one was last used, in which folder, and what it is about', zh: '各会话最近使用的时间、文件夹和主题' }),
      ]),
    ),
  load: () => import('./list-sessions.ts'),
  run: async (options, context, load) => (await load()).showSessions(options, context),
});
