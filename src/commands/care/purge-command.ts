import { SanbotError } from '../../domain/errors.ts';
import { type CommandSpec, homeOption, jsonOption } from '../command.ts';

export const purgeCommand: CommandSpec = {
  name: 'purge',
  summary: 'take a leaked secret out of everything SanBot has kept',
  options: [
    { flags: '--match <text>', description: 'the secret; - reads it from stdin, so that no shell keeps it', required: true },
    { flags: '--dry-run', description: 'show where it stands, change nothing' },
    { flags: '--yes', description: 'do not ask' },
    jsonOption,
    homeOption,
  ],
  examples: [
    ['sanbot purge --match - --dry-run < secret.txt', 'where it stands'],
    ['sanbot purge --match - --yes < secret.txt', 'put [purged] in its place everywhere; this cannot be undone'],
  ],
  run: async (given, actions) => {
    const match = given.text('match');
    if (match === undefined) throw new SanbotError('usage', '--match TEXT is missing');
    const { purge } = await actions();
    return purge({ home: given.text('home'), match, dryRun: given.flag('dry-run'), yes: given.flag('yes'), json: given.flag('json') });
  },
};
