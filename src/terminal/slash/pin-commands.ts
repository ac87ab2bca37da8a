import { type Bilingual, localize, sameInBoth } from '../../domain/language.ts';
import type { PinLine, PinsPort, PinsView } from '../chat/context-port.ts';
import { itemMarks } from '../screen/tool-line.ts';
import { formatCount, pluralize } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { clip } from '../text/text-width.ts';
import { type CommandUi, printLine, type SlashCommand } from './command.ts';

const nothingToPin = { en: 'There is no message to pin yet.', zh: '还没有可以固定的消息。' };

async function pinMessage(argument: string, pins: PinsPort, ui: CommandUi): Promise<void> {
  const choices = pins.choices();
  const number = argument === 'last' ? choices.at(-1)?.number : parseNumber(argument);
  const message = choices.find((choice) => choice.number === number);
  if (number === undefined) {
    const which = {
      en: 'Which message? /pin NUMBER or /pin last; /pin alone lists them.',
      zh: '固定哪条消息？/pin NUMBER 或 /pin last；只输入 /pin 会列出消息。',
    };
    return printLine(ui, 'bad', choices.length === 0 ? nothingToPin : which);
  }
  if (message === undefined)
    return printLine(ui, 'bad', {
      en: `The context has no message ${number} with text. /pin lists the messages.`,
      zh: `上下文中没有带文字的第 ${number} 条消息。/pin 列出消息。`,
    });
  await pins.pin(number);
  const [excerpt, cost] = [excerptOf(message, 60), pinCostText(await pins.view())];
  printLine(ui, 'good', {
    en: `Pinned message ${number}, ${excerpt}. ${cost} /unpin removes it.`,
    zh: `已固定第 ${number} 条消息，${excerpt}。${cost}/unpin 取消固定。`,
  });
}

const MAX_LISTED = 20;

async function listPinnable(pins: PinsPort, ui: CommandUi): Promise<void> {
  const choices = pins.choices();
  if (choices.length === 0) return printLine(ui, 'plain', nothingToPin);
  const mark = localize({ en: '[pinned] ', zh: '［已固定］' });
  const lines = choices
    .slice(-MAX_LISTED)
    .map((choice) => clip(`${String(choice.number).padStart(5)}  ${choice.pinned ? mark : ''}${excerptOf(choice, 400)}`, ui.columns()));
  const omitted = choices.length - MAX_LISTED;
  const older = { en: `${pluralize(omitted, 'older message')} not shown. `, zh: `另有 ${omitted} 条较早的消息未显示。` };
  const usage = localize({ en: '/pin NUMBER or /pin last keeps one word for word. ', zh: '/pin NUMBER 或 /pin last 逐字保留一条。' });
  ui.screen.block(`${lines.join('\n')}\n${omitted > 0 ? localize(older) : ''}${usage}${pinCostText(await pins.view())}\n`);
}

const excerptOf = ({ who, text }: Pick<PinLine, 'who' | 'text'>, chars: number): string => {
  const excerpt = `${safeLine(text).slice(0, chars).toWellFormed()}${text.length > chars ? '…' : ''}`;
  return localize({ en: `${speakers[who].en}: "${excerpt}"`, zh: `${speakers[who].zh}：“${excerpt}”` });
};
const pinCostText = ({ pins: pinLines, tokens, budgetTokens }: PinsView): string =>
  localize({
    en: `${pluralize(pinLines.length, 'pin')}, ${formatCount(tokens)} of ${formatCount(budgetTokens)} tokens.`,
    zh: `固定 ${formatCount(pinLines.length)} 条，${formatCount(tokens)} / ${formatCount(budgetTokens)} token。`,
  });
const parseNumber = (text: string): number | undefined => (/^\d{1,9}$/.test(text) ? Number(text) : undefined);

const speakers: Readonly<Record<PinLine['who'], Bilingual>> = {
  you: { en: 'you', zh: '你' },
  assistant: { en: 'assistant', zh: '助手' },
  tool: { en: 'tool', zh: '工具' },
  plan: { en: 'plan', zh: '计划' },
};

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
        detail: `${localize(speakers[who])}${localize({ en: ': ', zh: '：' })}${text}`,
      }))
      .toReversed(),
  ],
  run: (argument, { chat: { pins }, ui }) => (argument === '' ? listPinnable(pins, ui) : pinMessage(argument, pins, ui)),
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
  run: async (argument, { chat: { pins }, ui }) => {
    const { pins: pinned } = await pins.view();
    if (pinned.length === 0) return printLine(ui, 'plain', { en: 'Nothing is pinned.', zh: '没有固定任何消息。' });
    if (argument === 'all') {
      for (const { messageId } of pinned) await pins.unpin(messageId);
      return printLine(ui, 'good', { en: `${pluralize(pinned.length, 'pin')} removed.`, zh: `已取消固定 ${pinned.length} 条。` });
    }
    const selected = argument === '' && pinned.length === 1 ? pinned[0] : pinned[(parseNumber(argument) ?? 0) - 1];
    if (selected === undefined)
      return printLine(ui, 'bad', {
        en: 'Which pin? /unpin NUMBER or /unpin all; /pins lists them.',
        zh: '取消哪一条？/unpin NUMBER 或 /unpin all；/pins 列出固定的消息。',
      });
    await pins.unpin(selected.messageId);
    const excerpt = excerptOf(selected, 60);
    const unpinned = {
      en: `Unpinned: ${excerpt}. Its text leaves the context at the next compaction.`,
      zh: `已取消固定：${excerpt}。它的文字会在下次压缩时离开上下文。`,
    };
    ui.screen.line(clip(localize(unpinned), ui.columns() * 2), 'good');
  },
};

export const slashPins: SlashCommand = {
  name: 'pins',
  description: { en: 'what is pinned, and what it costs', zh: '已固定的消息及其占用' },
  run: async (_, { chat, ui }) => {
    const view = await chat.pins.view();
    const lines = view.pins.map((each, at) => clip(`${String(at + 1).padStart(3)}  ${excerptOf(each, 400)}`, ui.columns()));
    const budget = formatCount(view.budgetTokens);
    if (lines.length > 0) ui.screen.block(`${lines.join('\n')}\n${pinCostText(view)}\n`);
    else
      printLine(ui, 'plain', {
        en: `Nothing is pinned. /pin NUMBER keeps a message word for word; pins may take ${budget} tokens here.`,
        zh: `没有固定任何消息。/pin NUMBER 逐字保留一条消息；此处固定的消息最多可占 ${budget} token。`,
      });
  },
};

/** `/plan` shows the plan that was accepted, `/plan done` ends it. */
export const slashPlan: SlashCommand = {
  name: 'plan',
  argumentHint: { en: '[done]', zh: '[done]' },
  example: sameInBoth('/plan done'),
  description: { en: 'the plan that you accepted; with done, end it', zh: '你接受的计划；加 done 则结束它' },
  choices: ({ pins }) => (pins.plan() === undefined ? [] : [{ text: 'done', detail: localize({ en: 'end it', zh: '结束计划' }) }]),
  run: async (argument, { chat: { pins }, ui }) => {
    const plan = pins.plan();
    if (argument !== '' && argument !== 'done')
      return printLine(ui, 'bad', { en: 'Write /plan or /plan done.', zh: '请写 /plan 或 /plan done。' });
    if (plan === undefined)
      return printLine(ui, 'plain', {
        en: 'There is no accepted plan. In plan mode (Shift-Tab) the model makes one and asks you about it.',
        zh: '没有已接受的计划。在计划模式（Shift-Tab）下，模型会制定计划并征求你的意见。',
      });
    if (argument === '') return ui.screen.reply(plan);
    await pins.endPlan();
    printLine(ui, 'good', {
      en: 'The plan has ended. Its text leaves the context at the next compaction.',
      zh: '计划已结束。它的文字会在下次压缩时离开上下文。',
    });
  },
};

export const slashTodo: SlashCommand = {
  name: 'todo',
  description: { en: 'the task list that the model keeps', zh: '模型维护的任务列表' },
  run: (_, { chat, ui }) => {
    const items = chat.turn.todo();
    if (items.length === 0)
      return printLine(ui, 'plain', {
        en: 'No task list yet: the model makes one for work that takes several steps.',
        zh: '还没有任务列表：工作需要多个步骤时，模型会建立一个。',
      });
    const done = items.filter(({ status }) => status === 'done').length;
    const lines = items.map(({ text, status }) => clip(`  ${itemMarks[status]} ${safeLine(text)}`, ui.columns()));
    const sum = localize({ en: `${done} of ${pluralize(items.length, 'item')} done.`, zh: `已完成 ${done} / ${items.length} 项。` });
    ui.screen.block(`${lines.join('\n')}\n${sum}\n`);
  },
};
