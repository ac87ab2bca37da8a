import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { SanbotError } from '../../domain/errors.ts';
import { localize } from '../../domain/language.ts';
import { memoryKinds } from '../../domain/memory/memory.ts';
import type { MemoryLine } from '../../domain/memory/memory-line.ts';
import { redact } from '../../domain/value/redact.ts';
import type { Environment } from '../../runtime/environment.ts';
import { writeFileAtomic } from '../../store/files/atomic-write.ts';
import { pickOnTerminal } from '../../terminal/input/confirm.ts';
import { NO, YES } from '../../terminal/input/questions.ts';
import { formatCount, pluralize } from '../../terminal/text/format.ts';
import { safeText } from '../../terminal/text/safe-text.ts';
import { memoryRow } from '../../terminal/views/memory-text.ts';
import { canAsk, say } from '../answer.ts';
import type { CommandContext } from '../command.ts';
import { findMemory, type MemoryScope, openMemories } from './memory.ts';

export type MemoryEditOptions = MemoryScope & {
  readonly what: string;
  readonly text?: string;
};

/** Gives an entry other words, or opens its file in the user's editor. One that comes back empty is put back: that is how editors fail. */
export async function editMemory(options: MemoryEditOptions, { environment, io }: CommandContext): Promise<void> {
  const { disk, paths, group, memories } = openMemories(options, { environment, io });
  const { what, text } = options;
  const kind = memoryKinds.find((each) => each === what);
  if (text === undefined) {
    const path = what === 'master' ? paths.master(group) : paths.extracted(group, kind ?? findMemory(memories, what).kind);
    // The files are there, with their headings, whoever looks first.
    memories.add([]);
    const before = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
    try {
      openEditor(environment, path);
    } finally {
      if (!isBlank(before) && isBlank(existsSync(path) ? readFileSync(path) : Buffer.alloc(0))) {
        writeFileAtomic(disk, path, before, { point: 'memory' });
        io.warn({
          en: `${path} was left empty, so its earlier content was put back. To remove a memory: sanbot memory forget ID`,
          zh: `${path} 被清空，已恢复原来的内容。要删除记忆：sanbot memory forget ID`,
        });
      }
    }
    return;
  }
  if (kind !== undefined || what === 'master')
    throw new SanbotError('usage', {
      en: `${what} is a whole file: leave out the text, or give the id of a memory`,
      zh: `${what} 是整个文件：请不要给出文本，或给出一条记忆的 id`,
    });
  const match = findMemory(memories, what);
  memories.reword(match.id, redact(text));
  say(io, { en: `${match.id} is now: ${safeText(redact(text))}`, zh: `${match.id} 现为：${safeText(redact(text))}` });
}

const isBlank = (bytes: Buffer): boolean => bytes.toString('utf8').trim() === '';

/** $VISUAL, $EDITOR, else vi. Its words are a program and arguments, never a shell's line. */
function openEditor(environment: Environment, path: string): void {
  const { env } = environment;
  const [program = 'vi', ...args] = (env.VISUAL || env.EDITOR || 'vi').trim().split(/\s+/);
  if (!canAsk(environment))
    throw new SanbotError(
      'usage',
      { en: 'Opening an editor needs a terminal', zh: '打开编辑器需要终端' },
      {
        en: `Edit ${path}, or give the new text: sanbot memory edit ID TEXT`,
        zh: `请编辑 ${path}，或直接给出新文本：sanbot memory edit ID TEXT`,
      },
    );
  const { error, status } = spawnSync(program, [...args, path], { stdio: 'inherit' });
  if (error !== undefined || status !== 0)
    throw new SanbotError(
      'store_failed',
      error === undefined
        ? { en: `The editor ${program} exited with ${status}`, zh: `编辑器 ${program} 退出，状态为 ${status}` }
        : { en: `The editor ${program} could not be started: ${error.message}`, zh: `无法启动编辑器 ${program}：${error.message}` },
      {
        en: 'Set EDITOR to a program that exists. The file is as the editor left it.',
        zh: '请将 EDITOR 设为存在的程序。文件保持编辑器退出时的状态。',
      },
      error,
    );
}

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

async function askAbout(entry: MemoryLine, environment: Environment): Promise<'keep' | 'forget' | 'stop' | undefined> {
  const choices = [
    { name: localize({ en: '1 Keep', zh: '1 保留' }), value: 'keep' as const, words: [...YES, '1', 'k'] },
    { name: localize({ en: '3 Forget', zh: '3 遗忘' }), value: 'forget' as const, words: [...NO, '3', 'f'] },
    { name: localize({ en: '5 Stop here', zh: '5 到此为止' }), value: 'stop' as const, words: ['5', 's'] },
  ];
  const question = localize({ en: `${entry.kind}: ${memoryRow(entry)}`, zh: `${entry.kind}：${memoryRow(entry)}` });
  return pickOnTerminal(question, choices, environment);
}
