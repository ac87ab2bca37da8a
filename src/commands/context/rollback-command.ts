import { SanbotError } from '../../domain/errors.ts';
import type { RollbackOptions } from '../actions.ts';
import { type CommandSpec, type Given, homeOption, jsonOption } from '../command.ts';

export const rollbackCommand: CommandSpec = {
  name: 'rollback',
  summary: 'make an earlier state of a session current again: a snapshot, or what was before a message',
  options: [
    {
      flags: '--snapshot <id>',
      description: 'the snapshot (sanbot history --session ID lists them)',
      conflicts: ['session', 'last', 'toMessage'],
    },
    { flags: '--session <id>', description: 'the session; alone, it lists the messages to go back to' },
    { flags: '--last', description: "undo the session's last compaction, rollback or clear", conflicts: ['toMessage'] },
    { flags: '--to-message <n>', description: 'go back to right before this message of yours: its number in that list, or its id' },
    { flags: '--files', description: 'also restore files that SanBot wrote since; what others changed since is left alone' },
    { flags: '--dry-run', description: 'show what would change, change nothing' },
    { flags: '--yes', description: 'do not ask' },
    jsonOption,
    homeOption,
  ],
  examples: [
    ['sanbot rollback --snapshot ID --dry-run', 'what would change'],
    ['sanbot rollback --session ID --last', 'undo what happened last; again: undo that'],
    ['sanbot rollback --snapshot ID --yes', 'do it; the state before is saved, so that it can be undone'],
    ['sanbot rollback --session ID --to-message 3 --yes', 'go back to right before your third message'],
  ],
  run: async (given, actions) => {
    const common = { home: given.text('home'), json: given.flag('json') };
    const to = target(given);
    const { rollback, listMessages } = await actions();
    if ('list' in to) return listMessages({ ...common, session: to.list });
    return rollback({
      ...common,
      to,
      files: given.flag('files'),
      dryRun: given.flag('dry-run'),
      yes: given.flag('yes'),
    });
  },
};

/** What to go back to; a session alone asks for its messages. */
function target(given: Given): RollbackOptions['to'] | { readonly list: string } {
  const [snapshot, session, message] = [given.text('snapshot'), given.text('session'), given.text('to-message')];
  if (snapshot !== undefined) return { snapshot };
  if (session === undefined)
    throw new SanbotError('usage', 'Say what to go back to: --snapshot ID, --session ID --last, or --session ID --to-message N');
  if (given.flag('last')) return { lastOf: session };
  return message === undefined ? { list: session } : { session, message };
}
