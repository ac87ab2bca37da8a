/**
 * The command line: from the words after `sanbot` to an exit code. main.ts and the tests come in here, through `runCli`.
 *
 * In come the words, the environment and the streams. Out go the exit code and, on standard error, one message for a failure, with what to
 * do next: errors are printed here and nowhere else.
 *
 * Below this file, one folder is one subject. `X-command.ts`, or `X-commands.ts` for all of a folder, declares options, which types
 * them; `X.ts` does the work, and is loaded only when it runs; `X-text.ts`, or its end, writes what a person or a program reads. Beside this
 * file, `command.ts` builds a grammar, `open-home.ts` opens what commands work in, and `answer.ts` says and asks.
 *
 * It promises that --help, --version and a wrong option load none of that work. It refuses options before a command's name, except --home,
 * which counts wherever it stands. It does not know what a command does: it finds it, has the form of what was typed checked, and calls it.
 */

import { SanbotError } from '../domain/errors.ts';
import { sameInBoth, setLanguage } from '../domain/language.ts';
import { inspectText, nearest } from '../domain/text.ts';
import { interfaceLanguage } from '../runtime/home.ts';
import { errorText, exitCodeOf } from '../terminal/text/error-text.ts';
import { acpCommand } from './acp/acp-command.ts';
import { agentsCommand } from './agents/agents-command.ts';
import { cleanCommand, doctorCommand, purgeCommand, updateCommand } from './care/care-commands.ts';
import { changesCommand } from './changes/changes-command.ts';
import { chatCommand } from './chat/chat-command.ts';
import { type CommandContext, CommanderError, type CommandSpec, type CommandUnknownOpts, type LoadStandIn } from './command.ts';
import { configCommand } from './config/config-command.ts';
import { permissionsCommand } from './config/permissions-command.ts';
import { trustCommand } from './config/trust-command.ts';
import { compactCommand, contextCommand, rollbackCommand } from './context/context-commands.ts';
import { demoCommand } from './demo/demo-command.ts';
import { eventsCommand, historyCommand, metricsCommand, reportCommand } from './history/history-commands.ts';
import { mcpCommand } from './mcp/mcp-command.ts';
import { consolidateCommand, memoryCommand } from './memory/memory-commands.ts';
import { modelsCommand, setupCommand } from './models/models-commands.ts';
import { searchCommand, showCommand } from './search/search-command.ts';
import { exportCommand, importCommand, sessionsCommand } from './sessions/sessions-commands.ts';
import { hubCommand } from './sync/hub-command.ts';
import { syncCommand } from './sync/sync-command.ts';
import { completionCommand } from './usage/completion-command.ts';
import { fitHelp, headingOf, helpCommandText, helpForm, helpOptionText } from './usage/help-text.ts';
import { commandHint, libraryError, nearestHint, withHint } from './usage/usage-errors.ts';

/** What a run of the program has of its process. `load` is for tests: no command's own module is loaded then. */
export type CliContext = CommandContext & { readonly load?: LoadStandIn };

/** Runs one command line, without the program's own name. Resolves with the exit code; failures have been printed by then. */
export async function runCli(typed: readonly string[], { io, ...given }: CliContext): Promise<number> {
  let exitCode = 0;
  setLanguage(interfaceLanguage(given.environment, typed));
  const argv = withoutColourFlag(typed);
  const context: CliContext = { ...given, io: argv.length === typed.length ? io : { ...io, colour: false } };
  const program = buildProgram(context, argv, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const failure = error instanceof CommanderError ? usageError(error, program, argv) : error;
    io.err(errorText(failure, given.environment.stderr.isTTY === true ? io.columns : undefined));
    return exitCodeOf(failure);
  }
}

/** --no-color counts for every command, wherever it stands before `--`. */
function withoutColourFlag(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return argv.filter((word, index) => word !== '--no-color' || (end >= 0 && index > end));
}

const commands: Readonly<Record<string, CommandSpec>> = {
  history: historyCommand,
  context: contextCommand,
  compact: compactCommand,
  rollback: rollbackCommand,
  changes: changesCommand,
  sessions: sessionsCommand,
  search: searchCommand,
  show: showCommand,
  export: exportCommand,
  import: importCommand,
  memory: memoryCommand,
  consolidate: consolidateCommand,
  sync: syncCommand,
  hub: hubCommand,
  setup: setupCommand,
  models: modelsCommand,
  config: configCommand,
  permissions: permissionsCommand,
  mcp: mcpCommand,
  agents: agentsCommand,
  trust: trustCommand,
  acp: acpCommand,
  events: eventsCommand,
  metrics: metricsCommand,
  report: reportCommand,
  doctor: doctorCommand,
  clean: cleanCommand,
  purge: purgeCommand,
  update: updateCommand,
  demo: demoCommand,
};

const commandNames = [...Object.keys(commands), 'completion'];

function buildProgram(context: CliContext, argv: readonly string[], onExitCode: (code: number) => void): CommandUnknownOpts {
  const { io } = context;
  const { command: program, run } = chatCommand.build(context, context.load);
  program
    .configureOutput({
      writeOut: (text) => io.out(fitHelp(text, io.columns)),
      writeErr: () => undefined,
      outputError: () => undefined,
      getOutHelpWidth: () => io.columns,
      getOutHasColors: () => false,
    })
    .configureHelp(helpForm)
    .exitOverride()
    .enablePositionalOptions()
    .allowExcessArguments(true)
    .helpOption('-h, --help', helpOptionText())
    .commandsGroup(headingOf('help'))
    .helpCommand('help [command]', helpCommandText())
    .action(async () => {
      refuseOperands(program, context.environment.stdin.isTTY === true);
      onExitCode(await run());
    });
  const all = { ...commands, completion: completionCommand(() => program) };
  for (const [name, spec] of Object.entries(all)) if (isNeeded(name, argv)) addCommand(program, spec, { context, onExitCode });
  for (const command of program.commands) command.helpGroup(headingOf(command.name()));
  return program;
}

/** What no word names cannot be meant, and to build it costs a start more than all else here. Help and completion tell of all. */
const isNeeded = (name: string, argv: readonly string[]): boolean =>
  argv.some((word) => word === name || /^(?:help|completion|--help|-[^-]*h.*)$/s.test(word));

type CommandHost = { readonly context: CliContext; readonly onExitCode: (code: number) => void };

function addCommand(parent: CommandUnknownOpts, { build, subcommands }: CommandSpec, host: CommandHost): void {
  const { command, run } = build(host.context, host.context.load);
  const isParent = subcommands.length > 0;
  command.copyInheritedSettings(parent).helpCommand(false).allowExcessArguments(isParent);
  command.action(async () => {
    const [word] = command.args;
    if (isParent && word !== undefined) throw unknownCommand(command, word);
    takeEarlierOptions(command);
    host.onExitCode(await run());
  });
  for (const subcommand of subcommands) addCommand(command, subcommand, host);
  parent.addCommand(command);
}

/** --home counts wherever it stands on the line; another option before a command's name does not belong to that command. */
function takeEarlierOptions(command: CommandUnknownOpts): void {
  for (let earlier = command.parent; earlier !== null; earlier = earlier.parent) {
    for (const option of earlier.options) {
      const name = option.attributeName();
      if (earlier.getOptionValueSource(name) !== 'cli') continue;
      if (name !== 'home') throw misplacedOption(option.long ?? option.flags, command);
      if (command.getOptionValue(name) === undefined) command.setOptionValueWithSource(name, earlier.getOptionValue(name), 'implied');
    }
  }
}

function misplacedOption(flag: string, command: CommandUnknownOpts): SanbotError {
  const line = commandLineOf(command);
  const isKnown = command.options.some(({ long }) => long === flag);
  return new SanbotError(
    'usage',
    isKnown
      ? { en: `${flag} must come after the command: ${line} ${flag}`, zh: `${flag} 必须写在命令之后：${line} ${flag}` }
      : { en: `${line} has no option ${flag}`, zh: `${line} 没有选项 ${flag}` },
  );
}

const commandLineOf = (command: CommandUnknownOpts): string =>
  command.parent === null ? command.name() : `${commandLineOf(command.parent)} ${command.name()}`;

/** One text is a message. A word that is like a command's name, or that a script runs, is a command that is not there. */
function refuseOperands(program: CommandUnknownOpts, isAtTerminal: boolean): void {
  const [first, ...more] = program.args;
  const print = program.getOptionValue('print');
  if (first === undefined || (print === true && more.length === 0)) return;
  const isWord = /^[a-z][\w-]*$/i.test(first);
  const isNamed = print !== undefined || !isWord || (isAtTerminal && nearest(first, commandNames) === undefined && first !== 'replay');
  if (!isNamed) throw unknownCommand(program, first);
  if (print !== undefined || more.length > 0)
    throw new SanbotError(
      'usage',
      { en: 'SanBot takes one message', zh: 'SanBot 只接受一条消息' },
      {
        en: `Put quotes around it: sanbot${print === undefined ? '' : ' -p'} "fix the total"`,
        zh: `请加引号：sanbot${print === undefined ? '' : ' -p'} "修复合计"`,
      },
    );
}

function unknownCommand(parent: CommandUnknownOpts, word: string): SanbotError {
  const isTop = parent.parent === null;
  const names = isTop ? commandNames : parent.commands.map((command) => command.name());
  const advice = (isTop ? commandHint(word) : undefined) ?? nearestHint(word, names, sameInBoth(''));
  const line = commandLineOf(parent);
  return new SanbotError(
    'usage',
    {
      en: `There is no command ${inspectText(word)}. ${advice.en}`.trimEnd(),
      zh: `没有命令 ${inspectText(word)}。${advice.zh}`,
    },
    {
      en: `Run ${line} --help for a list of commands.${isTop ? ' To ask something: sanbot "…".' : ''}`,
      zh: `运行 ${line} --help 查看命令列表。${isTop ? '要提问：sanbot "…"。' : ''}`,
    },
  );
}

/** The library's message without its prefix, in one line; it has none for `help` with a word that is no command. */
function usageError(error: CommanderError, program: CommandUnknownOpts, argv: readonly string[]): SanbotError {
  if (error.code === 'commander.help') return unknownCommand(program, program.args[1] ?? '');
  const message = truncateArguments(error.message, argv)
    .replace(/^error: /, '')
    .replace(/\n\((Did you mean .*)\)$/, '. $1');
  const help = `${lineOf(program)} --help`;
  const [see, { said, other }] = [{ en: `See ${help}.`, zh: `参见 ${help}。` }, withHint(message)];
  return new SanbotError('usage', libraryError(said), { en: `${other.en} ${see.en}`.trim(), zh: `${other.zh}${see.zh}` }, error);
}

function lineOf(program: CommandUnknownOpts): string {
  let command = program;
  const names = [program.name()];
  for (const word of program.args) {
    const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (next === undefined) break;
    names.push(next.name());
    command = next;
  }
  return names.join(' ');
}

const MAX_QUOTED_CHARS = 80;

function truncateArguments(message: string, argv: readonly string[]): string {
  const values = argv.flatMap((argument) => [argument, argument.slice(argument.indexOf('=') + 1)]);
  return values
    .filter(({ length }) => length > MAX_QUOTED_CHARS)
    .reduce((text, value) => text.replaceAll(value, () => `${value.slice(0, MAX_QUOTED_CHARS - 1)}…`), message);
}
