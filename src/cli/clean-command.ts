import { type CommandSpec, homeOption, jsonOption } from './command.ts';

export const cleanCommand: CommandSpec = {
  name: 'clean',
  summary: 'remove snapshots beyond the limits of age and size, as every start does; never the newest of a session',
  options: [{ flags: '--dry-run', does: 'show what would go, remove nothing' }, jsonOption, homeOption],
  examples: [['sanbot clean --dry-run', 'which snapshots would go, and why']],
  run: async (given, actions) =>
    (await actions()).clean({ home: given.text('home'), dryRun: given.flag('dry-run'), json: given.flag('json') }),
};
