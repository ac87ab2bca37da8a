import type { RollbackPort } from '../../chat/rollback-port.ts';
import { pluralize } from '../../text/format.ts';
import { clip } from '../../text/text-width.ts';
import { type RestoreDialog, restoreFiles } from '../../views/file-restore.ts';
import { messageChoice, rewindPreviewText } from '../../views/rewind-text.ts';
import type { CommandUi, LoopControl } from '../command.ts';

type RewindCommand = { readonly ui: CommandUi; readonly prefill: LoopControl['prefill'] };

/** Goes back to right before an earlier message, and offers its text for editing. */
export async function runRewind(argument: string, rollback: RollbackPort, { ui, prefill }: RewindCommand): Promise<void> {
  const { screen, questions, columns, now } = ui;
  const messageRef = argument === '' ? await pickMessage(rollback, ui) : argument;
  if (messageRef === undefined) return;
  screen.block(rewindPreviewText(await rollback.previewRewind(messageRef), { columns: columns(), now: now() }));
  if (questions === undefined) {
    screen.line('Rewinding needs your yes at a terminal. Without a terminal: sanbot rollback --session ID --to-message N --yes', 'bad');
    return;
  }
  if (!(await confirmChoice(ui, 'Go back?', 'Yes, go back'))) {
    screen.line('Nothing was changed.', 'quiet');
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
    screen.line('You have not written anything in this session yet.');
    return undefined;
  }
  if (questions === undefined) {
    screen.line(`Give the number of a message, from 1 to ${messages.length}: /rewind N`, 'bad');
    return undefined;
  }
  const choices = messages.map((message, i) => ({ name: clip(`${i + 1}  ${messageChoice(message)}`, columns() - 4), value: message.id }));
  return questions.pick('Rewind to just before which message?', choices.toReversed());
}

/** Files are another matter than the conversation: nothing of them is touched unless it is asked for. */
export async function offerFileRestore(since: number, rollback: RollbackPort, ui: CommandUi): Promise<void> {
  const { screen } = ui;
  const restorable = await rollback.restorableFiles(since);
  const changedCount = restorable.files.length + restorable.unrestorable.length;
  if (changedCount === 0) return;
  screen.line(`SanBot changed ${pluralize(changedCount, 'file')} since then. They stay as they are unless you ask.`);
  if (!(await confirmChoice(ui, 'Restore files too?', 'Yes, show me the changes'))) return;
  const dialog: RestoreDialog = { show: screen.block, ask: (question) => confirmChoice(ui, question, 'Yes') };
  await restoreFiles(restorable, dialog);
}

async function confirmChoice({ questions }: CommandUi, question: string, confirmName: string): Promise<boolean> {
  const choices = [
    { name: 'No', value: false },
    { name: confirmName, value: true },
  ];
  return (await questions?.pick(question, choices)) === true;
}
