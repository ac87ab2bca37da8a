import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { emptyCovers, removeCovers } from '../sandbox/covers.ts';
import { isRunningJob, readForegroundCovers, readJobState } from './job-state.ts';

/** `folders`: those of the jobs of every session; called only when there is something to remove. */
type EarlierJobs = { readonly folders: () => readonly string[]; readonly platform: string };

/**
 * Removes the empty folders in a working folder that the sandboxes of commands left which ended while no SanBot ran, or with a SanBot that
 * was killed: those that were written down for them. Where any command still runs nothing is removed, since an empty folder may be what covers a name for it.
 */
export function removeLeftCovers(cwd: string, { folders, platform }: EarlierJobs): void {
  const empty = emptyCovers(cwd);
  if (empty.length === 0) return;
  const sessions = folders();
  const states = sessions.flatMap((folder) =>
    (orUndefined(() => readdirSync(folder)) ?? []).flatMap((number) => readJobState(join(folder, number)) ?? []),
  );
  if (states.some((state) => isRunningJob(state, platform))) return;
  const left = new Set([...states.flatMap(({ covers = [] }) => covers), ...sessions.flatMap(readForegroundCovers)]);
  removeCovers(empty.filter((path) => left.has(path)));
}
