import type { CheckCompaction } from '../../agent/compaction/types.ts';
import { AbortedError } from '../../domain/errors.ts';
import { checkCompaction } from '../../replay/measure/check-compaction.ts';
import { type RecallPlace, searchTexts } from './recall.ts';

/** As many hits as the recall tool shows, and of each so much around the place that was found. */
const HITS = 8;
const BEFORE_CHARS = 300;
const PASSAGE_CHARS = 1_500;

/** The passages that one look-up in a session finds, as an agent would see them. */
export async function passagesFound(
  place: RecallPlace & { readonly group: string },
  { words, session }: { readonly words: readonly string[]; readonly session: string },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found = await searchTexts(place, { query: words.join(' '), session, limit: HITS }, signal);
  return found.map(({ hit, text }) => {
    const start = Math.max(0, hit.charOffset - BEFORE_CHARS);
    return text.slice(start, start + PASSAGE_CHARS);
  });
}

/** Beyond this the figure is not worth the wait. An index that has fallen far behind catches up by so much each time. */
const MOST_MS = 3_000;

/** Checks a compaction with the look-up that the agent has. Undefined when there was no time for it. */
export async function checkInTime(
  place: Omit<RecallPlace, 'tell'> & { readonly group: string },
  session: string,
  compacted: Parameters<CheckCompaction>[0],
): ReturnType<CheckCompaction> {
  const signal = place.world.deadline(MOST_MS);
  const quiet = { ...place, tell: () => undefined };
  try {
    return await checkCompaction(compacted, async (words) => {
      if (signal.aborted) throw new AbortedError();
      return passagesFound(quiet, { words, session }, signal);
    });
  } catch (error) {
    if (error instanceof AbortedError) return undefined;
    throw error;
  }
}
