import { SanbotError } from '../../domain/errors.ts';
import { memoryKinds, statementKinds } from '../../domain/memory/memory.ts';
import { type CommandSpec, type Given, homeOption, jsonOption, type OptionSpec } from '../command.ts';
import { parseChoice } from '../values.ts';

const groupOption: OptionSpec = { flags: '--group <name>', description: 'the group whose memories are meant (default: main)' };
const kindOption = (kinds: readonly string[]): OptionSpec => ({
  flags: '--kind <kind>',
  description: 'which file of memories',
  choices: [...kinds],
});
const id: readonly [string, string] = ['<id>', 'an entry, as sanbot memory list shows it'];

const placeOf = (given: Given) => ({ home: given.text('home'), group: given.text('group') });

function operand(given: Given, what: string): string {
  const text = given.operands.join(' ');
  if (text.trim() === '') throw new SanbotError('usage', `${what} is missing`);
  return text;
}

const list = (name: string): CommandSpec => ({
  name,
  summary: 'what is remembered across sessions: list, show, add, forget, edit, review, undo',
  options: [kindOption(memoryKinds), jsonOption, groupOption, homeOption],
  examples: name === 'memory' ? [['sanbot memory', 'all entries with their ids; sanbot memory show ID says where one comes from']] : [],
  run: async (given, actions) => {
    const kind = given.text('kind');
    return (await actions()).memoryList({
      ...placeOf(given),
      kind: kind === undefined ? undefined : parseChoice('--kind', kind, memoryKinds),
      json: given.flag('json'),
    });
  },
});

export const memoryCommand = list('memory');

export const memoryCommands: readonly CommandSpec[] = [
  list('memory list'),
  {
    name: 'memory show',
    summary: 'one entry, and why it is there: who said it, when, in which session',
    operands: [id],
    options: [jsonOption, groupOption, homeOption],
    examples: [],
    run: async (given, actions) =>
      (await actions()).memoryShow({ ...placeOf(given), id: operand(given, 'The id'), json: given.flag('json') }),
  },
  {
    name: 'memory add',
    summary: 'remember a statement in every later session',
    operands: [['<text...>', 'what to remember, in one sentence']],
    options: [kindOption(statementKinds), jsonOption, groupOption, homeOption],
    examples: [['sanbot memory add I prefer short commit messages', 'what it contradicts makes way and is kept in extracted/older']],
    run: async (given, actions) => {
      const kind = given.text('kind');
      return (await actions()).memoryAdd({
        ...placeOf(given),
        text: operand(given, 'The text'),
        kind: kind === undefined ? undefined : parseChoice('--kind', kind, statementKinds),
        json: given.flag('json'),
      });
    },
  },
  {
    name: 'memory forget',
    summary: 'take entries away; they are not extracted again',
    operands: [['<id...>', 'one or more entries']],
    options: [jsonOption, groupOption, homeOption],
    examples: [],
    run: async (given, actions) => {
      operand(given, 'The id');
      return (await actions()).memoryForget({ ...placeOf(given), ids: given.operands, json: given.flag('json') });
    },
  },
  {
    name: 'memory edit',
    summary: 'change an entry; without a text, its file in $VISUAL or $EDITOR',
    operands: [
      ['<what>', `an id, or ${memoryKinds.join(', ')} or master for a whole file`],
      ['[text...]', 'what the entry shall say'],
    ],
    options: [groupOption, homeOption],
    examples: [],
    run: async (given, actions) => {
      const [what, ...words] = given.operands;
      if (what === undefined) throw new SanbotError('usage', 'What to edit is missing');
      return (await actions()).memoryEdit({ ...placeOf(given), what, text: words.length === 0 ? undefined : words.join(' ') });
    },
  },
  {
    name: 'memory review',
    summary: 'walk through the entries that are new since the last review: keep or forget',
    options: [groupOption, homeOption],
    examples: [],
    run: async (given, actions) => (await actions()).memoryReview(placeOf(given)),
  },
  {
    name: 'memory undo',
    summary: 'take the newest consolidation back',
    options: [jsonOption, groupOption, homeOption],
    examples: [],
    run: async (given, actions) => (await actions()).memoryUndo({ ...placeOf(given), json: given.flag('json') }),
  },
];

export const consolidateCommand: CommandSpec = {
  name: 'consolidate',
  summary: 'bring what is remembered into one page that every session begins with, after showing what changes',
  options: [
    { flags: '--model <name>', description: 'the model to ask' },
    { flags: '--dry-run', description: 'show what would change, change nothing' },
    { flags: '--yes', description: 'do not ask' },
    jsonOption,
    groupOption,
    homeOption,
  ],
  examples: [['sanbot consolidate --dry-run', 'the page memory/summary/master.md as it would be']],
  run: async (given, actions) =>
    (await actions()).consolidate({
      ...placeOf(given),
      model: given.text('model'),
      dryRun: given.flag('dry-run'),
      yes: given.flag('yes'),
      json: given.flag('json'),
    }),
};
