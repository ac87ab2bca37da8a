import { SanbotError } from '../../domain/errors.ts';
import { embedPending } from '../../runtime/conversation/recall/embed-pending.ts';
import { openEmbeddings } from '../../runtime/conversation/recall/embeddings.ts';
import { readSettings } from '../../runtime/settings.ts';
import type { CommandContext } from '../command.ts';
import { embeddedText, NO_EMBEDDINGS } from './embed-text.ts';
import { type MemoryScope, openMemories } from './memory.ts';

export type EmbedAllOptions = MemoryScope & { readonly json?: boolean };

/** Vectors for all that has none yet. Exit code 4 where the endpoint stopped answering before the end. */
export async function embedAll(options: EmbedAllOptions, { environment, io }: CommandContext): Promise<number> {
  const embeddings = openEmbeddings(environment, readSettings(environment, options));
  if (embeddings === undefined) throw new SanbotError('refused', NO_EMBEDDINGS.message, { hint: NO_EMBEDDINGS.hint });
  const { home, group, store } = openMemories(options, { environment, io });
  const context = { environment, home, store, group, embeddings, warn: io.warn };
  const controller = new AbortController();
  environment.onSignal('SIGINT', () => controller.abort());
  const { made, isDone } = await embedPending(context, { most: Number.POSITIVE_INFINITY }, controller.signal);
  io.out(options.json ? `${JSON.stringify({ made, done: isDone })}\n` : embeddedText(made, isDone));
  return isDone ? 0 : 4;
}
