import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { SanbotError } from '../../domain/errors.ts';
import { memoryKinds } from '../../domain/memory/memory.ts';
import { redact } from '../../domain/value/redact.ts';
import type { Environment } from '../../runtime/environment.ts';
import { writeFileAtomic } from '../../store/files/atomic-write.ts';
import { safeText } from '../../terminal/text/safe-text.ts';
import { canAsk, say } from '../answer.ts';
import type { CommandContext } from '../command.ts';
import { findMemory, type MemoryScope, openMemories } from './memory.ts';

export type MemoryEditOptions = MemoryScope & {
  /** The id of an entry, or a kind, for its whole file. */
  readonly what: string;
  /** Left out: open the file in the user's editor. */
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
