import type { RollbackPreview } from '../repl/chat-port.ts';
import { formatCount, pluralize, timeAgo } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { snapshotReasonTexts } from '../views/history-table.ts';
import { rollbackPreviewText } from '../views/rollback-text.ts';
import type { CommandContext } from './command.ts';
import { offerFileRestore } from './rewind-command.ts';

/** Makes a snapshot current again: the one that is named, or one that the user picks. */
export async function runRollback(argument: string, context: CommandContext): Promise<void> {
  const { chat } = context;
  const id = argument === '' ? await pickSnapshot(context) : argument;
  if (id === undefined) return;
  await confirmRollback(await chat.previewRollback(id), 'Roll back?', context);
}

/** Of the newest compaction, rollback or clear. */
export async function runUndo(_: string, context: CommandContext): Promise<void> {
  const preview = await context.chat.previewUndo();
  if (preview === undefined) context.screen.line('Nothing to undo: no compaction, rollback or clear in this session.');
  else await confirmRollback(preview, `Undo this: ${changeText(preview)}?`, context);
}

const changeText = ({ snapshot: { outcome, reason } }: RollbackPreview): string => safeLine(outcome?.line ?? snapshotReasonTexts[reason]);

async function confirmRollback(preview: RollbackPreview, question: string, context: CommandContext): Promise<void> {
  const { chat, screen, questions, columns, now } = context;
  screen.block(rollbackPreviewText(preview, { columns: columns(), now: now() }));
  if (questions === undefined) {
    screen.line('A rollback has to be confirmed at a terminal; elsewhere: sanbot rollback --snapshot ID --yes', 'bad');
    return;
  }
  const choices = [
    { name: 'No', value: false },
    { name: 'Yes, roll back', value: true },
  ];
  if ((await questions.pick(question, choices)) === true) await offerFileRestore(context, await chat.rollback(preview.snapshot.id));
  else screen.line('Nothing was changed.', 'quiet');
}

async function pickSnapshot({ chat, screen, questions, now }: CommandContext): Promise<string | undefined> {
  const snapshots = chat.history().toReversed();
  if (snapshots.length === 0) {
    screen.line('No snapshots yet: one is taken before every compaction, rollback and clear.');
    return undefined;
  }
  if (questions === undefined) {
    screen.line('Give the id of a snapshot: /rollback ID. /history lists them.', 'bad');
    return undefined;
  }
  const choices = snapshots.map((meta) => ({
    name: `${timeAgo(meta.at, now())}, ${snapshotReasonTexts[meta.reason]}: ${pluralize(meta.messages, 'message')}, ${formatCount(meta.tokens)} tokens  ${safeLine(meta.id)}`,
    value: meta.id,
  }));
  return questions.pick('Which snapshot?', choices);
}
