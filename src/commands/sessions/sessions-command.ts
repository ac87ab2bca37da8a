import { Command, defineCommand, examples, homeOption, jsonOption, requireText } from '../command.ts';

const listGrammar = (name: string) =>
  new Command(name).description('list all sessions, newest first').addOption(jsonOption()).addOption(homeOption());

const listCommand = defineCommand({
  grammar: () => listGrammar('list'),
  load: () => import('./list-sessions.ts'),
  run: async (options, context, load) => (await load()).showSessions(options, context),
});

const showCommand = defineCommand({
  grammar: () =>
    new Command('show')
      .description('show what a session contains: messages, results, snapshots')
      .argument('<id>', 'the session')
      .addOption(jsonOption())
      .addOption(homeOption()),
  load: () => import('./sessions.ts'),
  run: async (options, { operands: [id], ...context }, load) => {
    const session = requireText('The session', [id]);
    return (await load()).showSession({ ...options, session }, context);
  },
});

const renameCommand = defineCommand({
  grammar: () =>
    new Command('rename')
      .description('give a session a new title')
      .argument('<id>', 'the session')
      .argument('<title...>', 'the new title')
      .addOption(homeOption())
      .addHelpText(
        'after',
        examples(['sanbot sessions rename ID The great refactoring', 'sanbot sessions shows the new title from now on']),
      ),
  load: () => import('./sessions.ts'),
  run: async (options, { operands: [session, words], ...context }, load) => {
    const title = requireText('The title', words);
    return (await load()).retitleSession({ ...options, session, title }, context);
  },
});

const deleteCommand = defineCommand({
  grammar: () =>
    new Command('delete')
      .description("delete a session's folder; its snapshots, archives and memories are kept")
      .argument('<id>', 'the session')
      .option('--yes', 'do not ask for confirmation')
      .addOption(homeOption()),
  load: () => import('./sessions.ts'),
  run: async (options, { operands: [id], ...context }, load) => {
    const session = requireText('The session', [id]);
    return (await load()).removeSession({ ...options, session }, context);
  },
});

const searchCommand = defineCommand({
  grammar: () =>
    new Command('search')
      .description('search the messages and tool results of all sessions for a text')
      .argument('<text...>', 'the text to find, in upper or lower case')
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText('after', examples(['sanbot sessions search connection refused', 'find where that was said'])),
  load: () => import('./sessions.ts'),
  run: async (options, { operands: [words], ...context }, load) => {
    const text = requireText('The text', words);
    return (await load()).searchAllSessions({ ...options, text }, context);
  },
});

export const sessionsCommand = defineCommand({
  subcommands: [listCommand, showCommand, renameCommand, deleteCommand, searchCommand],
  grammar: () =>
    listGrammar('sessions').addHelpText(
      'after',
      examples(['sanbot sessions', 'when each one was last used, in which folder, and what it is about']),
    ),
  load: () => import('./list-sessions.ts'),
  run: async (options, context, load) => (await load()).showSessions(options, context),
});
