import { Argument, Command, CommanderError, type CommandUnknownOpts, Option, type OptionValues } from 'commander';
import { SanbotError } from '../domain/errors.ts';
import { MCP_PREFIX } from '../domain/session/called-tool.ts';
import { inspectText, nearest } from '../domain/text.ts';
import { timeOf } from '../domain/value/time-of.ts';
import type { Environment } from '../runtime/environment.ts';
import type { IoStreams } from '../runtime/io-streams.ts';

// The command-line library comes in here, so that no other file names it.
export { Argument, Command, CommanderError, type CommandUnknownOpts, Option };

/** What a command works with beside its options. */
export type CommandContext = { readonly environment: Environment; readonly io: IoStreams };

/** A command of the program, and those below it ("memory add" below "memory"). */
export type CommandSpec = {
  readonly subcommands: readonly CommandSpec[];
  /** A new one for each command line, since the library keeps in it what it has parsed. */
  readonly build: (context: CommandContext, load?: LoadStandIn) => BuiltCommand;
};

/** Stands in for the module that would run a command: for tests. It resolves with whatever the command takes of its own. */
export type LoadStandIn = () => Promise<never>;

export type BuiltCommand = {
  readonly command: CommandUnknownOpts;
  /** To be called when the command line has been parsed. Resolves with the exit code. Throws SanbotError `usage` for options that make no sense together. */
  readonly run: () => Promise<number>;
};

type CommandDefinition<Operands extends unknown[], Options extends OptionValues, Module> = {
  readonly subcommands?: readonly CommandSpec[];
  /** Name, options, operands and help. What it declares is the type of what `run` gets. */
  readonly grammar: (environment: Environment) => Command<Operands, Options>;
  /** The module that does the work, loaded when there is work: so that --help and --version stay light. */
  readonly load: () => Promise<Module>;
  readonly run: (
    options: Options,
    context: CommandContext & { readonly operands: Operands },
    load: () => Promise<Module>,
  ) => Promise<number>;
};

export const defineCommand = <Operands extends unknown[], Options extends OptionValues, Module>({
  subcommands = [],
  grammar,
  load,
  run,
}: CommandDefinition<Operands, Options, Module>): CommandSpec => ({
  subcommands,
  build: (context, standIn) => {
    const command = grammar(context.environment);
    return { command, run: () => run(command.opts(), { ...context, operands: command.processedArgs }, standIn ?? load) };
  },
});

/** A name that only holds commands: alone it does nothing. */
export const defineCommandGroup = (grammar: () => Command, subcommands: readonly CommandSpec[]): CommandSpec => ({
  subcommands,
  build: () => {
    const command = grammar();
    return {
      command,
      run: async () => {
        const choices = command.commands.map((each) => each.name()).join(', ');
        throw new SanbotError('usage', `sanbot ${command.name()} needs a subcommand: ${choices}`);
      },
    };
  },
});

export const homeOption = () => new Option('--home <folder>', 'where SanBot keeps its files (default: ~/.sanbot)');

export const jsonOption = () => new Option('--json', 'print JSON');

/** A session by its id or a part of it that no other id has. Without one, commands take the last one used in the working folder. */
export const sessionOption = (subject: string) =>
  new Option('--session <id>', `${subject}: its id or a part of it (default: the last one used in this folder)`);

/** `subject` is what of the group is meant. */
export const groupOption = (subject: string) =>
  new Option('--group <name>', `${subject} (default: main)`).argParser((text) => {
    if (text === '') throw invalidValue('--group', 'a name', text);
    return text;
  });

export const sinceOption = ({ now }: Environment) =>
  new Option('--since <time>', 'only since this time: 2026-01-31, 2026-01-31T09:00Z, or 30m, 2h, 7d ago').argParser((text) =>
    parseTime('--since', text, now),
  );

export const untilOption = ({ now }: Environment) =>
  new Option('--until <time>', 'only before this time, given in the same way').argParser((text) => parseTime('--until', text, now));

/** For the end of a command's help: whole command lines, each with what it does. */
export function examples(...lines: readonly (readonly [line: string, does: string])[]): string {
  const width = Math.max(...lines.map(([line]) => line.length));
  return `\nExamples:\n${lines.map(([line, does]) => `  ${line.padEnd(width)}  ${does}`).join('\n')}`;
}

/** Lines of a command's help between its options and its examples. */
export const notes = (...lines: readonly string[]): string => `\n${lines.join('\n')}`;

/** The words after a command's name as one text. Throws `usage` when there is nothing in them. */
export function requireText(what: string, words: readonly string[]): string {
  const text = words.join(' ');
  if (text.trim() === '') throw new SanbotError('usage', `${what} is missing`);
  return text;
}

/** Parsers of values. Each throws `usage`, naming the option, what is right and what was found. */
export function parseWholeNumber(option: string, text: string, min: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min) return value;
  throw invalidValue(option, `a whole number of at least ${min}`, text);
}

export function parseDollars(option: string, text: string): number {
  const value = /^\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
  if (value > 0) return value;
  throw invalidValue(option, 'dollars, such as 2.50', text);
}

/** Names separated by commas that must be among `allowed`; the nearest one is offered for another. */
export function parseKnownNames(option: string, text: string, allowed: readonly string[]): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (!names.every((name) => /^[\w*:.-]+$/.test(name))) throw invalidValue(option, 'names separated by commas', text);
  const unknownName = names.find((name) => !allowed.includes(name) && !name.startsWith(MCP_PREFIX));
  if (unknownName === undefined) return names;
  const suggestion = nearest(unknownName, allowed);
  const advice = suggestion === undefined ? `The tools are ${allowed.join(', ')}.` : `Did you mean ${suggestion}?`;
  throw new SanbotError('usage', `${option}: there is no tool ${inspectText(unknownName)}. ${advice}`);
}

export function parseChoice<T extends string>(option: string, text: string, choices: readonly T[]): T {
  const choice = choices.find((each) => each === text);
  if (choice !== undefined) return choice;
  throw invalidValue(option, `one of ${choices.join(', ')}`, text);
}

/** An ISO date or time, or a span before now: 30m, 2h, 7d. */
export function parseTime(option: string, text: string, now: () => Date): Date {
  const time = timeOf(text, now());
  if (time !== undefined) return time;
  throw invalidValue(option, 'a date (2026-01-31), a time (2026-01-31T09:00Z) or a span (30m, 2h, 7d)', text);
}

const invalidValue = (option: string, expected: string, value: string): SanbotError =>
  new SanbotError('usage', `${option}: expected ${expected}, found ${inspectText(value)}`);
