import { Command, defineCommand, examples, homeOption, notes, sessionOption } from '../command.ts';

export const reportCommand = defineCommand({
  grammar: () =>
    new Command('report')
      .description('write one HTML page about a session: its context over time, every change to it, turns, tools, files, cost')
      .addOption(sessionOption('the session to report on'))
      .option('--html <file>', 'the file to write; an existing file is never overwritten (default: sanbot-report-ID.html in this folder)')
      .addOption(homeOption())
      .addHelpText(
        'after',
        notes(
          'The page has the first line of each of your messages, without anything that looks like a secret, and the names of files and commands.',
          'It has no answers, no file contents and no command output. A session in use is shown as it is now.',
        ),
      )
      .addHelpText(
        'after',
        examples(
          ['sanbot report', 'the last session of this folder'],
          ['sanbot report --session ID --html report.html', 'one file to open in a browser; it needs no network'],
        ),
      ),
  load: () => import('./report.ts'),
  run: async (options, context, load) => (await load()).writeReport(options, context),
});
