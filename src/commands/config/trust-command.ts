import { Command, defineCommand, defineCommandGroup, examples, homeOption, jsonOption, notes } from '../command.ts';

const FOLDER = 'a folder; its repository is what counts, where it is in one (default: this folder)';

const addCommand = defineCommand({
  grammar: () =>
    new Command('add')
      .description('trust a folder, after a list of what its files ask SanBot to use')
      .argument('[folder]', FOLDER)
      .option('-y, --yes', 'do not ask for confirmation')
      .addOption(jsonOption())
      .addOption(homeOption()),
  load: () => import('./trust.ts'),
  run: async (options, { operands: [folder], ...context }, load) => (await load()).addTrust(options, folder, context),
});

const listCommand = defineCommand({
  grammar: () => new Command('list').description('list the folders that you have trusted').addOption(jsonOption()).addOption(homeOption()),
  load: () => import('./trust.ts'),
  run: async (options, context, load) => (await load()).listTrust(options, context),
});

const removeCommand = defineCommand({
  grammar: () =>
    new Command('remove')
      .description('no longer trust a folder')
      .argument('[folder]', FOLDER)
      .addOption(jsonOption())
      .addOption(homeOption()),
  load: () => import('./trust.ts'),
  run: async (options, { operands: [folder], ...context }, load) => (await load()).removeTrust(options, folder, context),
});

export const trustCommand = defineCommandGroup(
  () =>
    new Command('trust')
      .description("say whose project's settings, hooks and instructions may be used")
      .addHelpText(
        'after',
        `${notes(
          'In a folder that is not trusted, nothing of its .sanbot.json is used. sanbot asks about it when',
          'you start a conversation there; --trust says yes for one run.',
        )}\n${examples(
          ['sanbot trust add', 'trust this folder'],
          ['sanbot trust add --yes ~/project', 'without being asked, as in a script'],
          ['sanbot trust remove', 'take it back'],
        )}`,
      ),
  [addCommand, listCommand, removeCommand],
);
