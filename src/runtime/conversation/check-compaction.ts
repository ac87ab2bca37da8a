import type { CheckCompaction } from '../../agent/deps.ts';
import { shownTextOf } from '../../context/search/search-snippet.ts';
import { AbortedError } from '../../domain/errors.ts';
import { checkCompaction } from '../../replay/measure/check-compaction.ts';
import { type RecallContext, search } from './recall.ts';

/** As many hits as the recall tool shows. */
const MAX_HITS = 8;

/** The passages that one look-up in a session finds, as an agent would see them. */
export async function findPassages(
  context: RecallContext & { readonly group: string },
  { words, session }: { readonly words: readonly string[]; readonly session: string },
  signal: AbortSignal,
): Promise<readonly string[]> {
  return (await search(context, { query: words.join(' '), session, limit: MAX_HITS }, signal)).map(shownTextOf);
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
