import { localize, sameInBoth } from '../../domain/language.ts';
import type { ModelPort, NamedModel } from '../chat/context-port.ts';
import { formatCount } from '../text/format.ts';
import { contextText, modelChoice, modelNamesText, modelText, sessionCostText } from '../views/views.ts';
import type { CommandUi, LoopControl, SlashCommand } from './command.ts';

type ModelCommand = { readonly ui: CommandUi; readonly stoppable: LoopControl['stoppable'] };

/** `/model NAME` changes the model. Without a name it shows what can be named here, to choose from where there is a terminal to choose at. */
async function runModel(argument: string, model: ModelPort, { ui, stoppable }: ModelCommand): Promise<void> {
  const name = argument === '' ? await pickModel(model, { ui, stoppable }) : argument;
  if (name !== undefined) await stoppable((signal) => model.change(name, signal));
}

/** Undefined when nothing is to be changed. */
async function pickModel(model: ModelPort, { ui: { screen, questions }, stoppable }: ModelCommand): Promise<string | undefined> {
  let models: readonly NamedModel[] = [];
  await stoppable(async (signal) => {
    models = await model.choices(signal);
  });
  screen.block(modelText(model.current()));
  if (models.length < 2) return undefined;
  if (questions === undefined) {
    screen.block(modelNamesText(models));
    return undefined;
  }
  const chosen = await questions.find(
    localize({ en: 'Which model?', zh: '使用哪个模型？' }),
    models.map((one) => ({ name: modelChoice(one), value: one })),
  );
  return chosen?.isCurrent === false ? chosen.name : undefined;
}

async function runContext(model: ModelPort, { screen, columns }: CommandUi): Promise<void> {
  screen.block(contextText(await model.context(), { columns: columns(), paint: screen.paint }));
}

async function runCost(model: ModelPort, { screen, columns }: CommandUi): Promise<void> {
  screen.block(sessionCostText(await model.cost(), columns()));
}

export const slashContext: SlashCommand = {
  name: 'context',
  description: { en: 'what fills the window, and what could be freed', zh: '窗口的占用情况，以及可释放的空间' },
  run: (_, { chat, ui }) => runContext(chat.model, ui),
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
  run: (argument, { chat, ui, loop: { stoppable } }) => runModel(argument, chat.model, { ui, stoppable }),
};

export const slashCost: SlashCommand = {
  name: 'cost',
  description: { en: 'what this session has used', zh: '本会话的用量和费用' },
  run: (_, { chat, ui }) => runCost(chat.model, ui),
};
