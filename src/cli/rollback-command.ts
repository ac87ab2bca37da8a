import { SanbotError } from '../domain/errors.ts';
import type { RollbackOptions } from './actions.ts';
import { type CommandSpec, type Given, homeOption, jsonOption } from './command.ts';

export const rollbackCommand: CommandSpec = {
  name: 'rollback',
  summary: 'make a snapshot of a session current again',
  options: [
    { flags: '--snapshot <id>', does: 'the snapshot (sanbot history --session ID lists them)', conflicts: ['session', 'last'] },
    { flags: '--session <id>', does: 'with --last: the session' },
    { flags: '--last', does: "undo the session's last compaction, rollback or clear" },
    { flags: '--dry-run', does: 'show what would change, change nothing' },
    { flags: '--yes', does: 'do not ask' },
    jsonOption,
    homeOption,
  ],
  examples: [
    ['sanbot rollback --snapshot ID --dry-run', 'what would change'],
    ['sanbot rollback --session ID --last', 'undo what happened last; again: undo that'],
    ['sanbot rollback --snapshot ID --yes', 'do it; the state before is saved, so that it can be undone'],
  ],
  run: async (given, actions) => {
    const to = target(given);
    const { rollback } = await actions();
    return rollback({
      home: given.text('home'),
      to,
      dryRun: given.flag('dry-run'),
      yes: given.flag('yes'),
      json: given.flag('json'),
    });
  },
};

function target(given: Given): RollbackOptions['to'] {
  const snapshot = given.text('snapshot');
  const session = given.text('session');
  if (snapshot !== undefined) return { snapshot };
  if (session === undefined || !given.flag('last'))
    throw new SanbotError('usage', 'Say what to go back to: --snapshot ID, or --session ID --last');
  return { lastOf: session };
}
