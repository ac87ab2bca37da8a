import { statSync } from 'node:fs';
import { namesIn } from '../files/atomic-write.ts';
import { groupsOf } from '../files/groups.ts';
import { parseSnapshotId } from '../files/ids.ts';
import type { StorePaths } from '../files/paths.ts';

/**
 * True when the name of a session without a log stands for nothing: there is no folder, or one as a crash before the first write leaves it,
 * with at most a lock and temporary files. With anything else in the folder, or a snapshot, it was a session, and its log is missing.
 */
export function isEmptySession(paths: StorePaths, sessionId: string): boolean {
  const folder = paths.session(sessionId);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return true;
  return namesIn(folder).every((name) => name.startsWith('lock') || name.endsWith('.tmp')) && !hasSnapshot(paths, sessionId);
}

const hasSnapshot = (paths: StorePaths, sessionId: string): boolean =>
  groupsOf(paths).some((group) =>
    namesIn(paths.summaries(group)).some(
      (name) => name.endsWith('.jsonl') && parseSnapshotId(name.slice(0, -'.jsonl'.length))?.sessionId === sessionId,
    ),
  );
