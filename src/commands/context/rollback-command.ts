import { Command, defineCommand, examples, homeOption, jsonOption, Option, sessionOption } from '../command.ts';
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
      .addOption(sessionOption('the session; without --last or --to-message, the messages you can go back to are listed'))
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
          ['sanbot rollback --last', "undo the last change of this folder's last session; run it again to undo that"],
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

/** What to go back to; without that, the messages of the session are listed. */
function rollbackTarget({ snapshot, session, last, toMessage }: TargetOptions): RollbackTarget | { readonly list: string | undefined } {
  if (snapshot !== undefined) return { snapshot };
  if (last) return { lastOf: session };
  return toMessage === undefined ? { list: session } : { session, message: toMessage };
}
