import { Command, defineCommand, examples, homeOption, Option, sessionOption } from '../command.ts';

export const exportCommand = defineCommand({
  grammar: () =>
    new Command('export')
      .description('write a session to one file: complete (jsonl, for sanbot import), or to read (md, html)')
      .addOption(sessionOption('the session to export'))
      .addOption(
        new Option('--format <format>', "the file's format (default: from the end of its name; jsonl without one)").choices([
          'jsonl',
          'md',
          'html',
        ]),
      )
      .option('-o, --output <file>', 'the file to write (default: stdout); an existing file is never overwritten')
      .addOption(homeOption())
      .addHelpText(
        'after',
        examples(['sanbot export --session ID -o session.jsonl', 'take a session with you; sanbot import session.jsonl brings it back']),
      ),
  load: () => import('./export-session.ts'),
  run: async (options, context, load) => (await load()).exportSession(options, context),
});
