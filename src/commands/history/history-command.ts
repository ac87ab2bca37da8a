import { type CommandSpec, homeOption, jsonOption } from '../command.ts';

export const historyCommand: CommandSpec = {
  name: 'history',
  summary: 'snapshots, compactions and rollbacks of a session; without one, the sessions',
  options: [
    { flags: '--session <id>', description: 'the session' },
    { flags: '--snapshot <id>', description: 'one snapshot of it: what was kept, summarised and put away, and where to read it again' },
    jsonOption,
    homeOption,
  ],
  examples: [['sanbot history --session ID --json', 'the history of one session as JSON']],
  run: async (given, actions) =>
    (await actions()).history({
      home: given.text('home'),
      session: given.text('session'),
      snapshot: given.text('snapshot'),
      json: given.flag('json'),
    }),
};
