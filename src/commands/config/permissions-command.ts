import { ruleKinds } from '../../domain/permission.ts';
import { Command, defineCommand, examples, homeOption, jsonOption, notes, parseChoice, parseWholeNumber, requireText } from '../command.ts';

const load = () => import('./permissions.ts');

const descriptions = {
  allow: 'let calls of a tool run without asking',
  ask: 'ask about calls of a tool each time',
  deny: 'never let calls of a tool run, in any mode',
} as const;

const addCommands = ruleKinds.map((kind) =>
  defineCommand({
    grammar: () =>
      new Command(kind)
        .description(descriptions[kind])
        .argument('<tool>', 'its name; * stands for any characters')
        .argument('[pattern]', 'a command, or with " *" at its end the beginning of one; for other tools a path')
        .option('--here', 'only in this folder')
        .addOption(jsonOption())
        .addOption(homeOption()),
    load,
    run: async (options, { operands: [tool, pattern = ''], ...context }, loadModule) =>
      (await loadModule()).addPermission({ ...options, kind, tool: requireText('The tool', [tool]), pattern }, context),
  }),
);

const removeCommand = defineCommand({
  grammar: () =>
    new Command('remove')
      .description('remove a rule')
      .argument('<number>', 'its number, which sanbot permissions shows')
      .addOption(jsonOption())
      .addOption(homeOption()),
  load,
  run: async (options, { operands: [number], ...context }, loadModule) =>
    (await loadModule()).removePermission({ ...options, number: parseWholeNumber('The number', number, 1) }, context),
});

const readOnlyCommand = defineCommand({
  grammar: () =>
    new Command('readonly')
      .description('say whether commands that are proven to only read run without asking')
      .argument('<value>', 'ask or run')
      .addOption(jsonOption())
      .addOption(homeOption()),
  load,
  run: async (options, { operands: [value], ...context }, loadModule) =>
    (await loadModule()).setReadOnlyCommands({ ...options, value: parseChoice('The value', value, ['ask', 'run']) }, context),
});

const listGrammar = (name: string, description: string) =>
  new Command(name).description(description).addOption(jsonOption()).addOption(homeOption());

const listCommand = defineCommand({
  grammar: () => listGrammar('list', 'list your rules'),
  load,
  run: async (options, context, loadModule) => (await loadModule()).listPermissions(options, context),
});

export const permissionsCommand = defineCommand({
  subcommands: [listCommand, ...addCommands, removeCommand, readOnlyCommand],
  grammar: () =>
    listGrammar('permissions', 'list your rules for what may run; or allow, ask, deny, remove').addHelpText(
      'after',
      `${notes('Deny wins over ask, and ask over allow. Rules are kept in your settings file.')}\n${examples(
        ['sanbot permissions allow run_command "npm test *"', 'commands that begin with these words'],
        ['sanbot permissions allow --here run_command "make all"', 'exactly this command, in this folder'],
        ['sanbot permissions deny "*" "~/letters/**"', 'no tool that takes a path may touch these'],
        ['sanbot permissions deny run_command "curl *"', 'also where another command starts it'],
      )}`,
    ),
  load,
  run: async (options, context, loadModule) => (await loadModule()).listPermissions(options, context),
});
