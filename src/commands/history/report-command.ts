import { Command, defineCommand, examples, homeOption, notes } from '../command.ts';

export const reportCommand = defineCommand({
  grammar: () =>
    new Command('report')
      .description('the life of a session as one page: its context over time, every change of it, turns, tools, files, cost')
      .requiredOption('--session <id>', 'the session')
      .option('--html <file>', 'the page; never over another file (default: sanbot-report-ID.html in this folder)')
      .addOption(homeOption())
      .addHelpText(
        'after',
        notes(
          'The first line of each message of yours is in it, without what looks like a secret, and names of files and commands;',
          'what was answered, read or printed is not. A session in use is shown as it stands.',
        ),
      )
      .addHelpText(
        'after',
        examples(['sanbot report --session ID --html report.html', 'one file to open in a browser, without a network']),
      ),
  load: () => import('./report.ts'),
  run: async (options, context, load) => (await load()).writeReport(options, context),
});
