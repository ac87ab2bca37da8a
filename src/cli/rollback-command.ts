import { SanbotError } from '../domain/errors.ts';
import { type CommandSpec, homeOption, jsonOption } from './command.ts';

export const rollbackCommand: CommandSpec = {
  name: 'rollback',
  summary: 'make an earlier state of a session current again: a snapshot, or what was before a message',
  options: [
    { flags: '--snapshot <id>', does: 'the snapshot (sanbot history --session ID lists them)', conflicts: ['session', 'toMessage'] },
    { flags: '--session <id>', does: 'the session; alone, it lists the messages to go back to' },
    { flags: '--to-message <n>', does: 'go back to right before this message of yours: its number in that list, or its id' },
    { flags: '--files', does: 'also restore files that SanBot wrote since; what others changed since is left alone' },
    { flags: '--dry-run', does: 'show what would change, change nothing' },
    { flags: '--yes', does: 'do not ask' },
    jsonOption,
    homeOption,
  ],
  examples: [
    ['sanbot rollback --snapshot ID --dry-run', 'what would change'],
    ['sanbot rollback --snapshot ID --yes', 'do it; the state before is saved, so that it can be undone'],
    ['sanbot rollback --session ID --to-message 3 --yes', 'go back to right before your third message'],
  ],
  run: async (given, actions) => {
    const [snapshot, session, message] = [given.text('snapshot'), given.text('session'), given.text('to-message')];
    if (snapshot === undefined && session === undefined) throw new SanbotError('usage', '--snapshot ID or --session ID is missing');
    const { rollback, listMessages } = await actions();
    const common = { home: given.text('home'), json: given.flag('json') };
    if (session !== undefined && message === undefined) return listMessages({ ...common, session });
    return rollback({
      ...common,
      snapshot,
      session,
      toMessage: message,
      files: given.flag('files'),
      dryRun: given.flag('dry-run'),
      yes: given.flag('yes'),
    });
  },
};
