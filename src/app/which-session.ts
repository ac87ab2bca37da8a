import { SanbotError } from '../domain/errors.ts';
import type { Store } from '../store/store.ts';

/** The session that --resume or --continue means; undefined for a new one. Throws not_found when there is nothing to continue. */
export function sessionToResume(
  store: Store,
  { resume, continueNewest }: { readonly resume: string | undefined; readonly continueNewest: boolean },
  cwd: string,
): string | undefined {
  if (resume !== undefined) return resume;
  if (!continueNewest) return undefined;
  const newest = store.sessions.newest(cwd);
  if (newest !== undefined) return newest;
  throw new SanbotError('not_found', `There is no session in ${cwd} to continue`, {
    hint: 'Start one with sanbot, or see sanbot sessions.',
  });
}
