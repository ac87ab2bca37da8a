import { localize, sameInBoth } from '../../../domain/language.ts';
import type { RollbackPort } from '../../chat/history-port.ts';
import { noText, nothingChangedText, yesText } from '../../input/input-text.ts';
import { clip } from '../../text/text-width.ts';
import { type RestoreDialog, restoreFiles } from '../../views/file-restore.ts';
import { messageChoice, rewindPreviewText } from '../../views/rewind-text.ts';
import type { CommandUi, LoopControl, SlashCommand } from '../command.ts';
import { rewindTexts } from './session-text.ts';

type RewindCommand = { readonly ui: CommandUi; readonly prefill: LoopControl['prefill'] };

/** Goes back to right before an earlier message, and offers its text for editing. */
async function runRewind(argument: string, rollback: RollbackPort, { ui, prefill }: RewindCommand): Promise<void> {
  const { screen, questions, columns, now } = ui;
  const messageRef = argument === '' ? await pickMessage(rollback, ui) : argument;
  if (messageRef === undefined) return;
  screen.block(rewindPreviewText(await rollback.previewRewind(messageRef), { columns: columns(), now: now() }));
  if (questions === undefined) {
    screen.line(localize(rewindTexts).needsYes, 'bad');
    return;
  }
  if (!(await confirmChoice(ui, localize(rewindTexts).question, localize(rewindTexts).yes))) {
    screen.line(nothingChangedText(), 'quiet');
    return;
  }
  const { text, since } = await rollback.rewind(messageRef);
  await offerFileRestore(since, rollback, ui);
  prefill(text);
}

/** The newest first, as one most often wants the last but one. */
async function pickMessage({ pastMessages }: RollbackPort, { screen, questions, columns }: CommandUi): Promise<string | undefined> {
  const messages = pastMessages();
  if (messages.length === 0) {
    screen.line(localize(rewindTexts).noMessages);
    return undefined;
  }
  if (questions === undefined) {
    screen.line(localize(rewindTexts).giveNumber(messages.length), 'bad');
    return undefined;
  }
  const choices = messages.map((message, i) => ({ name: clip(`${i + 1}  ${messageChoice(message)}`, columns() - 4), value: message.id }));
  return questions.pick(localize(rewindTexts).which, choices.toReversed());
}

/** Files are another matter than the conversation: nothing of them is touched unless it is asked for. */
export async function offerFileRestore(since: number, rollback: RollbackPort, ui: CommandUi): Promise<void> {
  const { screen } = ui;
  const restorable = await rollback.restorableFiles(since);
  const changedCount = restorable.files.length + restorable.unrestorable.length;
  if (changedCount === 0) return;
  screen.line(localize(rewindTexts).filesChanged(changedCount));
  if (!(await confirmChoice(ui, localize(rewindTexts).restoreFiles, localize(rewindTexts).showChanges))) return;
  const drawing = { paint: screen.paint, columns: ui.columns() };
  const dialog: RestoreDialog = { drawing, show: screen.block, ask: (question) => confirmChoice(ui, question, yesText()) };
  await restoreFiles(restorable, dialog);
}

async function confirmChoice({ questions }: CommandUi, question: string, confirmName: string): Promise<boolean> {
  const choices = [
    { name: noText(), value: false },
    { name: confirmName, value: true },
  ];
  return (await questions?.pick(question, choices)) === true;
}

export const slashRewind: SlashCommand = {
  name: 'rewind',
  argumentHint: { en: '[number]', zh: '[编号]' },
  example: sameInBoth('/rewind 3'),
  description: { en: 'go back to before an earlier message, and edit it', zh: '回退到较早的某条消息之前，并编辑它' },
  choices: ({ rollback }) =>
    rollback
      .pastMessages()
      .map(({ text }, at) => ({ text: String(at + 1), detail: text.slice(0, 200) }))
      .toReversed(),
  run: (argument, { chat, ui, loop: { prefill } }) => runRewind(argument, chat.rollback, { ui, prefill }),
};
