import { type CommandSpec, homeOption, jsonOption } from '../command.ts';

export const cleanCommand: CommandSpec = {
  name: 'clean',
  summary: 'remove what nothing needs any more: snapshots beyond the limits of age and size, and what interrupted work left',
  options: [{ flags: '--dry-run', description: 'show what would go, remove nothing' }, jsonOption, homeOption],
  examples: [['sanbot clean --dry-run', 'what would go, and why']],
  run: async (given, actions) =>
    (await actions()).clean({ home: given.text('home'), dryRun: given.flag('dry-run'), json: given.flag('json') }),
};
