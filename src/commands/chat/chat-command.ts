import { sandboxModes } from '../../domain/config/sandbox-mode.ts';
import { SanbotError } from '../../domain/errors.ts';
import { localize } from '../../domain/language.ts';
import { permissionModes, toolNames } from '../../domain/permission.ts';
import type { Environment } from '../../runtime/environment.ts';
import { versionOf } from '../../runtime/home.ts';
import {
  Command,
  type CommandContext,
  defineCommand,
  examples,
  groupOption,
  homeOption,
  Option,
  parseDollars,
  parseKnownNames,
  parseWholeNumber,
} from '../command.ts';
import { chatExamples, chatHelp } from './chat-help-text.ts';
import type { ChatOptions } from './chat-options.ts';

/** The program without a command. */
export const chatCommand = defineCommand({
  grammar: (environment: Environment) =>
    new Command('sanbot')
      .usage('[options] [command]')
      .description(localize(chatHelp.program))
      .argument('[prompt]')
      .version(versionOf(environment), '-v, --version', localize(chatHelp.version))
      .option('-p, --print [prompt]', localize(chatHelp.print))
      .addOption(new Option('--input-format <format>', localize(chatHelp.inputFormat)).choices(['text', 'stream-json']).default('text'))
      .addOption(
        new Option('--output-format <format>', localize(chatHelp.outputFormat)).choices(['text', 'json', 'stream-json']).default('text'),
      )
      .addOption(new Option('-c, --continue', localize(chatHelp.continue)).conflicts('resume'))
      .option('-r, --resume [id]', localize(chatHelp.resume))
      .option('--fork', localize(chatHelp.fork))
      .option('--model <name>', localize(chatHelp.model))
      .addOption(wholeNumberOption('--context-window <tokens>', localize(chatHelp.contextWindow)))
      .addOption(wholeNumberOption('--max-steps <n>', localize(chatHelp.maxSteps)))
      .addOption(new Option('--max-cost <dollars>', localize(chatHelp.maxCost)).argParser((text) => parseDollars('--max-cost', text)))
      .addOption(wholeNumberOption('--max-turn-seconds <n>', localize(chatHelp.maxTurnSeconds)))
      .addOption(new Option('--permission-mode <mode>', localize(chatHelp.permissionMode)).choices(permissionModes).default('ask'))
      .addOption(new Option('--allow <tools>', localize(chatHelp.allow)).argParser((text) => parseKnownNames('--allow', text, toolNames)))
      .addOption(new Option('--sandbox <mode>', localize(chatHelp.sandbox)).choices(sandboxModes))
      .option('--trust', localize(chatHelp.trust))
      .addOption(groupOption(localize(chatHelp.group)))
      .option('--plain', localize(chatHelp.plain))
      .option('--no-color', localize(chatHelp.noColor))
      .addOption(homeOption())
      .addHelpText('after', examples(...chatExamples.map(([line, does]) => [line, localize(does)] as const))),
  load: async () => ({ runChat }),
  run: async ({ print, continue: continueNewest, allow = [], color: _, ...options }, { operands: [operand], ...context }, load) => {
    if (options.fork && !continueNewest && options.resume === undefined)
      throw new SanbotError(
        'usage',
        { en: '--fork needs a session to copy', zh: '--fork 需要一个可复制的会话' },
        { hint: { en: 'Add --continue, or --resume ID.', zh: '请加上 --continue 或 --resume ID。' } },
      );
    const prompt = print === true ? operand : print;
    if (options.inputFormat === 'stream-json') requireStream(options.outputFormat, prompt);
    const headless = print === undefined ? {} : { print: { prompt } };
    return (await load()).runChat({ ...options, ...headless, allow, continueNewest: continueNewest === true }, context);
  },
});

/** Answers to several messages can only be told apart in a stream, and what is said comes in one. */
function requireStream(outputFormat: ChatOptions['outputFormat'], prompt: string | undefined): void {
  if (outputFormat === 'stream-json' && prompt === undefined) return;
  throw new SanbotError(
    'usage',
    {
      en: '--input-format stream-json needs --output-format stream-json, and no prompt beside it',
      zh: '--input-format stream-json 需要 --output-format stream-json，且不能另带提示词',
    },
    { hint: { en: 'Messages come as lines on stdin: docs/stream-json.md.', zh: '消息从标准输入逐行读取：见 docs/stream-json.md。' } },
  );
}

const wholeNumberOption = <Flags extends string>(flags: Flags, description: string) => {
  const option = new Option(flags, description);
  return option.argParser((text) => parseWholeNumber(option.long ?? flags, text, 1));
};

/** With a person at a terminal, or one turn without. */
async function runChat(options: ChatOptions, context: CommandContext): Promise<number> {
  if (options.print !== undefined || options.inputFormat === 'stream-json' || context.environment.stdin.isTTY !== true)
    return (await import('./headless.ts')).runHeadless(options, context);
  return (await import('./interactive.ts')).runInteractive(options, context);
}
