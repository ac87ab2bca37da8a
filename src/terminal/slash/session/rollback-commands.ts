import { localize, sameInBoth } from '../../../domain/language.ts';
import type { RollbackPort, RollbackPreview } from '../../chat/history-port.ts';
import { noText, nothingChangedText } from '../../input/input-text.ts';
import { formatCount, timeAgo } from '../../text/format.ts';
import { safeLine } from '../../text/safe-text.ts';
import { historyTable, noSnapshotsText, outcomeText, snapshotReasonText } from '../../views/history-table.ts';
import { rollbackPreviewText } from '../../views/rollback-text.ts';
import type { CommandUi, SlashCommand } from '../command.ts';
import { offerFileRestore } from './rewind-command.ts';
import { rollbackTexts } from './session-text.ts';

/** Makes a snapshot current again: the one that is named, or one that the user picks. */
async function runRollback(argument: string, rollback: RollbackPort, ui: CommandUi): Promise<void> {
  const id = argument === '' ? await pickSnapshot(rollback, ui) : argument;
  if (id === undefined) return;
  await confirmRollback({ preview: await rollback.preview(id), question: localize(rollbackTexts).question }, rollback, ui);
}

/** Of the newest compaction, rollback or clear. */
async function runUndo(rollback: RollbackPort, ui: CommandUi): Promise<void> {
  const preview = await rollback.previewUndo();
  if (preview === undefined) ui.screen.line(localize(rollbackTexts).nothingToUndo);
  else await confirmRollback({ preview, question: localize(rollbackTexts).undo(changeText(preview)) }, rollback, ui);
}

function runHistory(rollback: RollbackPort, { screen, columns, now }: CommandUi, retentionDays: number): void {
  screen.block(historyTable(rollback.snapshots(), { now: now(), retentionDays, columns: columns() }));
}

const changeText = ({ snapshot: { outcome, reason } }: RollbackPreview): string =>
  safeLine(outcome === undefined ? snapshotReasonText(reason) : outcomeText(outcome.line));

type RollbackQuestion = { readonly preview: RollbackPreview; readonly question: string };

async function confirmRollback({ preview, question }: RollbackQuestion, rollback: RollbackPort, ui: CommandUi): Promise<void> {
  const { screen, questions, columns, now } = ui;
  screen.block(rollbackPreviewText(preview, { columns: columns(), now: now() }));
  if (questions === undefined) {
    screen.line(localize(rollbackTexts).needsYes, 'bad');
    return;
  }
  const choices = [
    { name: noText(), value: false },
    { name: localize(rollbackTexts).yes, value: true },
  ];
  if ((await questions.pick(question, choices)) === true)
    await offerFileRestore(await rollback.rollBack(preview.snapshot.id), rollback, ui);
  else screen.line(nothingChangedText(), 'quiet');
}

async function pickSnapshot(rollback: RollbackPort, { screen, questions, now }: CommandUi): Promise<string | undefined> {
  const snapshots = rollback.snapshots().toReversed();
  if (snapshots.length === 0) {
    screen.line(noSnapshotsText());
    return undefined;
  }
  if (questions === undefined) {
    screen.line(localize(rollbackTexts).giveId, 'bad');
    return undefined;
  }
  const choices = snapshots.map((meta) => ({
    name: `${localize(rollbackTexts).snapshot(meta, timeAgo(meta.at, now()), snapshotReasonText(meta.reason))}  ${safeLine(meta.id)}`,
    value: meta.id,
  }));
  return questions.pick(localize(rollbackTexts).which, choices);
}

export const slashHistory: SlashCommand = {
  name: 'history',
  description: { en: 'snapshots, compactions and rollbacks of this session', zh: '本会话的快照、压缩和回滚' },
  run: (_, { chat, ui, retentionDays }) => runHistory(chat.rollback, ui, retentionDays),
};

export const slashRollback: SlashCommand = {
  name: 'rollback',
  argumentHint: sameInBoth('[id]'),
  example: sameInBoth('/rollback 1122'),
  description: { en: 'make a snapshot current again', zh: '回滚到某个快照' },
  choices: ({ rollback }, now) =>
    rollback
      .snapshots()
      .toReversed()
      .map(({ id, at, reason, tokens }) => {
        const [age, why] = [timeAgo(at, now), snapshotReasonText(reason)];
        return {
          text: id,
          detail: localize({ en: `${age}, ${why}: ${formatCount(tokens)} tokens`, zh: `${age}，${why}：${formatCount(tokens)} token` }),
        };
      }),
  run: (argument, { chat, ui }) => runRollback(argument, chat.rollback, ui),
};

export const slashUndo: SlashCommand = {
  name: 'undo',
  description: {
    en: 'undo the last compaction, rollback or clear; again: undo that',
    zh: '撤销上一次压缩、回滚或清空；再次执行则撤销这次撤销',
  },
  run: (_, { chat, ui }) => runUndo(chat.rollback, ui),
};
