import { AbortedError, SanbotError } from '../../domain/errors.ts';
import type { MemoryLine } from '../../domain/memory/memory-line.ts';
import type { Screen } from '../../runtime/screen.ts';
import type { World } from '../../runtime/world.ts';
import { counted } from '../../terminal/text/figures.ts';
import { memoryRow } from '../../terminal/views/memory-text.ts';
import type { MemoryReviewOptions } from '../actions.ts';
import { memoryPlace } from './memory.ts';

/** Shows each entry that is new since the last review and asks whether it stays. What was answered counts, however it ends. */
export async function reviewMemories(world: World, options: MemoryReviewOptions, screen: Screen): Promise<number> {
  const { memories, group, store } = memoryPlace(world, options, screen);
  const reviewed = memories.reviewed();
  const fresh = memories.list().filter(({ id, byHand }) => !byHand && !reviewed.has(id));
  if (fresh.length === 0) {
    screen.out('Nothing is new since the last review.\n');
    return 0;
  }
  if (world.stdin.isTTY !== true || world.stdout.isTTY !== true)
    throw new SanbotError('refused', `There is no terminal to ask at; ${counted(fresh.length, 'entry is', 'entries are')} new`, {
      hint: 'See them with sanbot memory list, and take one away with sanbot memory forget ID.',
    });
  let forgotten = 0;
  for (const entry of fresh) {
    const answer = await askAbout(entry, world);
    if (answer === 'stop') break;
    if (answer === 'forget') {
      memories.forget([entry.id]);
      store.consolidations(group).dropEntries([entry.id]);
      forgotten += 1;
    } else memories.markReviewed([entry.id]);
  }
  screen.out(`${counted(forgotten, 'entry', 'entries')} forgotten.\n`);
  return 0;
}

async function askAbout(entry: MemoryLine, { stdin, stdout }: World): Promise<'keep' | 'forget' | 'stop'> {
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
