import { defineCommand, grammarOf, option, requireText, sessionOption } from '../command.ts';

const listGrammar = (name: string) => grammarOf(name, { en: 'list all sessions, newest first', zh: '列出所有会话，最新的在前' }).json();

const listCommand = defineCommand({
  grammar: () => listGrammar('list'),
  load: () => import('./list-sessions.ts'),
  run: async (options, context, load) => (await load()).showSessions(options, context),
});

const showCommand = defineCommand({
  grammar: () =>
    grammarOf('show', { en: 'show what a session contains: messages, results, snapshots', zh: '显示会话的内容：消息、结果、快照' })
      .argument('<id>', { en: 'the session', zh: '会话' })
      .json(),
  load: () => import('./sessions.ts'),
  run: async (options, { operands: [id], ...context }, load) => {
    const session = requireText({ en: 'The session', zh: '会话 id' }, [id]);
    return (await load()).showSession({ ...options, session }, context);
  },
});

const renameCommand = defineCommand({
  grammar: () =>
    grammarOf('rename', { en: 'give a session a new title', zh: '为会话设置新标题' })
      .argument('<id>', { en: 'the session', zh: '会话' })
      .argument('<title...>', { en: 'the new title', zh: '新标题' })
      .examples({
        'sanbot sessions rename ID The great refactoring': {
          en: 'sanbot sessions shows the new title from now on',
          zh: '此后 sanbot sessions 显示新标题',
        },
      }),
  load: () => import('./sessions.ts'),
  run: async (options, { operands: [session, words], ...context }, load) => {
    const title = requireText({ en: 'The title', zh: '标题' }, words);
    return (await load()).retitleSession({ ...options, session, title }, context);
  },
});

const deleteCommand = defineCommand({
  grammar: () =>
    grammarOf('delete', {
      en: "delete a session's folder; its snapshots, archives and memories are kept",
      zh: '删除会话的文件夹；其快照、存档和记忆会保留',
    })
      .argument('<id>', { en: 'the session', zh: '会话' })
      .option('--everywhere', {
        en: 'also in the folders of sanbot sync, and so on your other machines',
        zh: '同时在 sanbot sync 的文件夹中删除，从而也在你的其他机器上删除',
      })
      .option('--yes', { en: 'do not ask for confirmation', zh: '不要求确认' }),
  load: () => import('./sessions.ts'),
  run: async (options, { operands: [id], ...context }, load) => {
    const session = requireText({ en: 'The session', zh: '会话 id' }, [id]);
    return (await load()).removeSession({ ...options, session }, context);
  },
});

const searchCommand = defineCommand({
  grammar: () =>
    grammarOf('search', {
      en: 'search the messages and tool results of all sessions for a text',
      zh: '在所有会话的消息和工具结果中搜索文本',
    })
      .argument('<text...>', { en: 'the text to find, in upper or lower case', zh: '要查找的文本，不区分大小写' })
      .json()
      .examples({ 'sanbot sessions search connection refused': { en: 'find where that was said', zh: '查找这句话出现在哪里' } }),
  load: () => import('./sessions.ts'),
  run: async (options, { operands: [words], ...context }, load) => {
    const text = requireText({ en: 'The text', zh: '文本' }, words);
    return (await load()).searchAllSessions({ ...options, text }, context);
  },
});

export const sessionsCommand = defineCommand({
  subcommands: [listCommand, showCommand, renameCommand, deleteCommand, searchCommand],
  grammar: () =>
    listGrammar('sessions').examples({
      'sanbot sessions': {
        en: 'when each one was last used, in which folder, and what it is about',
        zh: '各会话最近使用的时间、文件夹和主题',
      },
    }),
  load: () => import('./list-sessions.ts'),
  run: async (options, context, load) => (await load()).showSessions(options, context),
});

export const exportCommand = defineCommand({
  grammar: () =>
    grammarOf('export', {
      en: 'write a session to one file: complete (jsonl, for sanbot import), or to read (md, html)',
      zh: '将会话写入一个文件：完整内容（jsonl，供 sanbot import 使用），或供阅读（md、html）',
    })
      .add(sessionOption({ en: 'the session to export', zh: '要导出的会话' }))
      .add(
        option('--format <format>', {
          en: "the file's format (default: from the end of its name; jsonl without one)",
          zh: '文件格式（默认：由文件扩展名决定；没有扩展名则为 jsonl）',
        }).choices(['jsonl', 'md', 'html']),
      )
      .option('-o, --output <file>', {
        en: 'the file to write (default: stdout); an existing file is never overwritten',
        zh: '要写入的文件（默认：标准输出）；从不覆盖已有文件',
      })
      .examples({
        'sanbot export --session ID -o session.jsonl': {
          en: 'take a session with you; sanbot import session.jsonl brings it back',
          zh: '把会话带走；用 sanbot import session.jsonl 再导入',
        },
      }),
  load: () => import('./export-session.ts'),
  run: async (options, context, load) => (await load()).exportSession(options, context),
});

export const importCommand = defineCommand({
  grammar: () =>
    grammarOf('import', {
      en: 'import a session, so that you can continue it here: from sanbot export (verified), or from another agent',
      zh: '导入会话以便在此继续：来自 sanbot export（经过校验），或来自其他智能体',
    })
      .argument('<file>', { en: 'the file to import', zh: '要导入的文件' })
      .notes({
        en: 'Reads files from sanbot export; sessions of Claude Code, Codex, pi, Gemini CLI, SWE-agent or aider; and messages as JSON in the format of Anthropic or OpenAI. It recognises the format by the content. It counts and reports what it leaves out: what is not a message, and what is damaged.',
        zh: '可读取 sanbot export 的文件，Claude Code、Codex、pi、Gemini CLI、SWE-agent 或 aider 的会话，以及 Anthropic 或 OpenAI 格式的 JSON 消息，格式根据内容识别。略过的内容（不是消息的部分和损坏的部分）会统计并报告。',
      })
      .examples({
        'sanbot import ~/.claude/projects/p/session.jsonl': {
          en: 'continue here what another agent began',
          zh: '在此继续其他智能体开始的工作',
        },
      }),
  load: () => import('./import-session.ts'),
  run: async (options, { operands: [file], ...context }, load) => (await load()).importSession({ ...options, file }, context),
});
