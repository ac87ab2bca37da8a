import type { MemoryPort } from '../chat/memory-port.ts';
import { rememberResultText } from '../views/memory-text.ts';
import { recallHitsText } from '../views/recall-text.ts';
import { memoryFilesText } from '../views/views.ts';
import type { CommandUi, LoopControl } from './command.ts';

export function runMemory(memory: MemoryPort, { screen, columns }: CommandUi): void {
  screen.block(memoryFilesText(memory.view(), columns()));
}

export function runRemember(argument: string, memory: MemoryPort, { screen }: CommandUi): void {
  if (argument === '') screen.line('Add what to remember: /remember TEXT', 'bad');
  else {
    const outcome = memory.remember(argument);
    screen.line(rememberResultText(outcome), outcome.outcome === 'refused' ? 'bad' : 'good');
  }
}

type RecallCommand = { readonly ui: CommandUi; readonly stoppable: LoopControl['stoppable'] };

export async function runRecall(argument: string, memory: MemoryPort, { ui: { screen }, stoppable }: RecallCommand): Promise<void> {
  if (argument === '') {
    screen.line('Add what to search for: /recall WORDS', 'bad');
    return;
  }
  await stoppable(async (signal) => {
    const hits = await memory.recall(argument, signal);
    if (hits.length === 0) screen.line('Nothing found.');
    else screen.block(`${recallHitsText(hits, { paint: screen.paint })}sanbot show REF prints one in full.\n`);
  });
}
