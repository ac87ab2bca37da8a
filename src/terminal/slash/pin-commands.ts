import { type Bilingual, localize, sameInBoth } from '../../domain/language.ts';
import type { PinLine, PinsPort, PinsView } from '../chat/context-port.ts';
import type { TurnPort } from '../chat/turn-port.ts';
import { formatCount, pluralize } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { clip } from '../text/text-width.ts';
import type { CommandUi, SlashCommand } from './command.ts';

/** `/pin NUMBER`, `/pin last`; alone it shows what could be pinned. */
async function runPin(argument: string, pins: PinsPort, ui: CommandUi): Promise<void> {
  const { screen } = ui;
  const choices = pins.choices();
  if (argument === '') return listPinnable(choices, pins, ui);
  const number = argument === 'last' ? choices.at(-1)?.number : parseNumber(argument);
  if (number === undefined) {
    screen.line(choices.length === 0 ? localize(pinTexts).none : localize(pinTexts).which, 'bad');
    return;
  }
  if (!choices.some((choice) => choice.number === number)) {
    screen.line(localize(pinTexts).unknown(number), 'bad');
    return;
  }
  await pins.pin(number);
  const view = await pins.view();
  const pinnedMessage = choices.find((choice) => choice.number === number);
  const excerpt = pinnedMessage === undefined ? undefined : excerptOf(pinnedMessage, 60);
  screen.line(localize(pinTexts).pinned(number, excerpt, pinCostText(view)), 'good');
}

/** `/unpin NUMBER` as /pins counts them, `/unpin all`; alone it takes off the only one. */
async function runUnpin(argument: string, pins: PinsPort, { screen, columns }: CommandUi): Promise<void> {
  const { pins: pinLines } = await pins.view();
  const number = argument === '' && pinLines.length === 1 ? 1 : parseNumber(argument);
  if (pinLines.length === 0) screen.line(localize(pinTexts).nothing);
  else if (argument === 'all') {
    for (const { messageId } of pinLines) await pins.unpin(messageId);
    screen.line(localize(pinTexts).removed(pinLines.length), 'good');
  } else {
    const selectedPin = number === undefined ? undefined : pinLines[number - 1];
    if (selectedPin === undefined) screen.line(localize(pinTexts).whichPin, 'bad');
    else {
      await pins.unpin(selectedPin.messageId);
      screen.line(clip(localize(pinTexts).unpinned(excerptOf(selectedPin, 60)), columns() * 2), 'good');
    }
  }
}

async function runPins(pins: PinsPort, { screen, columns }: CommandUi): Promise<void> {
  const view = await pins.view();
  if (view.pins.length === 0) screen.line(localize(pinTexts).nothingYet(formatCount(view.budgetTokens)));
  else
    screen.block(
      `${view.pins.map((each, at) => clip(`${String(at + 1).padStart(3)}  ${excerptOf(each, 400)}`, columns())).join('\n')}\n${pinCostText(view)}\n`,
    );
}

const STATUS_MARKS = { done: '✓', in_progress: '▸', pending: '·' } as const;

/** The task list that the model keeps. */
function runTodo({ todo }: Pick<TurnPort, 'todo'>, { screen, columns }: CommandUi): void {
  const items = todo();
  if (items.length === 0) {
    screen.line(
      localize({
        en: 'No task list yet: the model makes one for work that takes several steps.',
        zh: '还没有任务列表：工作需要多个步骤时，模型会建立一个。',
      }),
    );
    return;
  }
  const done = items.filter(({ status }) => status === 'done').length;
  const lines = items.map(({ text, status }) => clip(`  ${STATUS_MARKS[status]} ${safeLine(text)}`, columns()));
  const sum = localize({ en: `${done} of ${pluralize(items.length, 'item')} done.`, zh: `已完成 ${done} / ${items.length} 项。` });
  screen.block(`${lines.join('\n')}\n${sum}\n`);
}

const MAX_LISTED = 20;

async function listPinnable(choices: readonly PinLine[], pins: PinsPort, { screen, columns }: CommandUi): Promise<void> {
  if (choices.length === 0) {
    screen.line(localize(pinTexts).none);
    return;
  }
  const lines = choices
    .slice(-MAX_LISTED)
    .map((choice) =>
      clip(`${String(choice.number).padStart(5)}  ${choice.pinned ? localize(pinTexts).mark : ''}${excerptOf(choice, 400)}`, columns()),
    );
  const older = choices.length > MAX_LISTED ? localize(pinTexts).older(choices.length - MAX_LISTED) : '';
  screen.block(`${lines.join('\n')}\n${older}${localize(pinTexts).usage}${pinCostText(await pins.view())}\n`);
}

const excerptOf = ({ who, text }: Pick<PinLine, 'who' | 'text'>, chars: number): string =>
  localize(pinTexts).said(localize(speakers)[who], `${safeLine(text).slice(0, chars).toWellFormed()}${text.length > chars ? '…' : ''}`);
const pinCostText = ({ pins: pinLines, tokens, budgetTokens }: PinsView): string =>
  localize({
    en: `${pluralize(pinLines.length, 'pin')}, ${formatCount(tokens)} of ${formatCount(budgetTokens)} tokens.`,
    zh: `固定 ${formatCount(pinLines.length)} 条，${formatCount(tokens)} / ${formatCount(budgetTokens)} token。`,
  });
const parseNumber = (text: string): number | undefined => (/^\d{1,9}$/.test(text) ? Number(text) : undefined);

export const slashPin: SlashCommand = {
  name: 'pin',
  argumentHint: { en: '[number|last]', zh: '[编号|last]' },
  example: sameInBoth('/pin last'),
  description: { en: 'keep a message word for word through every compaction', zh: '固定一条消息，每次压缩都逐字保留' },
  choices: ({ pins }) => [
    { text: 'last', detail: localize({ en: 'the newest message', zh: '最新一条消息' }) },
    ...pins
      .choices()
      .filter(({ pinned }) => !pinned)
      .map(({ number, who, text }) => ({
        text: String(number),
        detail: `${localize(speakers)[who]}${localize({ en: ': ', zh: '：' })}${text}`,
      }))
      .toReversed(),
  ],
  run: (argument, { chat, ui }) => runPin(argument, chat.pins, ui),
};

export const slashUnpin: SlashCommand = {
  name: 'unpin',
  argumentHint: { en: '[number|all]', zh: '[编号|all]' },
  example: sameInBoth('/unpin all'),
  description: { en: 'unpin a message', zh: '取消固定一条消息' },
  choices: async ({ pins }) => {
    const { pins: pinned } = await pins.view();
    if (pinned.length === 0) return [];
    return [
      ...pinned.map(({ text }, at) => ({ text: String(at + 1), detail: text })),
      { text: 'all', detail: localize({ en: pluralize(pinned.length, 'pin'), zh: `${formatCount(pinned.length)} 条固定` }) },
    ];
  },
  run: (argument, { chat, ui }) => runUnpin(argument, chat.pins, ui),
};

export const slashPins: SlashCommand = {
  name: 'pins',
  description: { en: 'what is pinned, and what it costs', zh: '已固定的消息及其占用' },
  run: (_, { chat, ui }) => runPins(chat.pins, ui),
};

export const slashTodo: SlashCommand = {
  name: 'todo',
  description: { en: 'the task list that the model keeps', zh: '模型维护的任务列表' },
  run: (_, { chat, ui }) => runTodo(chat.turn, ui),
};

/** Texts of the commands that pin messages. */
type PinTexts = {
  readonly none: string;
  readonly which: string;
  readonly unknown: (number: number) => string;
  readonly pinned: (number: number, excerpt: string | undefined, cost: string) => string;
  readonly mark: string;
  readonly nothing: string;
  readonly nothingYet: (tokens: string) => string;
  readonly removed: (pins: number) => string;
  readonly whichPin: string;
  readonly unpinned: (excerpt: string) => string;
  readonly older: (messages: number) => string;
  readonly usage: string;
  readonly said: (who: string, text: string) => string;
};

const pinTexts: Bilingual<PinTexts> = {
  en: {
    none: 'There is no message to pin yet.',
    which: 'Which message? /pin NUMBER or /pin last; /pin alone lists them.',
    unknown: (number) => `The context has no message ${number} with text. /pin lists the messages.`,
    pinned: (number, excerpt, cost) => `Pinned message ${number}${excerpt === undefined ? '' : `, ${excerpt}`}. ${cost} /unpin removes it.`,
    mark: '[pinned] ',
    nothing: 'Nothing is pinned.',
    nothingYet: (tokens) => `Nothing is pinned. /pin NUMBER keeps a message word for word; pins may take ${tokens} tokens here.`,
    removed: (pins) => `${pluralize(pins, 'pin')} removed.`,
    whichPin: 'Which pin? /unpin NUMBER or /unpin all; /pins lists them.',
    unpinned: (excerpt) => `Unpinned: ${excerpt}. Its text leaves the context at the next compaction.`,
    older: (messages) => `${pluralize(messages, 'older message')} not shown. `,
    usage: '/pin NUMBER or /pin last keeps one word for word. ',
    said: (who, text) => `${who}: "${text}"`,
  },
  zh: {
    none: '还没有可以固定的消息。',
    which: '固定哪条消息？/pin NUMBER 或 /pin last；只输入 /pin 会列出消息。',
    unknown: (number) => `上下文中没有带文字的第 ${number} 条消息。/pin 列出消息。`,
    pinned: (number, excerpt, cost) => `已固定第 ${number} 条消息${excerpt === undefined ? '' : `，${excerpt}`}。${cost}/unpin 取消固定。`,
    mark: '［已固定］',
    nothing: '没有固定任何消息。',
    nothingYet: (tokens) => `没有固定任何消息。/pin NUMBER 逐字保留一条消息；此处固定的消息最多可占 ${tokens} token。`,
    removed: (pins) => `已取消固定 ${pins} 条。`,
    whichPin: '取消哪一条？/unpin NUMBER 或 /unpin all；/pins 列出固定的消息。',
    unpinned: (excerpt) => `已取消固定：${excerpt}。它的文字会在下次压缩时离开上下文。`,
    older: (messages) => `另有 ${messages} 条较早的消息未显示。`,
    usage: '/pin NUMBER 或 /pin last 逐字保留一条。',
    said: (who, text) => `${who}：“${text}”`,
  },
};

const speakers: Bilingual<Readonly<Record<PinLine['who'], string>>> = {
  en: { you: 'you', assistant: 'assistant', tool: 'tool' },
  zh: { you: '你', assistant: '助手', tool: '工具' },
};
