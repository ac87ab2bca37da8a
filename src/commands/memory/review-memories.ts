import { SanbotError } from '../../domain/errors.ts';
import { localize } from '../../domain/language.ts';
import type { MemoryLine } from '../../domain/memory/memory-line.ts';
import type { Environment } from '../../runtime/environment.ts';
import { pickOnTerminal } from '../../terminal/input/confirm.ts';
import { formatCount, pluralize } from '../../terminal/text/format.ts';
import { memoryRow } from '../../terminal/views/memory-text.ts';
import { canAsk, say } from '../answer.ts';
import type { CommandContext } from '../command.ts';
import { type MemoryScope, openMemories } from './memory.ts';

/** Shows each entry that is new since the last review and asks whether it stays. What was answered counts, however it ends. */
export async function reviewMemories(options: MemoryScope, { environment, io }: CommandContext): Promise<void> {
  const { memories, group, store } = openMemories(options, { environment, io });
  const reviewedIds = memories.reviewed();
  const newEntries = memories.list().filter(({ id, byHand }) => !byHand && !reviewedIds.has(id));
  if (newEntries.length === 0) return say(io, { en: 'There are no new memories since the last review.', zh: '上次审阅以来没有新记忆。' });
  if (!canAsk(environment))
    throw new SanbotError(
      'refused',
      {
        en: `There is no terminal to ask at, and ${pluralize(newEntries.length, 'memory is', 'memories are')} new`,
        zh: `有 ${formatCount(newEntries.length)} 条新记忆，但没有可供询问的终端`,
      },
      {
        en: 'See them with sanbot memory list, and remove one with sanbot memory forget ID.',
        zh: '用 sanbot memory list 查看，用 sanbot memory forget ID 删除。',
      },
    );
  let forgottenCount = 0;
  let answeredCount = 0;
  for (const entry of newEntries) {
    const answer = await askAbout(entry, environment);
    if (answer === undefined) {
      if (answeredCount > 0) tellForgotten(io, forgottenCount);
      throw new SanbotError(
        'interrupted',
        {
          en: `${pluralize(newEntries.length - answeredCount, 'memory is', 'memories are')} left to review`,
          zh: `还有 ${formatCount(newEntries.length - answeredCount)} 条记忆未审阅`,
        },
        { en: 'Go on with sanbot memory review.', zh: '用 sanbot memory review 继续。' },
      );
    }
    if (answer === 'stop') break;
    answeredCount += 1;
    if (answer === 'forget') {
      memories.forget([entry.id]);
      store.consolidations(group).dropEntries([entry.id]);
      forgottenCount += 1;
    } else memories.markReviewed([entry.id]);
  }
  tellForgotten(io, forgottenCount);
}

const tellForgotten = (io: CommandContext['io'], count: number): void =>
  say(io, { en: `${pluralize(count, 'memory', 'memories')} forgotten.`, zh: `已遗忘 ${formatCount(count)} 条记忆。` });

/** Undefined when it was left with Ctrl-C. */
async function askAbout(entry: MemoryLine, environment: Environment): Promise<'keep' | 'forget' | 'stop' | undefined> {
  const choices = [
    { name: localize({ en: 'Keep', zh: '保留' }), value: 'keep' as const },
    { name: localize({ en: 'Forget', zh: '遗忘' }), value: 'forget' as const },
    { name: localize({ en: 'Stop here', zh: '到此为止' }), value: 'stop' as const },
  ];
  const question = localize({ en: `${entry.kind}: ${memoryRow(entry)}`, zh: `${entry.kind}：${memoryRow(entry)}` });
  return pickOnTerminal(question, choices, environment);
}
