import type { RollbackPreview } from '../repl/chat-port.ts';
import { ago, count, counted } from '../text/figures.ts';
import { safeLine } from '../text/safe-text.ts';
import { takenBecause } from '../views/history-table.ts';
import { rollbackPreviewText } from '../views/rollback-text.ts';
import type { CommandWorld } from './command.ts';
import { offerFiles } from './rewind-command.ts';

/** Makes a snapshot current again: the one that is named, or one that the user picks. */
export async function rollBack(argument: string, world: CommandWorld): Promise<void> {
  const { chat } = world;
  const id = argument === '' ? await pickSnapshot(world) : argument;
  if (id === undefined) return;
  await confirmRollback(await chat.previewRollback(id), 'Roll back?', world);
}

/** Of the newest compaction, rollback or clear. */
export async function undo(_: string, world: CommandWorld): Promise<void> {
  const preview = await world.chat.previewUndo();
  if (preview === undefined) world.screen.line('Nothing to undo: no compaction, rollback or clear in this session.');
  else await confirmRollback(preview, `Undo this: ${undone(preview)}?`, world);
}

const undone = ({ snapshot: { outcome, reason } }: RollbackPreview): string => safeLine(outcome?.line ?? takenBecause[reason]);

async function confirmRollback(preview: RollbackPreview, question: string, world: CommandWorld): Promise<void> {
  const { chat, screen, questions, columns, now } = world;
  screen.block(rollbackPreviewText(preview, { columns: columns(), now: now() }));
  if (questions === undefined) {
    screen.line('A rollback has to be confirmed at a terminal; elsewhere: sanbot rollback --snapshot ID --yes', 'bad');
    return;
  }
  const choices = [
    { name: 'No', value: false },
    { name: 'Yes, roll back', value: true },
  ];
  if ((await questions.pick(question, choices)) === true) await offerFiles(world, await chat.rollback(preview.snapshot.id));
  else screen.line('Nothing was changed.', 'quiet');
}

async function pickSnapshot({ chat, screen, questions, now }: CommandWorld): Promise<string | undefined> {
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
    name: `${ago(meta.at, now())}, ${takenBecause[meta.reason]}: ${counted(meta.messages, 'message')}, ${count(meta.tokens)} tokens  ${safeLine(meta.id)}`,
    value: meta.id,
  }));
  return questions.pick('Which snapshot?', choices);
}
