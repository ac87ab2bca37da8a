import { localize } from '../../../domain/language.ts';
import type { PendingCompaction } from '../../chat/context-port.ts';
import type { SlashCommand, SlashContext } from '../command.ts';
import { reviewChoices, reviewCompaction } from './compaction-preview.ts';

/** After a look. Without a terminal to decide at, the preview is shown and discarded. */
async function previewCompaction(instructions: string | undefined, { chat, ui, loop }: SlashContext): Promise<void> {
  const { screen, questions, columns } = ui;
  const previews: PendingCompaction[] = [];
  await loop.stoppable(async (signal) => {
    const pending = await chat.compaction.preview(instructions, signal);
    if (pending !== undefined) previews.push(pending);
  });
  screen.settle();
  const ask = async (question: string) =>
    questions === undefined ? 'discard' : questions.decide(question, reviewChoices(), new AbortController().signal);
  for (const pending of previews) await reviewCompaction(pending, { show: screen.block, columns, ask, edit: loop.edit });
}

export const slashCompact: SlashCommand = {
  name: 'compact',
  argumentHint: { en: '[--preview] [what to keep]', zh: '[--preview] [要保留的内容]' },
  example: { en: '/compact keep the names of the endpoints', zh: '/compact 保留端点的名称' },
  description: {
    en: 'summarise older messages now; with --preview, look at it first',
    zh: '立即为较早的消息生成摘要；加 --preview 可先查看',
  },
  choices: () => [{ text: '--preview', detail: localize({ en: 'look at it first', zh: '先预览' }) }],
  run: (argument, context) => {
    const [, preview, rest = ''] = /^(--preview(?!\S))?\s*([\s\S]*)$/.exec(argument) ?? [];
    const instructions = rest === '' ? undefined : rest;
    if (preview !== undefined) return previewCompaction(instructions, context);
    return context.loop.stoppable((signal) => context.chat.compaction.compact(instructions, signal));
  },
};

export const slashClear: SlashCommand = {
  name: 'clear',
  description: { en: 'empty the context (a snapshot is taken first)', zh: '清空上下文（会先保存快照）' },
  run: (_, { chat }) => chat.compaction.clear(),
};
