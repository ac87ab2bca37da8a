import { Argument, Command, CommanderError, type CommandUnknownOpts, Option, type OptionValues } from 'commander';
import { SanbotError } from '../domain/errors.ts';
import { modeNamed } from '../domain/hook/sdk-tools.ts';
import { type Bilingual, localize, sameInBoth } from '../domain/language.ts';
import { permissionModes } from '../domain/permission.ts';
import { inspectText } from '../domain/text.ts';
import { timeOf } from '../domain/value/duration.ts';
import type { Environment } from '../runtime/environment.ts';
import type { HomeOptions } from '../runtime/home.ts';
import type { IoStreams } from '../runtime/io-streams.ts';
import { wrap } from '../terminal/text/text-width.ts';
import { type Examples, examplesText, startText } from './usage/help-text.ts';
import { nearestHint } from './usage/usage-errors.ts';

// The command-line library comes in here, so that no other file names it.
export { CommanderError, type CommandUnknownOpts };

export type CommandContext = { readonly environment: Environment; readonly io: IoStreams };

export type CommandSpec = {
  readonly subcommands: readonly CommandSpec[];
  /** A new one for each command line, since the library keeps in it what it has parsed. */
  readonly build: (context: CommandContext, load?: LoadStandIn) => BuiltCommand;
};

export type LoadStandIn = () => Promise<never>;

export type BuiltCommand = {
  readonly command: CommandUnknownOpts;
  /** To be called when the command line has been parsed. Resolves with the exit code. Throws SanbotError `usage` for options that make no sense together. */
  readonly run: () => Promise<number>;
};

type CommandDefinition<Operands extends unknown[], Options extends OptionValues, Module> = {
  readonly subcommands?: readonly CommandSpec[];
  readonly grammar: (environment: Environment) => Grammar<Operands, Options>;
  /** False where nothing of a home is used; else --home is the last option. */
  readonly hasHome?: boolean;
  readonly load: () => Promise<Module>;
  readonly run: (
    options: Options,
    context: CommandContext & { readonly operands: Operands },
    load: () => Promise<Module>,
  ) => Promise<number> | Promise<void>;
};

export const defineCommand = <Operands extends unknown[], Options extends OptionValues, Module>({
  subcommands = [],
  grammar,
  hasHome = true,
  load,
  run,
}: CommandDefinition<Operands, Options, Module>): CommandSpec => ({
  subcommands,
  build: (context, standIn) => {
    const { command } = grammar(context.environment);
    if (hasHome) command.addOption(option('--home <folder>', homeText));
    const work = () => run(command.opts(), { ...context, operands: command.processedArgs }, standIn ?? load);
    return { command, run: async () => (await work()) || 0 };
  },
});

export const defineCommandGroup = (grammar: () => Grammar<[], HomeOptions>, subcommands: readonly CommandSpec[]): CommandSpec => ({
  subcommands,
  build: () => {
    const { command } = grammar();
    return {
      command,
      run: async () => {
        const choices = command.commands.map((each) => each.name()).join(', ');
        throw new SanbotError('usage', {
          en: `sanbot ${command.name()} needs a subcommand: ${choices}`,
          zh: `sanbot ${command.name()} 需要一个子命令：${choices}`,
        });
      },
    };
  },
});

class Grammar<Operands extends unknown[], Options extends OptionValues> {
  readonly command: Command<Operands, Options>;

  constructor(command: Command<Operands, Options>) {
    this.command = command;
  }

  argument<Name extends string>(name: Name, does = sameInBoth('')) {
    return new Grammar(this.command.argument(name, localize(does)));
  }

  choice<Name extends string, const Words extends readonly string[]>(name: Name, does: Bilingual, words: Words) {
    return new Grammar(this.command.addArgument(new Argument(name, localize(does)).choices(words)));
  }

  option<Flags extends string>(flags: Flags, does: Bilingual) {
    return new Grammar(this.command.option(flags, localize(does)));
  }

  add<Flags extends string, Preset, Default, Parsed, Mandatory extends boolean, Choices>(
    added: Option<Flags, Preset, Default, Parsed, Mandatory, Choices>,
  ) {
    return new Grammar(this.command.addOption(added));
  }

  /** --json, with the options that it cannot be used with. */
  json(...others: string[]) {
    return this.add(option('--json', { en: 'print JSON', zh: '输出 JSON' }).conflicts(others));
  }

  notes(...paragraphs: readonly Bilingual[]) {
    this.command.addHelpText('after', (host) => ['', ...paragraphs.flatMap((text) => wrap(localize(text), columnsOf(host)))].join('\n'));
    return this;
  }

  start(lines: Examples) {
    this.command.addHelpText('before', (host) => startText(lines, columnsOf(host)));
    return this;
  }

  examples(lines: Examples) {
    this.command.addHelpText('after', (host) => examplesText(lines, columnsOf(host)));
    return this;
  }
}

export type { Grammar };

type HelpHost = { readonly command: Pick<CommandUnknownOpts, 'configureOutput'> };

const columnsOf = ({ command }: HelpHost): number => command.configureOutput().getOutHelpWidth?.() ?? 80;

export const grammarOf = (name: string, does: Bilingual) =>
  new Grammar(new Command<[], { home?: string | undefined }>(name).description(localize(does)));

export const option = <Flags extends string>(flags: Flags, does: Bilingual) => new Option(flags, localize(does));

const homeText = { en: 'where SanBot keeps its files (default: ~/.sanbot)', zh: 'SanBot 存放文件的位置（默认：~/.sanbot）' };

/** A session by its id or a part of it that no other id has. Without one, commands take the last one used in the working folder. */
export const sessionOption = ({ en, zh }: Bilingual) =>
  option('--session <id>', {
    en: `${en}: its id or a part of it (default: the last one used in this folder)`,
    zh: `${zh}：id 或其一部分（默认：此文件夹中最近使用的会话）`,
  });

export const groupOption = ({ en, zh }: Bilingual) =>
  option('--group <name>', { en: `${en} (default: main)`, zh: `${zh}（默认：main）` }).argParser((text) => {
    if (text === '') throw invalidValue('--group', { en: 'a name', zh: '名称' }, text);
    return text;
  });

export const modeOption = (does: Bilingual) =>
  option('--permission-mode <mode>', does)
    .choices(permissionModes)
    .argParser((text) => {
      const mode = modeNamed(text);
      if (mode !== undefined) return mode;
      const right = { en: `one of ${permissionModes.join(', ')}`, zh: ` ${permissionModes.join('、')} 之一` };
      throw invalidValue(
        '--permission-mode',
        right,
        text,
        Object.hasOwn(OTHER_MODES, text) ? OTHER_MODES[text] : nearestHint(text, permissionModes, SEE_HELP),
      );
    })
    .default('ask');

/** Modes of Claude Code's. */
const OTHER_MODES: Readonly<Record<string, Bilingual>> = {
  dontAsk: {
    en: 'With -p nobody is asked in any mode: what has no yes by --allow or a rule does not run.',
    zh: '使用 -p 时任何模式都不询问：没有 --allow 或规则允许的内容不会运行。',
  },
  auto: {
    en: 'No mode judges calls by a model. The nearest is accept-edits, with the setting permissions.sandboxedCommands for commands in the sandbox.',
    zh: '没有由模型判断调用的模式。最接近的是 accept-edits，沙箱中的命令另用设置 permissions.sandboxedCommands。',
  },
};
const SEE_HELP = { en: 'See sanbot --help.', zh: '参见 sanbot --help。' };

export const sinceOption = ({ now }: Environment) =>
  option('--since <time>', {
    en: 'only since this time: 2026-01-31, 2026-01-31T09:00Z, or 30m, 2h, 7d ago',
    zh: '只看此时间之后：2026-01-31、2026-01-31T09:00Z，或 30m、2h、7d 之前',
  }).argParser((text) => parseTime('--since', text, now));

export const untilOption = ({ now }: Environment) =>
  option('--until <time>', { en: 'only before this time, given in the same way', zh: '只看此时间之前，写法相同' }).argParser((text) =>
    parseTime('--until', text, now),
  );

/** The words after a command's name as one text. Throws `usage` when there is nothing in them. */
export function requireText(what: Bilingual, words: readonly string[]): string {
  const text = words.join(' ');
  if (text.trim() === '') throw new SanbotError('usage', { en: `${what.en} is missing`, zh: `缺少${what.zh}` });
  return text;
}

/** In small letters, as ids are. Throws usage for anything else. */
export function parseUuid(option: string, text: string): string {
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text.toLowerCase();
  throw new SanbotError(
    'usage',
    { en: `${option} ${inspectText(text)} is not a UUID`, zh: `${option} ${inspectText(text)} 不是 UUID` },
    { en: 'Give one as uuidgen prints it, or leave it out.', zh: '请给出 uuidgen 输出的那种，或不给出。' },
  );
}

/** Parsers of values. Each throws `usage`, naming the option, what is right and what was found. */
export function parseWholeNumber(option: string | Bilingual, text: string, min: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min) return value;
  throw invalidValue(option, { en: `a whole number of at least ${min}`, zh: `不小于 ${min} 的整数` }, text);
}

export function parseDollars(option: string, text: string): number {
  const value = /^\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN;
  if (value > 0) return value;
  throw invalidValue(option, { en: 'dollars, such as 2.50', zh: '美元金额，例如 2.50' }, text);
}

function parseTime(option: string, text: string, now: () => Date): Date {
  const time = timeOf(text, now());
  if (time !== undefined) return time;
  throw invalidValue(
    option,
    {
      en: 'a date (2026-01-31), a time (2026-01-31T09:00Z) or a span (30m, 2h, 7d)',
      zh: '日期（2026-01-31）、时间（2026-01-31T09:00Z）或时长（30m、2h、7d）',
    },
    text,
  );
}

function invalidValue(option: string | Bilingual, expected: Bilingual, value: string, hint?: Bilingual): SanbotError {
  const name = typeof option === 'string' ? sameInBoth(option) : option;
  const message = {
    en: `${name.en}: expected ${expected.en}, found ${inspectText(value)}`,
    zh: `${name.zh}：应为${startWithBlank(expected.zh)}，实际为 ${inspectText(value)}`,
  };
  return new SanbotError('usage', message, hint);
}

/** Between Chinese and a Latin word or figure stands a blank. */
const startWithBlank = (text: string): string => (/^[\x21-\x7e]/.test(text) ? ` ${text}` : text);
