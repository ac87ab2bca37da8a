import type { PinLine, PinsView } from '../repl/chat-port.ts';
import { count, counted } from '../text/figures.ts';
import { safeLine } from '../text/safe-text.ts';
import { clip } from '../text/text-width.ts';
import type { CommandWorld } from './command.ts';

/** `/pin NUMBER`, `/pin last`; alone it shows what could be pinned. */
export async function pin(argument: string, world: CommandWorld): Promise<void> {
  const { chat, screen } = world;
  const choices = chat.pinnable();
  if (argument === '') return listPinnable(choices, world);
  const number = argument === 'last' ? choices.at(-1)?.number : numberIn(argument);
  if (number === undefined) {
    screen.line(
      choices.length === 0 ? 'There is no message to pin yet.' : 'Say which one: /pin NUMBER, or /pin last. /pin lists them.',
      'bad',
    );
    return;
  }
  if (!choices.some((choice) => choice.number === number)) {
    screen.line(`There is no message ${number} with text in the context. /pin lists those there are.`, 'bad');
    return;
  }
  await chat.pin(number);
  const view = await chat.pins();
  const pinned = choices.find((choice) => choice.number === number);
  screen.line(
    `Pinned message ${number}${pinned === undefined ? '' : `, ${shown(pinned, 60)}`}. ${costText(view)} /unpin takes it off.`,
    'good',
  );
}

/** `/unpin NUMBER` as /pins counts them, `/unpin all`; alone it takes off the only one. */
export async function unpin(argument: string, { chat, screen, columns }: CommandWorld): Promise<void> {
  const { pins } = await chat.pins();
  const number = argument === '' && pins.length === 1 ? 1 : numberIn(argument);
  if (pins.length === 0) screen.line('Nothing is pinned.');
  else if (argument === 'all') {
    for (const { messageId } of pins) await chat.unpin(messageId);
    screen.line(`${counted(pins.length, 'pin')} taken off.`, 'good');
  } else {
    const chosen = number === undefined ? undefined : pins[number - 1];
    if (chosen === undefined) screen.line('Say which one: /unpin NUMBER, or /unpin all. /pins lists them.', 'bad');
    else {
      await chat.unpin(chosen.messageId);
      screen.line(clip(`No longer pinned: ${shown(chosen, 60)}. Its text leaves with the next compaction.`, columns() * 2), 'good');
    }
  }
}

export async function pins(_: string, { chat, screen, columns }: CommandWorld): Promise<void> {
  const view = await chat.pins();
  if (view.pins.length === 0)
    screen.line(`Nothing is pinned. /pin NUMBER keeps a message word for word; pins may take ${count(view.budgetTokens)} tokens here.`);
  else
    screen.block(
      `${view.pins.map((each, at) => clip(`${String(at + 1).padStart(3)}  ${shown(each, 400)}`, columns())).join('\n')}\n${costText(view)}\n`,
    );
}

const MARKS = { done: '✓', in_progress: '▸', pending: '·' } as const;

/** The task list that the model keeps. */
export function todo(_: string, { chat, screen, columns }: CommandWorld): void {
  const items = chat.todo();
  if (items.length === 0) {
    screen.line('There is no task list: the model makes one for work of several steps.');
    return;
  }
  const done = items.filter(({ status }) => status === 'done').length;
  const lines = items.map(({ text, status }) => clip(`  ${MARKS[status]} ${safeLine(text)}`, columns()));
  screen.block(`${lines.join('\n')}\n${done} of ${counted(items.length, 'item')} done.\n`);
}

const MOST_LISTED = 20;

async function listPinnable(choices: readonly PinLine[], { chat, screen, columns }: CommandWorld): Promise<void> {
  if (choices.length === 0) {
    screen.line('There is no message to pin yet.');
    return;
  }
  const lines = choices
    .slice(-MOST_LISTED)
    .map((choice) => clip(`${String(choice.number).padStart(5)}  ${choice.pinned ? '[pinned] ' : ''}${shown(choice, 400)}`, columns()));
  const older = choices.length > MOST_LISTED ? `${counted(choices.length - MOST_LISTED, 'older message')} not shown. ` : '';
  screen.block(`${lines.join('\n')}\n${older}/pin NUMBER or /pin last keeps one word for word. ${costText(await chat.pins())}\n`);
}

const shown = ({ who, text }: Pick<PinLine, 'who' | 'text'>, chars: number): string =>
  `${who}: "${safeLine(text).slice(0, chars).toWellFormed()}${text.length > chars ? '…' : ''}"`;
const costText = ({ pins, tokens, budgetTokens }: PinsView): string =>
  `${counted(pins.length, 'pin')}, ${count(tokens)} of ${count(budgetTokens)} tokens.`;
const numberIn = (text: string): number | undefined => (/^\d{1,9}$/.test(text) ? Number(text) : undefined);
