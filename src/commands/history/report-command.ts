import { SanbotError } from '../../domain/errors.ts';
import { type CommandSpec, homeOption } from '../command.ts';

export const reportCommand: CommandSpec = {
  name: 'report',
  summary: 'the life of a session as one page: its context over time, every change of it, turns, tools, files, cost',
  options: [
    { flags: '--session <id>', description: 'the session', required: true },
    { flags: '--html <file>', description: 'the page; never over another file (default: sanbot-report-ID.html in this folder)' },
    homeOption,
  ],
  examples: [['sanbot report --session ID --html report.html', 'one file to open in a browser, without a network']],
  notes: [
    'The first line of each message of yours is in it, without what looks like a secret, and names of files and commands;',
    'what was answered, read or printed is not. A session in use is shown as it stands.',
  ],
  run: async (given, actions) => {
    const session = given.text('session');
    if (session === undefined) throw new SanbotError('usage', '--session ID is missing');
    return (await actions()).report({ home: given.text('home'), session, html: given.text('html') });
  },
};
