import { errorReason } from '../../../domain/errors.ts';
import type { SanbotEvent } from '../../../domain/event.ts';
import type { PendingContext } from './embed-pending.ts';

/** After one turn or compaction so much is sent at most; the next one goes on. */
const MOST_TEXTS = 256;
/** One batch, the newest sessions first. More would hold up the keyboard while it is indexed. */
const LIMITS = { ms: 1, batchBytes: 1024 * 1024 };

/**
 * Makes the vectors of a conversation while nobody waits for them: after a turn, and after a compaction, when the model begins to look up
 * what it no longer sees. Nobody waits for it, and leaving ends it.
 */
export function embedInBackground(context: () => PendingContext | undefined) {
  const controller = new AbortController();
  const { signal } = controller;
  let isRunning = false;
  const run = async (pending: PendingContext): Promise<void> => {
    await pending.environment.sleep(0, signal);
    const { embedPending } = await import('./embed-pending.ts');
    await embedPending(pending, { most: MOST_TEXTS, limits: LIMITS }, signal);
  };
  return {
    /** Begins to make vectors where an event says that there is something new. */
    hear: ({ type }: Pick<SanbotEvent, 'type'>): void => {
      const pending = isRunning || signal.aborted || !MOMENTS.has(type) ? undefined : context();
      if (pending === undefined) return;
      isRunning = true;
      run(pending)
        .catch((error: unknown) => {
          if (!signal.aborted) pending.warn(errorReason(error));
        })
        .finally(() => {
          isRunning = false;
        });
    },
    stop: () => controller.abort(),
  };
}

const MOMENTS: ReadonlySet<SanbotEvent['type']> = new Set(['turn_ended', 'compacted']);
