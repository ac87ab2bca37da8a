import { localize } from '../../../domain/language.ts';
import type { CompactionPort, PendingCompaction } from '../../chat/context-port.ts';
import type { CommandUi, LoopControl, SlashCommand } from '../command.ts';
import { type ReviewDialog, reviewChoices, reviewCompaction } from './compaction-preview.ts';

type CompactContext = { readonly ui: CommandUi; readonly loop: LoopControl };

/** `/compact`, with `--preview` after a look. Without a terminal to decide at, a preview is shown and discarded. */
async function runCompact(argument: string, compaction: CompactionPort, { ui, loop }: CompactContext): Promise<void> {
  const { screen, questions, columns } = ui;
  const [, preview, rest = ''] = /^(--preview(?!\S))?\s*([\s\S]*)$/.exec(argument) ?? [];
  const instructions = rest === '' ? undefined : rest;
  if (preview === undefined) return loop.stoppable((signal) => compaction.compact(instructions, signal));
  const previews: PendingCompaction[] = [];
  await loop.stoppable(async (signal) => {
    const pending = await compaction.preview(instructions, signal);
    if (pending !== undefined) previews.push(pending);
  });
  screen.settle();
  const ask: ReviewDialog['ask'] = async (question) =>
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
  run: (argument, { chat, ui, loop }) => runCompact(argument, chat.compaction, { ui, loop }),
};

export const slashClear: SlashCommand = {
  name: 'clear',
  description: { en: 'empty the context (a snapshot is taken first)', zh: '清空上下文（会先保存快照）' },
  run: (_, { chat }) => chat.compaction.clear(),
};
