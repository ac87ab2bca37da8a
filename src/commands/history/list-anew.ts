import type { SessionListEntry } from '../../domain/session/session-list-entry.ts';
import { processEnvironment } from '../../runtime/environment.ts';
import { readHost } from '../../store/files/host.ts';
import { pathsOf } from '../../store/files/paths.ts';
import type { CheckedSessions } from '../../store/session/list/known-sessions.ts';
import { listSessions } from '../../store/session/list/session-list.ts';

/** For `quickHistory`, when some session is not as the kept list says: what reads logs and locks is loaded then. */
export function listAnew(home: string, checked: CheckedSessions): readonly SessionListEntry[] {
  const { now, newId, pid, platform, kill } = processEnvironment();
  const probePid = (other: number): void => kill(other, 0);
  const disk = { home, now, newId, pid, platform, probePid, warn: () => undefined };
  return listSessions(disk, pathsOf(home), readHost(disk), checked);
}
