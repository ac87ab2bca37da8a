import { SanbotError } from '../../domain/errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Store } from '../../store/store.ts';
import { forkSession } from '../sessions/fork.ts';
import type { ChatOptions } from './chat-options.ts';

export type SessionSelection = Pick<ChatOptions, 'resume' | 'continueNewest' | 'fork'>;

/** The session that --resume or --continue means, or with --fork a copy of it; undefined for a new one. Throws like the two it asks. */
export function resolveSession(runtime: Runtime, selection: SessionSelection, warn: (line: string) => void): string | undefined {
  const { environment, home, store } = runtime;
  const sessionId = sessionToResume(store, selection, environment.cwd());
  return sessionId === undefined || !selection.fork ? sessionId : forkSession({ environment, home, store, warn }, sessionId);
}

/** The session that --resume or --continue means; undefined for a new one. Throws not_found when there is nothing to continue. */
function sessionToResume(store: Store, { resume, continueNewest }: SessionSelection, cwd: string): string | undefined {
  if (resume !== undefined) return resume;
  if (!continueNewest) return undefined;
  const newest = store.sessions.newest(cwd);
  if (newest !== undefined) return newest;
  throw new SanbotError('not_found', `There is no session in ${cwd} to continue`, {
    hint: 'Run sanbot to start one, or sanbot sessions to list the others.',
  });
}
