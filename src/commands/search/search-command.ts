import { SanbotError } from '../../domain/errors.ts';
import { recallRoles } from '../../domain/recall.ts';
import { type CommandSpec, homeOption, jsonOption } from '../command.ts';
import { moment, oneOf, wholeNumber } from '../values.ts';

const DEFAULT_LIMIT = 10;

export const searchCommand: CommandSpec = {
  name: 'search',
  operands: [['<query...>', 'words, parts of names, or word* for a beginning']],
  summary: 'find in all that was ever said or seen: messages, calls with their results, memories',
  options: [
    { flags: '--session <id>', does: 'in one session' },
    { flags: '--tool <name>', does: 'calls of one tool' },
    { flags: '--role <role>', does: 'what the user or the assistant said, or calls with their results', choices: recallRoles },
    { flags: '--errors', does: 'calls that failed' },
    { flags: '--since <time>', does: 'not before: 2026-01-31, 2026-01-31T09:00Z, or 30m, 2h, 7d ago' },
    { flags: '--limit <n>', does: 'most hits', preset: String(DEFAULT_LIMIT) },
    { flags: '--group <name>', does: 'of this group (default: main)' },
    jsonOption,
    homeOption,
  ],
  examples: [
    ['sanbot search retry delay', 'the places with all words first, then those with some'],
    ['sanbot search --errors npm test', 'how a command failed'],
    ['sanbot search "compac*"', 'words that begin so'],
  ],
  run: async (given, actions) => {
    const group = given.text('group');
    if (group === '') throw new SanbotError('usage', '--group: expected a name, found ""');
    const role = given.text('role');
    const options = {
      home: given.text('home'),
      query: given.operands.join(' '),
      session: given.text('session'),
      tool: given.text('tool'),
      role: role === undefined ? undefined : oneOf('--role', role, recallRoles),
      errors: given.flag('errors'),
      since: moment('--since', given.text('since'), given.now),
      limit: wholeNumber('--limit', given.text('limit'), 1) ?? DEFAULT_LIMIT,
      group,
      json: given.flag('json'),
    };
    return (await actions()).search(options);
  },
};
