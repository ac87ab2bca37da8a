import { Command, defineCommand, examples, homeOption, jsonOption, requireText } from '../command.ts';

const listGrammar = (name: string) =>
  new Command(name).description('all sessions, newest first').addOption(jsonOption()).addOption(homeOption());

const listCommand = defineCommand({
  grammar: () => listGrammar('list'),
  load: () => import('./list-sessions.ts'),
  run: async (options, context, load) => (await load()).showSessions(options, context),
});

const showCommand = defineCommand({
  grammar: () =>
    new Command('show')
      .description('what a session holds: messages, results, snapshots')
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
      .description('give a session a title')
      .argument('<id>', 'the session')
      .argument('<title...>', 'its new title')
      .addOption(homeOption())
      .addHelpText('after', examples(['sanbot sessions rename ID The great refactoring', 'as sanbot sessions shows it from now on'])),
  load: () => import('./sessions.ts'),
  run: async (options, { operands: [session, words], ...context }, load) => {
    const title = requireText('The title', words);
    return (await load()).retitleSession({ ...options, session, title }, context);
  },
});

const deleteCommand = defineCommand({
  grammar: () =>
    new Command('delete')
      .description("remove a session's folder; its snapshots, archives and memories stay")
      .argument('<id>', 'the session')
      .option('--yes', 'do not ask')
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
      .description('find a text in what was said and returned, in all sessions')
      .argument('<text...>', 'what to look for, whatever its case')
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText('after', examples(['sanbot sessions search connection refused', 'where that was said'])),
  load: () => import('./sessions.ts'),
  run: async (options, { operands: [words], ...context }, load) => {
    const text = requireText('The text', words);
    return (await load()).searchAllSessions({ ...options, text }, context);
  },
});

export const sessionsCommand = defineCommand({
  subcommands: [listCommand, showCommand, renameCommand, deleteCommand, searchCommand],
  grammar: () => listGrammar('sessions').addHelpText('after', examples(['sanbot sessions', 'when each was used, where, and what about'])),
  load: () => import('./list-sessions.ts'),
  run: async (options, context, load) => (await load()).showSessions(options, context),
});
