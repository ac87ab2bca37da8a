import { SanbotError } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import { groupDigits } from '../../domain/value/size-text.ts';
import { embedPending } from '../../runtime/conversation/recall/embed-pending.ts';
import { openEmbeddings } from '../../runtime/conversation/recall/embeddings.ts';
import { readSettings } from '../../runtime/settings.ts';
import { pluralize } from '../../terminal/text/format.ts';
import { answer } from '../answer.ts';
import type { CommandContext } from '../command.ts';
import { type MemoryScope, openMemories } from './memory.ts';

export type EmbedAllOptions = MemoryScope & { readonly json?: boolean };

/** Vectors for all that has none yet. Exit code 4 where the endpoint stopped answering before the end. */
export async function embedAll(options: EmbedAllOptions, { environment, io }: CommandContext): Promise<number> {
  const embeddings = openEmbeddings(environment, readSettings(environment, options));
  if (embeddings === undefined) throw new SanbotError('refused', NO_EMBEDDINGS.message, NO_EMBEDDINGS.hint);
  const { home, group, store } = openMemories(options, { environment, io });
  const context = { environment, home, store, group, embeddings, warn: io.warn };
  const stop = new AbortController();
  environment.onSignal('SIGINT', () => stop.abort());
  const { made, isDone } = await embedPending(context, { most: Number.POSITIVE_INFINITY }, stop.signal);
  answer(io, options, { made, done: isDone }, embeddedText(made, isDone));
  return isDone ? 0 : 4;
}

const NO_EMBEDDINGS = {
  message: { en: 'No endpoint for embeddings is set', zh: '未设置生成向量的端点' },
  hint: {
    en: 'Set recall.embeddings in your settings (sanbot config path names the file).',
    zh: '在设置中填写 recall.embeddings（sanbot config path 显示文件位置）。',
  },
};

const embeddedText = (made: number, isDone: boolean): Bilingual => ({
  en: `${pluralize(made, 'vector')} made${isDone ? '; none is missing' : '; the rest is still missing'}.`,
  zh: `已生成 ${groupDigits(made)} 个向量${isDone ? '，没有缺失' : '，其余仍缺失'}。`,
});
