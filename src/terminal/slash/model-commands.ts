import type { ModelPort } from '../chat/model-port.ts';
import { contextText, modelText, sessionCostText } from '../views/views.ts';
import type { CommandUi, LoopControl } from './command.ts';

type ModelCommand = { readonly ui: CommandUi; readonly stoppable: LoopControl['stoppable'] };

/** `/model` shows who answers, `/model NAME` changes it. */
export async function runModel(argument: string, model: ModelPort, { ui, stoppable }: ModelCommand): Promise<void> {
  if (argument === '') ui.screen.block(modelText(model.current()));
  else await stoppable((signal) => model.change(argument, signal));
}

export async function runContext(model: ModelPort, { screen, columns }: CommandUi): Promise<void> {
  screen.block(contextText(await model.context(), { columns: columns(), paint: screen.paint }));
}

export function runCost(model: ModelPort, { screen, columns }: CommandUi): void {
  screen.block(sessionCostText(model.cost(), columns()));
}
