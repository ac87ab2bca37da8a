import { efforts, effortText, isEffort, noEffortText, splitEffort, withEffort } from '../../domain/config/effort.ts';
import { localize, sameInBoth } from '../../domain/language.ts';
import type { ModelPort } from '../chat/context-port.ts';
import { formatCount, formatDollars } from '../text/format.ts';
import { contextText, modelChoice, modelNamesText, modelText, sessionCostText } from '../views/views.ts';
import { type CommandUi, confirmChange, printLine, type SlashCommand, type SlashContext, selectOne } from './command.ts';

async function pickModel({ chat: { model }, ui: { screen, questions }, loop }: SlashContext): Promise<string | undefined> {
  const models = (await loop.stoppable((signal) => model.choices(signal))) ?? [];
  screen.block(modelText(model.current()));
  if (models.length < 2) return undefined;
  if (questions === undefined) screen.block(modelNamesText(models));
  const chosen = await questions?.find(
    localize({ en: 'Which model?', zh: '使用哪个模型？' }),
    models.map((one) => ({ name: modelChoice(one), value: one })),
  );
  return chosen?.isCurrent === false ? chosen.name : undefined;
}

export const slashContext: SlashCommand = {
  name: 'context',
  description: { en: 'what fills the window, and what could be freed', zh: '窗口的占用情况，以及可释放的空间' },
  run: async (_, { chat: { model }, ui: { screen, columns } }) =>
    screen.block(contextText(await model.context(), { columns: columns(), paint: screen.paint })),
};

export const slashModel: SlashCommand = {
  name: 'model',
  argumentHint: { en: '[name]', zh: '[名称]' },
  example: sameInBoth('/model claude-sonnet-5-5'),
  description: { en: 'show the model, or choose another one', zh: '显示模型，或改用另一个' },
  choices: async ({ model }) =>
    (await model.choices(new AbortController().signal)).map(({ name, isCurrent, windowTokens }) => {
      const count = windowTokens === undefined ? undefined : formatCount(windowTokens);
      const window = count === undefined ? [] : [localize({ en: `${count} tokens`, zh: `${count} token` })];
      const now = isCurrent ? [localize({ en: 'now', zh: '当前' })] : [];
      return { text: name, detail: [...window, ...now].join(localize({ en: ', ', zh: '，' })) };
    }),
  run: async (argument, context) => {
    const name = argument === '' ? await pickModel(context) : argument;
    if (name === undefined) return;
    const full = withEffort(name, undefined, name, context.chat.model.current().name);
    await context.loop.stoppable((signal) => context.chat.model.change(full, signal));
  },
};

const DEFAULT_EFFORT = 'default';

/** Another effort is another request to the provider, which has the conversation cached for the one before: what that costs is told first. */
export const slashEffort: SlashCommand = {
  name: 'effort',
  argumentHint: { en: '[level]', zh: '[级别]' },
  example: sameInBoth('/effort high'),
  description: { en: 'how hard the model thinks', zh: '模型思考的力度' },
  choices: ({ model }) => {
    const { effort = DEFAULT_EFFORT } = splitEffort(model.current().name);
    return [DEFAULT_EFFORT, ...efforts].map((text) => ({ text, detail: text === effort ? localize({ en: 'now', zh: '当前' }) : '' }));
  },
  run: async (argument, { chat: { model }, ui, loop }) => {
    const { name, takesEffort } = model.current();
    const { name: plain, effort: now } = splitEffort(name);
    const current = effortText(now);
    const unasked = {
      en: `${current.en}. Write /effort low, medium, high, max or default.`,
      zh: `${current.zh}。用法：/effort low、medium、high、max 或 default。`,
    };
    const choices = [DEFAULT_EFFORT, ...efforts].map((text) => ({ name: text, value: text }));
    const word =
      argument === ''
        ? await selectOne(ui, {
            choices,
            none: current,
            unasked,
            which: { en: `${current.en}. Which one?`, zh: `${current.zh}。改为哪个？` },
          })
        : argument.toLowerCase();
    if (word === undefined) return;
    const wanted = isEffort(word) ? word : undefined;
    if (wanted === undefined && word !== DEFAULT_EFFORT) return printLine(ui, 'bad', unasked);
    if (wanted !== undefined && takesEffort === false) return printLine(ui, 'bad', noEffortText(plain));
    if (wanted === now || !(await acceptsCost(word, model, ui))) return;
    await loop.stoppable((signal) => model.change(withEffort(plain, wanted), signal));
  },
};

async function acceptsCost(word: string, model: ModelPort, ui: CommandUi): Promise<boolean> {
  const cost = model.rereadCost();
  if (cost === undefined) return true;
  const dollars =
    cost.costUsd === undefined
      ? { en: '', zh: '' }
      : { en: `, about ${formatDollars(cost.costUsd)}`, zh: `，约 ${formatDollars(cost.costUsd)}` };
  const price = {
    en: `The provider then reads the whole conversation again, once: ${formatCount(cost.tokens)} tokens${dollars.en}.`,
    zh: `服务方随后会重新读取一次会话：${formatCount(cost.tokens)} token${dollars.zh}。`,
  };
  if (ui.questions === undefined) printLine(ui, 'quiet', price);
  return (
    ui.questions === undefined ||
    confirmChange(ui, {
      question: { en: `Change the effort to ${word}? ${price.en}`, zh: `把思考力度改为 ${word}？${price.zh}` },
      yes: { en: 'Change it', zh: '更改' },
      unasked: price,
    })
  );
}

export const slashCost: SlashCommand = {
  name: 'cost',
  description: { en: 'what this session has used', zh: '本会话的用量和费用' },
  run: async (_, { chat: { model }, ui: { screen, columns } }) => screen.block(sessionCostText(await model.cost(), columns())),
};
