import type { PinLine, PinsPort, PinsView } from '../chat/pins-port.ts';
import type { TurnPort } from '../chat/turn-port.ts';
import { formatCount, pluralize } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { clip } from '../text/text-width.ts';
import type { CommandUi } from './command.ts';

/** `/pin NUMBER`, `/pin last`; alone it shows what could be pinned. */
export async function runPin(argument: string, pins: PinsPort, ui: CommandUi): Promise<void> {
  const { screen } = ui;
  const choices = pins.choices();
  if (argument === '') return listPinnable(choices, pins, ui);
  const number = argument === 'last' ? choices.at(-1)?.number : parseNumber(argument);
  if (number === undefined) {
    screen.line(
      choices.length === 0 ? 'There is no message to pin yet.' : 'Which message? /pin NUMBER or /pin last; /pin alone lists them.',
      'bad',
    );
    return;
  }
  if (!choices.some((choice) => choice.number === number)) {
    screen.line(`The context has no message ${number} with text. /pin lists the messages.`, 'bad');
    return;
  }
  await pins.pin(number);
  const view = await pins.view();
  const pinnedMessage = choices.find((choice) => choice.number === number);
  screen.line(
    `Pinned message ${number}${pinnedMessage === undefined ? '' : `, ${excerptOf(pinnedMessage, 60)}`}. ${pinCostText(view)} /unpin removes it.`,
    'good',
  );
}

/** `/unpin NUMBER` as /pins counts them, `/unpin all`; alone it takes off the only one. */
export async function runUnpin(argument: string, pins: PinsPort, { screen, columns }: CommandUi): Promise<void> {
  const { pins: pinLines } = await pins.view();
  const number = argument === '' && pinLines.length === 1 ? 1 : parseNumber(argument);
  if (pinLines.length === 0) screen.line('Nothing is pinned.');
  else if (argument === 'all') {
    for (const { messageId } of pinLines) await pins.unpin(messageId);
    screen.line(`${pluralize(pinLines.length, 'pin')} removed.`, 'good');
  } else {
    const selectedPin = number === undefined ? undefined : pinLines[number - 1];
    if (selectedPin === undefined) screen.line('Which pin? /unpin NUMBER or /unpin all; /pins lists them.', 'bad');
    else {
      await pins.unpin(selectedPin.messageId);
      screen.line(
        clip(`Unpinned: ${excerptOf(selectedPin, 60)}. Its text leaves the context at the next compaction.`, columns() * 2),
        'good',
      );
    }
  }
}

export async function runPins(pins: PinsPort, { screen, columns }: CommandUi): Promise<void> {
  const view = await pins.view();
  if (view.pins.length === 0)
    screen.line(
      `Nothing is pinned. /pin NUMBER keeps a message word for word; pins may take ${formatCount(view.budgetTokens)} tokens here.`,
    );
  else
    screen.block(
      `${view.pins.map((each, at) => clip(`${String(at + 1).padStart(3)}  ${excerptOf(each, 400)}`, columns())).join('\n')}\n${pinCostText(view)}\n`,
    );
}

const STATUS_MARKS = { done: '✓', in_progress: '▸', pending: '·' } as const;

/** The task list that the model keeps. */
export function runTodo({ todo }: Pick<TurnPort, 'todo'>, { screen, columns }: CommandUi): void {
  const items = todo();
  if (items.length === 0) {
    screen.line('No task list yet: the model makes one for work that takes several steps.');
    return;
  }
  const done = items.filter(({ status }) => status === 'done').length;
  const lines = items.map(({ text, status }) => clip(`  ${STATUS_MARKS[status]} ${safeLine(text)}`, columns()));
  screen.block(`${lines.join('\n')}\n${done} of ${pluralize(items.length, 'item')} done.\n`);
}

const MAX_LISTED = 20;

async function listPinnable(choices: readonly PinLine[], pins: PinsPort, { screen, columns }: CommandUi): Promise<void> {
  if (choices.length === 0) {
    screen.line('There is no message to pin yet.');
    return;
  }
  const lines = choices
    .slice(-MAX_LISTED)
    .map((choice) => clip(`${String(choice.number).padStart(5)}  ${choice.pinned ? '[pinned] ' : ''}${excerptOf(choice, 400)}`, columns()));
  const older = choices.length > MAX_LISTED ? `${pluralize(choices.length - MAX_LISTED, 'older message')} not shown. ` : '';
  screen.block(`${lines.join('\n')}\n${older}/pin NUMBER or /pin last keeps one word for word. ${pinCostText(await pins.view())}\n`);
}

const excerptOf = ({ who, text }: Pick<PinLine, 'who' | 'text'>, chars: number): string =>
  `${who}: "${safeLine(text).slice(0, chars).toWellFormed()}${text.length > chars ? '…' : ''}"`;
const pinCostText = ({ pins: pinLines, tokens, budgetTokens }: PinsView): string =>
  `${pluralize(pinLines.length, 'pin')}, ${formatCount(tokens)} of ${formatCount(budgetTokens)} tokens.`;
const parseNumber = (text: string): number | undefined => (/^\d{1,9}$/.test(text) ? Number(text) : undefined);
