import { SanbotError } from '../../domain/errors.ts';
import { Command, defineCommand, examples, homeOption, jsonOption, Option } from '../command.ts';
import type { RollbackTarget } from './rollback.ts';

export const rollbackCommand = defineCommand({
  grammar: () =>
    new Command('rollback')
      .description('return a session to an earlier state: a snapshot, or just before a message')
      .addOption(
        new Option('--snapshot <id>', 'the snapshot to return to (sanbot history --session ID lists them)').conflicts([
          'session',
          'last',
          'toMessage',
        ]),
      )
      .option('--session <id>', 'the session; on its own, it lists the messages you can go back to')
      .addOption(new Option('--last', "undo the session's last compaction, rollback or clear").conflicts('toMessage'))
      .option('--to-message <n>', 'go back to just before this message of yours: its number in that list, or its id')
      .option('--files', 'also restore the files that SanBot has written since; files that others have changed are left alone')
      .option('--dry-run', 'show what would change, but change nothing')
      .option('--yes', 'do not ask for confirmation')
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText(
        'after',
        examples(
          ['sanbot rollback --snapshot ID --dry-run', 'see what would change'],
          ['sanbot rollback --session ID --last', 'undo the last change; run it again to undo that'],
          ['sanbot rollback --snapshot ID --yes', 'roll back; the current state is saved first, so you can undo this'],
          ['sanbot rollback --session ID --to-message 3 --yes', 'go back to just before your third message'],
        ),
      ),
  load: () => import('./rollback.ts'),
  run: async ({ snapshot, session, last, toMessage, ...options }, context, load) => {
    const to = rollbackTarget({ snapshot, session, last, toMessage });
    const { listMessages, rollBackTo } = await load();
    return 'list' in to ? listMessages({ ...options, session: to.list }, context) : rollBackTo({ ...options, to }, context);
  },
});

type TargetOptions = {
  readonly snapshot: string | undefined;
  readonly session: string | undefined;
  readonly last: true | undefined;
  readonly toMessage: string | undefined;
};

/** What to go back to; a session alone asks for its messages. */
function rollbackTarget({ snapshot, session, last, toMessage }: TargetOptions): RollbackTarget | { readonly list: string } {
  if (snapshot !== undefined) return { snapshot };
  if (session === undefined)
    throw new SanbotError('usage', 'Choose what to go back to: --snapshot ID, --session ID --last, or --session ID --to-message N');
  if (last) return { lastOf: session };
  return toMessage === undefined ? { list: session } : { session, message: toMessage };
}
