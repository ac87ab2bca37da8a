import { type CommandSpec, homeOption, jsonOption } from './command.ts';

export const sessionsCommand: CommandSpec = {
  name: 'sessions',
  summary: 'all sessions, newest first',
  options: [jsonOption, homeOption],
  examples: [['sanbot sessions', 'when each was used, where, and what about']],
  run: async (given, actions) => (await actions()).sessions({ home: given.text('home'), json: given.flag('json') }),
};
