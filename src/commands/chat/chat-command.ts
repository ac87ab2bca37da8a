import { SanbotError } from '../../domain/errors.ts';
import { permissionModes } from '../../domain/permission.ts';
import { type ChatOptions, outputFormats, toolNames } from '../actions.ts';
import { type CommandSpec, type Given, homeOption } from '../command.ts';
import { parseChoice, parseKnownNames, parseWholeNumber } from '../values.ts';

export const chatCommand: CommandSpec = {
  name: '',
  summary: 'A terminal agent for long work: it never runs out of context and never loses anything.',
  options: [
    { flags: '-p, --print [prompt]', description: 'answer one prompt and leave; what is piped in is added to it, or is it' },
    { flags: '--output-format <format>', description: 'form of the answer to --print', choices: outputFormats, defaultValue: 'text' },
    { flags: '-c, --continue', description: 'go on with the session used last in this folder', conflicts: ['resume'] },
    { flags: '-r, --resume <id>', description: 'go on with a session' },
    { flags: '--fork', description: 'with --continue or --resume: go on in a copy, and leave the session as it is' },
    { flags: '--model <name>', description: 'the model to ask' },
    { flags: '--context-window <tokens>', description: "the model's window, when SanBot does not know it" },
    { flags: '--max-steps <n>', description: 'stop a turn after so many steps' },
    { flags: '--permission-mode <mode>', description: 'what tools may do without asking', choices: permissionModes, defaultValue: 'ask' },
    { flags: '--allow <tools>', description: 'tools that may run without asking, separated by commas' },
    { flags: '--group <name>', description: 'whose instructions, memories and archives to use (default: main)' },
    homeOption,
  ],
  examples: [
    ['sanbot', 'talk'],
    ['sanbot --continue', 'go on where you left'],
    ['sanbot -p "what does src/app.ts do?"', 'one answer'],
    ['git diff | sanbot -p "review this"', 'what is piped in follows the prompt'],
    ['sanbot history', 'the sessions; with --session ID, what can be rolled back'],
  ],
  run: async (given, actions) => {
    const options = chatOptions(given);
    return (await actions()).chat(options);
  },
};

function chatOptions(given: Given): ChatOptions {
  const group = given.text('group');
  if (group === '') throw new SanbotError('usage', '--group: expected a name, found ""');
  if (given.flag('fork') && !given.flag('continue') && given.text('resume') === undefined)
    throw new SanbotError('usage', '--fork says nothing without a session to fork', { hint: 'Add --continue, or --resume ID.' });
  return {
    home: given.text('home'),
    print: given.flag('print') || given.text('print') !== undefined ? { prompt: given.text('print') ?? given.operands[0] } : undefined,
    outputFormat: parseChoice('--output-format', given.text('output-format'), outputFormats),
    continueNewest: given.flag('continue'),
    resume: given.text('resume'),
    fork: given.flag('fork'),
    model: given.text('model'),
    contextWindow: parseWholeNumber('--context-window', given.text('context-window'), 1),
    maxSteps: parseWholeNumber('--max-steps', given.text('max-steps'), 1),
    permissionMode: parseChoice('--permission-mode', given.text('permission-mode'), permissionModes),
    allow: parseKnownNames('--allow', given.text('allow'), toolNames),
    group,
  };
}
