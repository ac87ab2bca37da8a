import { counted } from '../text/figures.ts';
import { clip } from '../text/text-width.ts';
import { type RestoreTalk, restoreFiles } from '../views/file-restore.ts';
import { messageChoice, rewindPreviewText } from '../views/rewind-text.ts';
import type { CommandWorld } from './command.ts';

/** Goes back to right before an earlier message, and offers its text for editing. */
export async function rewind(argument: string, world: CommandWorld): Promise<void> {
  const { chat, screen, questions, columns, now } = world;
  const wish = argument === '' ? await pickMessage(world) : argument;
  if (wish === undefined) return;
  screen.block(rewindPreviewText(await chat.previewRewind(wish), { columns: columns(), now: now() }));
  if (questions === undefined) {
    screen.line('Going back has to be confirmed at a terminal; elsewhere: sanbot rollback --session ID --to-message N --yes', 'bad');
    return;
  }
  if (!(await saysYes(world, 'Go back?', 'Yes, go back'))) {
    screen.line('Nothing was changed.', 'quiet');
    return;
  }
  const { text, since } = await chat.rewind(wish);
  await offerFiles(world, since);
  world.offer(text);
}

/** The newest first, as one most often wants the last but one. */
async function pickMessage({ chat, screen, questions, columns }: CommandWorld): Promise<string | undefined> {
  const said = chat.pastMessages();
  if (said.length === 0) {
    screen.line('Nothing was said in this session yet.');
    return undefined;
  }
  if (questions === undefined) {
    screen.line(`Give the number of a message, from 1 to ${said.length}: /rewind N`, 'bad');
    return undefined;
  }
  const choices = said.map((message, i) => ({ name: clip(`${i + 1}  ${messageChoice(message)}`, columns() - 4), value: message.id }));
  return questions.pick('Go back to right before which message?', choices.toReversed());
}

/** Files are another matter than the conversation: nothing of them is touched unless it is asked for. */
export async function offerFiles(world: CommandWorld, since: number): Promise<void> {
  const { chat, screen } = world;
  const then = await chat.filesThen(since);
  const found = then.files.length + then.cannot.length;
  if (found === 0) return;
  screen.line(`SanBot changed ${counted(found, 'file')} since. Files stay as they are unless you ask.`);
  if (!(await saysYes(world, 'Restore files too?', 'Yes, show me the changes'))) return;
  const talk: RestoreTalk = { show: screen.block, ask: (question) => saysYes(world, question, 'Yes') };
  await restoreFiles(then, talk);
}

async function saysYes({ questions }: CommandWorld, question: string, yes: string): Promise<boolean> {
  const choices = [
    { name: 'No', value: false },
    { name: yes, value: true },
  ];
  return (await questions?.pick(question, choices)) === true;
}
