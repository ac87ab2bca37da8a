import type { Session } from '../../../agent/session/session.ts';
import { type CompactionSample, checkCompaction, type Tally } from '../../../context/fidelity/fidelity.ts';
import { searchableTexts } from '../../../context/search/search-snippet.ts';
import { AbortedError } from '../../../domain/errors.ts';
import type { Message } from '../../../domain/session/message.ts';
import { memoizeByObject } from '../../../domain/value/memoize.ts';
import type { Runtime } from '../../runtime.ts';
import { search } from './recall.ts';
import type { RecallContext } from './recall-context.ts';

/** As many hits as the recall tool shows. */
const MAX_HITS = 8;

/** What one look-up in a session shows an agent that has these messages in its context. */
export async function findPassages(
  context: RecallContext & { readonly group: string },
  { words, session, messages }: { readonly words: readonly string[]; readonly session: string; readonly messages: readonly Message[] },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const beside = { sessionId: session, texts: textsOf(messages) };
  const request = { query: words.join(' '), session, limit: MAX_HITS, beside, indexes: 'named' as const };
  return (await search(context, request, signal)).hits.map(({ snippet }) => snippet.text);
}

/** Many look-ups are made with the same messages. */
const textsOf = memoizeByObject(searchableTexts);

/** Beyond this the figure is not worth the wait. A session of which much is not indexed catches up by so much each time. */
const CHECK_TIMEOUT_MS = 3_000;

/** To find the facts of more messages takes longer than that by itself: 36 µs of CPU each, and nothing else runs meanwhile. */
const MAX_MESSAGES = 50_000;

/** Checks a compaction with the look-up that the agent has. Undefined when there was no time for it. */
export async function checkWithTimeout(
  { environment, home, store }: Pick<Runtime, 'environment' | 'home' | 'store'>,
  { id: session, group }: Pick<Session, 'id' | 'group'>,
  compaction: CompactionSample,
): Promise<Tally | undefined> {
  if (compaction.before.length > MAX_MESSAGES) return undefined;
  const signal = environment.deadline(CHECK_TIMEOUT_MS);
  const silentContext = { environment, home, store, group, warn: () => undefined };
  try {
    return await checkCompaction(compaction, async (words, messages) => {
      // A look-up never waits for anything, so that without this no timer would ever fire.
      await environment.sleep(0, signal);
      if (signal.aborted) throw new AbortedError();
      return findPassages(silentContext, { words, session, messages }, signal);
    });
  } catch (error) {
    if (error instanceof AbortedError) return undefined;
    throw error;
  }
}
