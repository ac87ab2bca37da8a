import { AbortedError, SanbotError } from '../../domain/errors.ts';
import type { MemoryLine } from '../../domain/memory/memory-line.ts';
import type { Environment } from '../../runtime/environment.ts';
import { pluralize } from '../../terminal/text/format.ts';
import { memoryRow } from '../../terminal/views/memory-text.ts';
import type { CommandContext } from '../command.ts';
import { type MemoryScope, openMemories } from './memory.ts';

/** Shows each entry that is new since the last review and asks whether it stays. What was answered counts, however it ends. */
export async function reviewMemories(options: MemoryScope, { environment, io }: CommandContext): Promise<number> {
  const { memories, group, store } = openMemories(options, { environment, io });
  const reviewedIds = memories.reviewed();
  const newEntries = memories.list().filter(({ id, byHand }) => !byHand && !reviewedIds.has(id));
  if (newEntries.length === 0) {
    io.out('There are no new memories since the last review.\n');
    return 0;
  }
  if (environment.stdin.isTTY !== true || environment.stdout.isTTY !== true)
    throw new SanbotError(
      'refused',
      `There is no terminal to ask at, and ${pluralize(newEntries.length, 'memory is', 'memories are')} new`,
      {
        hint: 'See them with sanbot memory list, and remove one with sanbot memory forget ID.',
      },
    );
  let forgottenCount = 0;
  for (const entry of newEntries) {
    const answer = await askAbout(entry, environment);
    if (answer === 'stop') break;
    if (answer === 'forget') {
      memories.forget([entry.id]);
      store.consolidations(group).dropEntries([entry.id]);
      forgottenCount += 1;
    } else memories.markReviewed([entry.id]);
  }
  io.out(`${pluralize(forgottenCount, 'memory', 'memories')} forgotten.\n`);
  return 0;
}

async function askAbout(entry: MemoryLine, { stdin, stdout }: Environment): Promise<'keep' | 'forget' | 'stop'> {
  const { chooseOne } = await import('../../terminal/input/prompts.ts');
  const choices = [
    { name: 'Keep', value: 'keep' as const },
    { name: 'Forget', value: 'forget' as const },
    { name: 'Stop here', value: 'stop' as const },
  ];
  try {
    return await chooseOne(`${entry.kind}: ${memoryRow(entry)}`, { choices, tip: 'up, down and Enter' }, { input: stdin, output: stdout });
  } catch (error) {
    if (error instanceof AbortedError) return 'stop';
    throw error;
  }
}
