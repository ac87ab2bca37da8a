import { memoryKinds, statementKinds } from '../../domain/memory/memory.ts';
import { Command, defineCommand, examples, groupOption, homeOption, jsonOption, Option, requireText } from '../command.ts';

const kindOption = <Kind extends string>(description: string, kinds: readonly Kind[]) =>
  new Option('--kind <kind>', description).choices(kinds);

const listGrammar = (name: string, description: string) =>
  new Command(name)
    .description(description)
    .addOption(kindOption('only memories of this kind', memoryKinds))
    .addOption(jsonOption())
    .addOption(groupOption('the group whose memories to use'))
    .addOption(homeOption());

const listCommand = defineCommand({
  grammar: () => listGrammar('list', 'list what is remembered across sessions'),
  load: () => import('./memory.ts'),
  run: async (options, context, load) => (await load()).listMemories(options, context),
});

const showCommand = defineCommand({
  grammar: () =>
    new Command('show')
      .description('show one memory, and where it comes from: who said it, when, in which session')
      .argument('<id>', 'its id, which sanbot memory list shows')
      .addOption(jsonOption())
      .addOption(groupOption('the group whose memories to use'))
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
      .addOption(kindOption('the kind of memory (default: decided by the text)', statementKinds))
      .addOption(jsonOption())
      .addOption(groupOption('the group whose memories to use'))
      .addOption(homeOption())
      .addHelpText(
        'after',
        examples(['sanbot memory add I prefer short commit messages', 'memories that it contradicts move to extracted/older']),
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
      .description('remove memories; they are not extracted again')
      .argument('<id...>', 'the ids of one or more memories')
      .addOption(jsonOption())
      .addOption(groupOption('the group whose memories to use'))
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
      .description('change a memory; without a text, open its file in $VISUAL or $EDITOR')
      .argument('<what>', `the id of a memory; for a whole file: ${memoryKinds.join(', ')} or master`)
      .argument('[text...]', 'the new text')
      .addOption(groupOption('the group whose memories to use'))
      .addOption(homeOption()),
  load: () => import('./edit-memory.ts'),
  run: async (options, { operands: [what, words], ...context }, load) =>
    (await load()).editMemory({ ...options, what, ...(words.length === 0 ? {} : { text: words.join(' ') }) }, context),
});

const reviewCommand = defineCommand({
  grammar: () =>
    new Command('review')
      .description('go through the memories added since the last review, and keep or forget each one')
      .addOption(groupOption('the group whose memories to use'))
      .addOption(homeOption()),
  load: () => import('./review-memories.ts'),
  run: async (options, context, load) => (await load()).reviewMemories(options, context),
});

const undoCommand = defineCommand({
  grammar: () =>
    new Command('undo')
      .description('undo the last consolidation')
      .addOption(jsonOption())
      .addOption(groupOption('the group whose memories to use'))
      .addOption(homeOption()),
  load: () => import('./consolidate.ts'),
  run: async (options, context, load) => (await load()).undoConsolidation(options, context),
});

export const memoryCommand = defineCommand({
  subcommands: [listCommand, showCommand, addCommand, forgetCommand, editCommand, reviewCommand, undoCommand],
  grammar: () =>
    listGrammar('memory', 'list what is remembered across sessions; or show, add, forget, edit, review, undo').addHelpText(
      'after',
      examples(['sanbot memory', 'all memories with their ids; sanbot memory show ID says where one comes from']),
    ),
  load: () => import('./memory.ts'),
  run: async (options, context, load) => (await load()).listMemories(options, context),
});
