import { SanbotError } from '../../domain/errors.ts';
import type { Setting } from '../../runtime/setting.ts';
import type { Store } from '../../store/store.ts';
import { forkSession } from '../sessions/fork.ts';

export type Wanted = { readonly resume: string | undefined; readonly continueNewest: boolean; readonly fork: boolean };

/** The session that --resume or --continue means, or with --fork a copy of it; undefined for a new one. Throws like the two it asks. */
export function sessionToGoOnWith(setting: Setting, wanted: Wanted, tell: (line: string) => void): string | undefined {
  const { world, home, store } = setting;
  const found = sessionToResume(store, wanted, world.cwd());
  return found === undefined || !wanted.fork ? found : forkSession({ world, home, store, tell }, found);
}

/** The session that --resume or --continue means; undefined for a new one. Throws not_found when there is nothing to continue. */
function sessionToResume(
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
