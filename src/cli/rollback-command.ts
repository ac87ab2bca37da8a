import { SanbotError } from '../domain/errors.ts';
import { type CommandSpec, homeOption, jsonOption } from './command.ts';

export const rollbackCommand: CommandSpec = {
  name: 'rollback',
  summary: 'make a snapshot of a session current again',
  options: [
    { flags: '--snapshot <id>', does: 'the snapshot (sanbot history --session ID lists them)', required: true },
    { flags: '--dry-run', does: 'show what would change, change nothing' },
    { flags: '--yes', does: 'do not ask' },
    jsonOption,
    homeOption,
  ],
  examples: [
    ['sanbot rollback --snapshot ID --dry-run', 'what would change'],
    ['sanbot rollback --snapshot ID --yes', 'do it; the state before is saved, so that it can be undone'],
  ],
  run: async (given, actions) => {
    const snapshot = given.text('snapshot');
    if (snapshot === undefined) throw new SanbotError('usage', '--snapshot ID is missing');
    const { rollback } = await actions();
    return rollback({
      home: given.text('home'),
      snapshot,
      dryRun: given.flag('dry-run'),
      yes: given.flag('yes'),
      json: given.flag('json'),
    });
  },
};
