import { sandboxModes } from '../../domain/config/sandbox-mode.ts';
import { SanbotError } from '../../domain/errors.ts';
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
import type { ChatOptions } from './chat-options.ts';

/** The program without a command. */
export const chatCommand = defineCommand({
  grammar: (environment: Environment) =>
    new Command('sanbot')
      .usage('[options] [command]')
      .description('A terminal agent for long work: it never runs out of context and never loses anything.')
      .argument('[prompt]')
      .version(versionOf(environment), '-v, --version', 'print the version')
      .option('-p, --print [prompt]', 'answer one prompt and exit; piped input is added to the prompt, or is the prompt')
      .addOption(
        new Option('--output-format <format>', 'the output format of --print').choices(['text', 'json', 'stream-json']).default('text'),
      )
      .addOption(new Option('-c, --continue', 'continue the last session used in this folder').conflicts('resume'))
      .option('-r, --resume [id]', 'continue the session with this id, or with this part of an id; without one, choose from a list')
      .option('--fork', 'with --continue or --resume: continue in a copy, and leave the session unchanged')
      .option('--model <name>', 'the model to use')
      .addOption(wholeNumberOption('--context-window <tokens>', "the size of the model's context window, if SanBot does not know it"))
      .addOption(wholeNumberOption('--max-steps <n>', 'stop a turn after this many steps'))
      .addOption(
        new Option('--max-cost <dollars>', 'stop once the requests of this run have cost this much').argParser((text) =>
          parseDollars('--max-cost', text),
        ),
      )
      .addOption(wholeNumberOption('--max-turn-seconds <n>', 'stop a turn that takes longer'))
      .addOption(new Option('--permission-mode <mode>', 'what tools may do without asking').choices(permissionModes).default('ask'))
      .addOption(
        new Option('--allow <tools>', 'tools that may run without asking, separated by commas').argParser((text) =>
          parseKnownNames('--allow', text, toolNames),
        ),
      )
      .addOption(new Option('--sandbox <mode>', 'run commands in a sandbox (default: where there is one)').choices(sandboxModes))
      .option('--trust', 'trust this folder for this run: use its settings, hooks and instruction files')
      .addOption(groupOption('the group whose instructions, memories and archives to use'))
      .option('--no-color', 'print no colours; counts for every command')
      .addOption(homeOption())
      .addHelpText(
        'after',
        examples(
          ['sanbot', 'start a conversation'],
          ['sanbot --continue', 'continue where you left off'],
          ['sanbot -p "what does src/app.ts do?"', 'print one answer'],
          ['git diff | sanbot -p "review this"', 'add piped text to the prompt'],
          ['sanbot history', 'list the sessions; with --session ID, what you can go back to'],
        ),
      ),
  load: async () => ({ runChat }),
  run: async ({ print, continue: continueNewest, allow = [], color: _, ...options }, { operands: [operand], ...context }, load) => {
    if (options.fork && !continueNewest && options.resume === undefined)
      throw new SanbotError('usage', '--fork needs a session to copy', { hint: 'Add --continue, or --resume ID.' });
    const prompt = print === true ? operand : print;
    const headless = print === undefined ? {} : { print: { prompt } };
    return (await load()).runChat({ ...options, ...headless, allow, continueNewest: continueNewest === true }, context);
  },
});

const wholeNumberOption = <Flags extends string>(flags: Flags, description: string) => {
  const option = new Option(flags, description);
  return option.argParser((text) => parseWholeNumber(option.long ?? flags, text, 1));
};

/** With a person at a terminal, or one turn without. */
async function runChat(options: ChatOptions, context: CommandContext): Promise<number> {
  if (options.print !== undefined || context.environment.stdin.isTTY !== true)
    return (await import('./headless.ts')).runHeadless(options, context);
  return (await import('./interactive.ts')).runInteractive(options, context);
}
