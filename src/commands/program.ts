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

export type CliWorld = {
  readonly version: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly columns: number;
  readonly now: () => Date;
  /** Called when a command is about to run, and not for --help or --version. */
  readonly loadActions: () => Promise<Actions>;
};

/** Runs one command line, without the program's own name. Resolves with the exit code; failures have been printed by then. */
export async function runCli(argv: readonly string[], world: CliWorld): Promise<number> {
  let exitCode = 0;
  const program = buildProgram(world, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const failure = error instanceof CommanderError ? usageError(error, program, argv) : error;
    world.err(errorText(failure));
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

function buildProgram(world: CliWorld, onExitCode: (code: number) => void): Command {
  const program = new Command('sanbot')
    .configureOutput({
      writeOut: world.out,
      // Errors are printed in one place, when they arrive there.
      writeErr: () => undefined,
      outputError: () => undefined,
      getOutHelpWidth: () => world.columns,
      getOutHasColors: () => false,
    })
    .exitOverride()
    .enablePositionalOptions()
    .allowExcessArguments(true)
    .version(world.version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command');
  describe(program, chatCommand);
  program.usage('[options] [command]').action(async () => {
    refuseOperands(program);
    onExitCode(await chatCommand.run(givenTo(program, world), world.loadActions));
  });
  for (const spec of subcommands) addSubcommand(program, spec, { world, onExitCode });
  return program;
}

type Running = { readonly world: CliWorld; readonly onExitCode: (code: number) => void };

function addSubcommand(program: Command, spec: CommandSpec, { world, onExitCode }: Running): void {
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
    onExitCode(await spec.run(givenTo(command, world, program), world.loadActions));
  });
}

const parentSummaries: Readonly<Record<string, string>> = { config: 'show or check the settings' };

function parentOf(program: Command, name: string): Command {
  const found = program.commands.find((command) => command.name() === name);
  if (found !== undefined) return found;
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
  const lines = spec.examples.map(([line, does]) => `  ${line.padEnd(width)}  ${does}`);
  command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

function optionFrom({ flags, does, choices, preset, required, repeatable, conflicts }: OptionSpec): Option {
  const option = new Option(flags, does);
  if (choices !== undefined) option.choices(choices);
  if (preset !== undefined) option.default(preset);
  if (repeatable === true)
    option.argParser((value: string, before: string | undefined) => (before === undefined ? value : `${before},${value}`));
  if (required === true) option.makeOptionMandatory();
  if (conflicts !== undefined) option.conflicts([...conflicts]);
  return option;
}

/** Options of the program that may also stand before a command's name count for the command. */
function givenTo(command: Command, world: CliWorld, program?: Command): Given {
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
    now: world.now,
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
  const meant = nearest(
    word,
    parent.commands.map((command) => command.name()),
  );
  const advice = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return new SanbotError('usage', `There is no command ${inspectText(word)}.${advice}`, {
    hint: 'See sanbot --help. To ask something: sanbot -p "…".',
  });
}

function refuseProgramOptions(program: Command, spec: CommandSpec): void {
  const useless = program.options.find(
    (option) => option.long !== '--home' && program.getOptionValueSource(option.attributeName()) === 'cli',
  );
  if (useless !== undefined) throw new SanbotError('usage', `${useless.long ?? useless.flags} means nothing to sanbot ${spec.name}`);
}

/** The library's message without its prefix, in one line; it has none for `help` with a word that is no command. */
function usageError(error: CommanderError, program: Command, argv: readonly string[]): SanbotError {
  if (error.code === 'commander.help') return unknownCommand(program, program.args[1] ?? '');
  const message = withoutLong(error.message, argv);
  return new SanbotError('usage', message.replace(/^error: /, '').replace(/\n\((Did you mean .*)\)$/, '. $1'), { cause: error });
}

const MOST_QUOTED_CHARS = 80;

/** What the library quotes of the command line, cut where it is long. */
function withoutLong(message: string, argv: readonly string[]): string {
  const given = argv.flatMap((argument) => [argument, argument.slice(argument.indexOf('=') + 1)]);
  return given
    .filter(({ length }) => length > MOST_QUOTED_CHARS)
    .reduce((text, long) => text.replaceAll(long, () => `${long.slice(0, MOST_QUOTED_CHARS - 1)}…`), message);
}

const camelCase = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
