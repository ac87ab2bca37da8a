import type { RollbackPort, RollbackPreview } from '../../chat/rollback-port.ts';
import { formatCount, pluralize, timeAgo } from '../../text/format.ts';
import { safeLine } from '../../text/safe-text.ts';
import { historyTable, snapshotReasonTexts } from '../../views/history-table.ts';
import { rollbackPreviewText } from '../../views/rollback-text.ts';
import type { CommandUi } from '../command.ts';
import { offerFileRestore } from './rewind-command.ts';

/** Makes a snapshot current again: the one that is named, or one that the user picks. */
export async function runRollback(argument: string, rollback: RollbackPort, ui: CommandUi): Promise<void> {
  const id = argument === '' ? await pickSnapshot(rollback, ui) : argument;
  if (id === undefined) return;
  await confirmRollback({ preview: await rollback.preview(id), question: 'Roll back?' }, rollback, ui);
}

/** Of the newest compaction, rollback or clear. */
export async function runUndo(rollback: RollbackPort, ui: CommandUi): Promise<void> {
  const preview = await rollback.previewUndo();
  if (preview === undefined) ui.screen.line('Nothing to undo: no compaction, rollback or clear in this session.');
  else await confirmRollback({ preview, question: `Undo this: ${changeText(preview)}?` }, rollback, ui);
}

export function runHistory(rollback: RollbackPort, { screen, columns, now }: CommandUi, retentionDays: number): void {
  screen.block(historyTable(rollback.snapshots(), { now: now(), retentionDays, columns: columns() }));
}

const changeText = ({ snapshot: { outcome, reason } }: RollbackPreview): string => safeLine(outcome?.line ?? snapshotReasonTexts[reason]);

type RollbackQuestion = { readonly preview: RollbackPreview; readonly question: string };

async function confirmRollback({ preview, question }: RollbackQuestion, rollback: RollbackPort, ui: CommandUi): Promise<void> {
  const { screen, questions, columns, now } = ui;
  screen.block(rollbackPreviewText(preview, { columns: columns(), now: now() }));
  if (questions === undefined) {
    screen.line('A rollback needs your yes at a terminal. Without a terminal: sanbot rollback --snapshot ID --yes', 'bad');
    return;
  }
  const choices = [
    { name: 'No', value: false },
    { name: 'Yes, roll back', value: true },
  ];
  if ((await questions.pick(question, choices)) === true)
    await offerFileRestore(await rollback.rollBack(preview.snapshot.id), rollback, ui);
  else screen.line('Nothing was changed.', 'quiet');
}

async function pickSnapshot(rollback: RollbackPort, { screen, questions, now }: CommandUi): Promise<string | undefined> {
  const snapshots = rollback.snapshots().toReversed();
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
