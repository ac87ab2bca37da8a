import { memoryKinds, statementKinds } from '../../domain/memory/memory.ts';
import { Command, defineCommand, examples, groupOption, homeOption, jsonOption, Option, requireText } from '../command.ts';

const kindOption = <Kind extends string>(kinds: readonly Kind[]) => new Option('--kind <kind>', 'which file of memories').choices(kinds);

const listGrammar = (name: string) =>
  new Command(name)
    .description('what is remembered across sessions: list, show, add, forget, edit, review, undo')
    .addOption(kindOption(memoryKinds))
    .addOption(jsonOption())
    .addOption(groupOption('the group whose memories are meant'))
    .addOption(homeOption());

const listCommand = defineCommand({
  grammar: () => listGrammar('list'),
  load: () => import('./memory.ts'),
  run: async (options, context, load) => (await load()).listMemories(options, context),
});

const showCommand = defineCommand({
  grammar: () =>
    new Command('show')
      .description('one entry, and why it is there: who said it, when, in which session')
      .argument('<id>', 'an entry, as sanbot memory list shows it')
      .addOption(jsonOption())
      .addOption(groupOption('the group whose memories are meant'))
      .addOption(homeOption()),
  load: () => import('./memory.ts'),
  run: async (options, { operands: [word], ...context }, load) => {
    const id = requireText('The id', [word]);
    return (await load()).showMemory({ ...options, id }, context);
  },
});

const addCommand = defineCommand({
  grammar: () =>
    new Command('add')
      .description('remember a statement in every later session')
      .argument('<text...>', 'what to remember, in one sentence')
      .addOption(kindOption(statementKinds))
      .addOption(jsonOption())
      .addOption(groupOption('the group whose memories are meant'))
      .addOption(homeOption())
      .addHelpText(
        'after',
        examples(['sanbot memory add I prefer short commit messages', 'what it contradicts makes way and is kept in extracted/older']),
      ),
  load: () => import('./memory.ts'),
  run: async (options, { operands: [words], ...context }, load) => {
    const text = requireText('The text', words);
    return (await load()).addMemory({ ...options, text }, context);
  },
});

const forgetCommand = defineCommand({
  grammar: () =>
    new Command('forget')
      .description('take entries away; they are not extracted again')
      .argument('<id...>', 'one or more entries')
      .addOption(jsonOption())
      .addOption(groupOption('the group whose memories are meant'))
      .addOption(homeOption()),
  load: () => import('./memory.ts'),
  run: async (options, { operands: [ids], ...context }, load) => {
    requireText('The id', ids);
    return (await load()).forgetMemories({ ...options, ids }, context);
  },
});

const editCommand = defineCommand({
  grammar: () =>
    new Command('edit')
      .description('change an entry; without a text, its file in $VISUAL or $EDITOR')
      .argument('<what>', `an id, or ${memoryKinds.join(', ')} or master for a whole file`)
      .argument('[text...]', 'what the entry shall say')
      .addOption(groupOption('the group whose memories are meant'))
      .addOption(homeOption()),
  load: () => import('./edit-memory.ts'),
  run: async (options, { operands: [what, words], ...context }, load) =>
    (await load()).editMemory({ ...options, what, ...(words.length === 0 ? {} : { text: words.join(' ') }) }, context),
});

const reviewCommand = defineCommand({
  grammar: () =>
    new Command('review')
      .description('walk through the entries that are new since the last review: keep or forget')
      .addOption(groupOption('the group whose memories are meant'))
      .addOption(homeOption()),
  load: () => import('./review-memories.ts'),
  run: async (options, context, load) => (await load()).reviewMemories(options, context),
});

const undoCommand = defineCommand({
  grammar: () =>
    new Command('undo')
      .description('take the newest consolidation back')
      .addOption(jsonOption())
      .addOption(groupOption('the group whose memories are meant'))
      .addOption(homeOption()),
  load: () => import('./consolidate.ts'),
  run: async (options, context, load) => (await load()).undoConsolidation(options, context),
});

export const memoryCommand = defineCommand({
  subcommands: [listCommand, showCommand, addCommand, forgetCommand, editCommand, reviewCommand, undoCommand],
  grammar: () =>
    listGrammar('memory').addHelpText(
      'after',
      examples(['sanbot memory', 'all entries with their ids; sanbot memory show ID says where one comes from']),
    ),
  load: () => import('./memory.ts'),
  run: async (options, context, load) => (await load()).listMemories(options, context),
});
