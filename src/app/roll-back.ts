import { findSnapshot, rollBack } from '../agent/rollback.ts';
import { addedSince, lastChange } from '../agent/undo.ts';
import type { RollbackOptions } from '../cli/actions.ts';
import { SanbotError } from '../domain/errors.ts';
import type { SnapshotMeta } from '../domain/snapshot.ts';
import { confirmOnTerminal } from '../ui/confirm.ts';
import { rollbackDifference } from '../ui/rollback-difference.ts';
import { rollbackDoneText, rollbackJson, rollbackPreviewText } from '../ui/rollback-text.ts';
import { buildSetting } from './build-setting.ts';
import { openConversation, type Setting } from './conversation.ts';
import { requireSession } from './history.ts';
import type { Screen } from './screen.ts';
import { readSettings } from './settings.ts';
import type { World } from './world.ts';

/** Shows what a rollback would change, and does it when told to: --yes, or a yes at the terminal. */
export async function rollBackTo(world: World, options: RollbackOptions, screen: Screen): Promise<number> {
  const settings = readSettings(world, options);
  const setting = await buildSetting(world, {
    settings,
    mode: 'read-only',
    allowed: [],
    askPermission: async () => 'nobody',
    confirm: async () => true,
    show: (event) => {
      if (event.type === 'warning') screen.err(`sanbot: ${event.message}\n`);
    },
    tell: (line) => screen.err(`sanbot: ${line}\n`),
  });
  await setting.ready();
  const last = 'lastOf' in options.to ? lastOf(options.to.lastOf, setting) : undefined;
  const snapshot = findSnapshot('snapshot' in options.to ? options.to.snapshot : (last?.id ?? ''), setting.store.snapshots);
  const interactive = world.stdin.isTTY === true && world.stdout.isTTY === true && !options.json;
  if (!options.dryRun && !options.yes && !interactive) {
    throw new SanbotError('refused', 'A rollback needs a yes, and there is no terminal to ask at', {
      hint: 'Add --yes, or --dry-run to see what would change.',
    });
  }
  const { session, deps, close } = openConversation(setting, snapshot.meta.sessionId);
  try {
    const { messages } = session.context;
    const preview = {
      snapshot: snapshot.meta,
      messagesNow: messages.length,
      tokensNow: session.count().tokens,
      ...rollbackDifference(messages, snapshot.context.messages),
      ...(last === undefined ? {} : { since: addedSince(last, messages) }),
    };
    if (!options.json) screen.out(rollbackPreviewText(preview, { columns: screen.columns, now: world.now() }));
    if (options.dryRun) {
      if (options.json)
        screen.out(
          `${JSON.stringify({ wouldRestore: snapshot.meta.id, messages: snapshot.meta.messages, tokens: snapshot.meta.tokens })}\n`,
        );
      return 0;
    }
    if (!options.yes && !(await confirmOnTerminal('Roll back?', { input: world.stdin, output: world.stdout }))) {
      screen.out('Nothing was changed.\n');
      return 0;
    }
    const done = rollBack(snapshot, session, deps);
    screen.out(options.json ? rollbackJson(done) : rollbackDoneText(done));
    return 0;
  } finally {
    close();
  }
}

function lastOf(sessionId: string, { store }: Setting): SnapshotMeta {
  const metas = store.snapshots.list(sessionId);
  if (metas.length === 0) requireSession(store.sessions.find(sessionId), sessionId);
  const last = lastChange(metas);
  if (last !== undefined) return last;
  throw new SanbotError('not_found', `There is nothing to undo in session ${JSON.stringify(sessionId)}: no compaction, rollback or clear`, {
    hint: 'Nothing was changed.',
  });
}
