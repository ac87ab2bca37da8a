import { localize, sameInBoth } from '../../domain/language.ts';
import { formatCount } from '../text/format.ts';
import { contextText, modelChoice, modelNamesText, modelText, sessionCostText } from '../views/views.ts';
import type { SlashCommand, SlashContext } from './command.ts';

/** Shows what can be named here, to choose from where there is a terminal to choose at. Undefined when nothing is to be changed. */
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
    if (name !== undefined) await context.loop.stoppable((signal) => context.chat.model.change(name, signal));
  },
};

export const slashCost: SlashCommand = {
  name: 'cost',
  description: { en: 'what this session has used', zh: '本会话的用量和费用' },
  run: async (_, { chat: { model }, ui: { screen, columns } }) => screen.block(sessionCostText(await model.cost(), columns())),
};
