import { localize } from '../../domain/language.ts';
import type { ModelPort, NamedModel } from '../chat/model-port.ts';
import { contextText, modelChoice, modelNamesText, modelText, sessionCostText } from '../views/views.ts';
import type { CommandUi, LoopControl } from './command.ts';

type ModelCommand = { readonly ui: CommandUi; readonly stoppable: LoopControl['stoppable'] };

/** `/model NAME` changes the model. Without a name it shows what can be named here, to choose from where there is a terminal to choose at. */
export async function runModel(argument: string, model: ModelPort, { ui, stoppable }: ModelCommand): Promise<void> {
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

export async function runContext(model: ModelPort, { screen, columns }: CommandUi): Promise<void> {
  screen.block(contextText(await model.context(), { columns: columns(), paint: screen.paint }));
}

export async function runCost(model: ModelPort, { screen, columns }: CommandUi): Promise<void> {
  screen.block(sessionCostText(await model.cost(), columns()));
}
