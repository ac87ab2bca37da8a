import type { CompactionPort, PendingCompaction } from '../../chat/compaction-port.ts';
import type { CommandUi, LoopControl } from '../command.ts';
import { type ReviewDialog, reviewChoices, reviewCompaction } from './compaction-preview.ts';

type CompactContext = { readonly ui: CommandUi; readonly loop: LoopControl };

/** `/compact`, with `--preview` after a look. Without a terminal to decide at, a preview is shown and discarded. */
export async function runCompact(argument: string, compaction: CompactionPort, { ui, loop }: CompactContext): Promise<void> {
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
