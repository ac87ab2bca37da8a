import { Command, defineCommand, examples, homeOption, Option } from '../command.ts';

export const exportCommand = defineCommand({
  grammar: () =>
    new Command('export')
      .description('a session as one file: whole (jsonl, for sanbot import), or to read (md, html)')
      .requiredOption('--session <id>', 'the session')
      .addOption(
        new Option('--format <format>', 'form of the file (default: as its name ends, else jsonl)').choices(['jsonl', 'md', 'html']),
      )
      .option('-o, --output <file>', 'where to write it (default: stdout); never over another file')
      .addOption(homeOption())
      .addHelpText(
        'after',
        examples(['sanbot export --session ID -o session.jsonl', 'take a session along; sanbot import session.jsonl brings it back']),
      ),
  load: () => import('./export-session.ts'),
  run: async (options, context, load) => (await load()).exportSession(options, context),
});
