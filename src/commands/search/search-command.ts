import { SanbotError } from '../../domain/errors.ts';
import { recallRoles } from '../../domain/recall.ts';
import { type CommandSpec, homeOption, jsonOption } from '../command.ts';
import { parseChoice, parseTime, parseWholeNumber } from '../values.ts';

const DEFAULT_LIMIT = 10;

export const searchCommand: CommandSpec = {
  name: 'search',
  operands: [['<query...>', 'words, parts of names, or word* for a beginning']],
  summary: 'find in all that was ever said or seen: messages, calls with their results, memories',
  options: [
    { flags: '--session <id>', description: 'in one session' },
    { flags: '--tool <name>', description: 'calls of one tool' },
    { flags: '--role <role>', description: 'what the user or the assistant said, or calls with their results', choices: recallRoles },
    { flags: '--errors', description: 'calls that failed' },
    { flags: '--since <time>', description: 'not before: 2026-01-31, 2026-01-31T09:00Z, or 30m, 2h, 7d ago' },
    { flags: '--limit <n>', description: 'most hits', defaultValue: String(DEFAULT_LIMIT) },
    { flags: '--group <name>', description: 'of this group (default: main)' },
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
      role: role === undefined ? undefined : parseChoice('--role', role, recallRoles),
      errors: given.flag('errors'),
      since: parseTime('--since', given.text('since'), given.now),
      limit: parseWholeNumber('--limit', given.text('limit'), 1) ?? DEFAULT_LIMIT,
      group,
      json: given.flag('json'),
    };
    return (await actions()).search(options);
  },
};
