import type { CheckCompaction } from '../../agent/deps.ts';
import { AbortedError } from '../../domain/errors.ts';
import { checkCompaction } from '../../replay/measure/check-compaction.ts';
import { type RecallContext, searchTexts } from './recall.ts';

/** As many hits as the recall tool shows, and of each so much around the place that was found. */
const MAX_HITS = 8;
const BEFORE_CHARS = 300;
const PASSAGE_CHARS = 1_500;

/** The passages that one look-up in a session finds, as an agent would see them. */
export async function findPassages(
  context: RecallContext & { readonly group: string },
  { words, session }: { readonly words: readonly string[]; readonly session: string },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const matches = await searchTexts(context, { query: words.join(' '), session, limit: MAX_HITS }, signal);
  return matches.map(({ hit, text }) => {
    const start = Math.max(0, hit.charOffset - BEFORE_CHARS);
    return text.slice(start, start + PASSAGE_CHARS);
  });
}

/** Beyond this the figure is not worth the wait. An index that has fallen far behind catches up by so much each time. */
const CHECK_TIMEOUT_MS = 3_000;

/** Checks a compaction with the look-up that the agent has. Undefined when there was no time for it. */
export async function checkWithTimeout(
  context: Omit<RecallContext, 'warn'> & { readonly group: string },
  session: string,
  compaction: Parameters<CheckCompaction>[0],
): ReturnType<CheckCompaction> {
  const signal = context.environment.deadline(CHECK_TIMEOUT_MS);
  const silentContext = { ...context, warn: () => undefined };
  try {
    return await checkCompaction(compaction, async (words) => {
      if (signal.aborted) throw new AbortedError();
      return findPassages(silentContext, { words, session }, signal);
    });
  } catch (error) {
    if (error instanceof AbortedError) return undefined;
    throw error;
  }
}
