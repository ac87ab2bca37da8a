import { Command, CommanderError, Option } from 'commander';
import { SanbotError } from '../domain/errors.ts';
import { inspectText, nearest } from '../domain/text.ts';
import { errorText, exitCodeOf } from '../terminal/text/error-text.ts';
import type { Actions } from './actions.ts';
import { cleanCommand } from './care/clean-command.ts';
import { doctorCommand } from './care/doctor-command.ts';
import { purgeCommand } from './care/purge-command.ts';
import { chatCommand } from './chat/chat-command.ts';
import type { CommandSpec, Given, OptionSpec } from './command.ts';
import { configCommands } from './config/config-command.ts';
import { compactCommand } from './context/compact-command.ts';
import { rollbackCommand } from './context/rollback-command.ts';
import { demoCommand } from './demo/demo-command.ts';
import { eventsCommand } from './history/events-command.ts';
import { historyCommand } from './history/history-command.ts';
import { metricsCommand } from './history/metrics-command.ts';
import { reportCommand } from './history/report-command.ts';
import { consolidateCommand, memoryCommand, memoryCommands } from './memory/memory-command.ts';
import { replayCommand } from './replay/replay-command.ts';
import { searchCommand } from './search/search-command.ts';
import { showCommand } from './search/show-command.ts';
import { exportCommands } from './sessions/export-commands.ts';
import { sessionCommands, sessionsCommand } from './sessions/sessions-command.ts';

export type CliContext = {
  readonly version: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly columns: number;
  readonly now: () => Date;
  /** Called when a command is about to run, and not for --help or --version. */
  readonly loadActions: () => Promise<Actions>;
};

/** Runs one command line, without the program's own name. Resolves with the exit code; failures have been printed by then. */
export async function runCli(argv: readonly string[], context: CliContext): Promise<number> {
  let exitCode = 0;
  const program = buildProgram(context, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const failure = error instanceof CommanderError ? usageError(error, program, argv) : error;
    context.err(errorText(failure));
    return exitCodeOf(failure);
  }
}

const subcommands: readonly CommandSpec[] = [
  historyCommand,
  compactCommand,
  rollbackCommand,
  sessionsCommand,
  ...sessionCommands,
  searchCommand,
  showCommand,
  eventsCommand,
  memoryCommand,
  ...memoryCommands,
  consolidateCommand,
  metricsCommand,
  reportCommand,
  ...exportCommands,
  doctorCommand,
  cleanCommand,
  purgeCommand,
  replayCommand,
  demoCommand,
  ...configCommands,
];

function buildProgram(context: CliContext, onExitCode: (code: number) => void): Command {
  const program = new Command('sanbot')
    .configureOutput({
      writeOut: context.out,
      // Errors are printed in one place, when they arrive there.
      writeErr: () => undefined,
      outputError: () => undefined,
      getOutHelpWidth: () => context.columns,
      getOutHasColors: () => false,
    })
    .exitOverride()
    .enablePositionalOptions()
    .allowExcessArguments(true)
    .version(context.version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command');
  describe(program, chatCommand);
  program.usage('[options] [command]').action(async () => {
    refuseOperands(program);
    onExitCode(await chatCommand.run(givenTo(program, context), context.loadActions));
  });
  for (const spec of subcommands) addSubcommand(program, spec, { context, onExitCode });
  return program;
}

type CommandHost = { readonly context: CliContext; readonly onExitCode: (code: number) => void };

function addSubcommand(program: Command, spec: CommandSpec, { context, onExitCode }: CommandHost): void {
  const words = spec.name.split(' ');
  const parent = words.length === 1 ? program : parentOf(program, words[0] ?? '');
  const isParent = subcommands.some(({ name }) => name.startsWith(`${spec.name} `));
  const command = parent
    .command(words.at(-1) ?? '')
    .helpCommand(false)
    .allowExcessArguments(isParent);
  for (const [name, is] of spec.operands ?? []) command.argument(name, is);
  describe(command, spec);
  command.action(async () => {
    const [word] = command.args;
    if (isParent && word !== undefined) throw unknownCommand(command, word);
    refuseProgramOptions(program, spec);
    onExitCode(await spec.run(givenTo(command, context, program), context.loadActions));
  });
}

const parentSummaries: Readonly<Record<string, string>> = { config: 'show or check the settings' };

function parentOf(program: Command, name: string): Command {
  const existing = program.commands.find((command) => command.name() === name);
  if (existing !== undefined) return existing;
  const parent = program
    .command(name)
    .description(parentSummaries[name] ?? '')
    .helpCommand(false)
    .allowExcessArguments(true);
  return parent.action(() => {
    const [first] = parent.args;
    if (first !== undefined) throw unknownCommand(parent, first);
    const choices = parent.commands.map((command) => command.name()).join(', ');
    throw new SanbotError('usage', `sanbot ${name}: which of ${choices}?`);
  });
}

function describe(command: Command, spec: CommandSpec): void {
  command.description(spec.summary);
  for (const option of spec.options) command.addOption(optionFrom(option));
  if (spec.notes !== undefined) command.addHelpText('after', `\n${spec.notes.join('\n')}`);
  if (spec.examples.length === 0) return;
  const width = Math.max(...spec.examples.map(([line]) => line.length));
  const lines = spec.examples.map(([line, description]) => `  ${line.padEnd(width)}  ${description}`);
  command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

function optionFrom({ flags, description, choices, defaultValue, required, repeatable, conflicts }: OptionSpec): Option {
  const option = new Option(flags, description);
  if (choices !== undefined) option.choices(choices);
  if (defaultValue !== undefined) option.default(defaultValue);
  if (repeatable === true)
    option.argParser((value: string, previous: string | undefined) => (previous === undefined ? value : `${previous},${value}`));
  if (required === true) option.makeOptionMandatory();
  if (conflicts !== undefined) option.conflicts([...conflicts]);
  return option;
}

/** Options of the program that may also stand before a command's name count for the command. */
function givenTo(command: Command, context: CliContext, program?: Command): Given {
  const value = (name: string): unknown => {
    const key = camelCase(name);
    return command.getOptionValue(key) ?? program?.getOptionValue(key);
  };
  return {
    text: (name) => {
      const found = value(name);
      return typeof found === 'string' ? found : undefined;
    },
    flag: (name) => value(name) === true,
    operands: command.args,
    now: context.now,
  };
}

/** A word that is no command; after --print, one word may be the prompt. */
function refuseOperands(program: Command): void {
  const [first, ...more] = program.args;
  if (first === undefined) return;
  if (program.getOptionValue('print') === true && more.length === 0) return;
  if (program.getOptionValue('print') !== undefined)
    throw new SanbotError('usage', 'One prompt is enough; quote it if it has several words');
  throw unknownCommand(program, first);
}

function unknownCommand(parent: Command, word: string): SanbotError {
  const suggestion = nearest(
    word,
    parent.commands.map((command) => command.name()),
  );
  const advice = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
  return new SanbotError('usage', `There is no command ${inspectText(word)}.${advice}`, {
    hint: 'See sanbot --help. To ask something: sanbot -p "…".',
  });
}

function refuseProgramOptions(program: Command, spec: CommandSpec): void {
  const misplaced = program.options.find(
    (option) => option.long !== '--home' && program.getOptionValueSource(option.attributeName()) === 'cli',
  );
  if (misplaced !== undefined) throw new SanbotError('usage', `${misplaced.long ?? misplaced.flags} means nothing to sanbot ${spec.name}`);
}

/** The library's message without its prefix, in one line; it has none for `help` with a word that is no command. */
function usageError(error: CommanderError, program: Command, argv: readonly string[]): SanbotError {
  if (error.code === 'commander.help') return unknownCommand(program, program.args[1] ?? '');
  const message = truncateArguments(error.message, argv);
  return new SanbotError('usage', message.replace(/^error: /, '').replace(/\n\((Did you mean .*)\)$/, '. $1'), { cause: error });
}

const MAX_QUOTED_CHARS = 80;

/** What the library quotes of the command line, cut where it is long. */
function truncateArguments(message: string, argv: readonly string[]): string {
  const values = argv.flatMap((argument) => [argument, argument.slice(argument.indexOf('=') + 1)]);
  return values
    .filter(({ length }) => length > MAX_QUOTED_CHARS)
    .reduce((text, value) => text.replaceAll(value, () => `${value.slice(0, MAX_QUOTED_CHARS - 1)}…`), message);
}

const camelCase = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
