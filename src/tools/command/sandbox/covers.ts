import { lstatSync, readdirSync, rmdirSync, statSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { isRunningJob, readForegroundCovers, readJobState } from '../jobs/job-state.ts';
import { mountedElsewhere } from './mounts.ts';

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

/**
 * Names that sandboxes of earlier versions covered by an empty folder where there was nothing. After a kill these are still there, and so may
 * be a background command that began then.
 */
const COVERED: readonly string[] = (
  '.git/hooks .git/config .git/config.worktree .gitmodules .gitconfig .husky .githooks .vscode .idea .claude .cursor .codex .gemini .agents ' +
  '.sanbot .sanbot.json .mcp.json .github/workflows .envrc .ripgreprc .pre-commit-config.yaml .bashrc .bash_profile .profile .zshrc .zshenv'
).split(' ');

/** Names at which such a sandbox left nothing that a command had made. */
const TRAPS: readonly string[] = ['.git/commondir', 'commondir', 'HEAD'];

/** The folders in a working folder that a sandbox may have left: names that it covers, or what these would lie in, with nothing in them. */
export const emptyCovers = (cwd: string): readonly string[] =>
  [...new Set([...COVERED, ...TRAPS].flatMap((name) => [join(cwd, name), dirname(join(cwd, name))]))].filter(
    (path) =>
      path !== cwd && orUndefined(() => lstatSync(path))?.isDirectory() === true && orUndefined(() => readdirSync(path))?.length === 0,
  );

/**
 * bubblewrap makes an empty folder to put a cover on, and leaves it. One that is not empty somebody else has made, and one that covers a
 * name for a command of another session stays.
 */
export function removeCovers(covers: readonly string[]): void {
  const needed = mountedElsewhere(covers.filter((path) => kindOf(path) === 'folder'));
  for (const path of covers.filter((each) => !needed.has(each))) {
    orUndefined(() => rmdirSync(path));
    if (TRAPS.some((name) => basename(name) === basename(path))) orUndefined(() => unlinkSync(path));
  }
}

/** A link is what it leads to; undefined for what is not there. */
function kindOf(path: string): 'folder' | 'file' | undefined {
  const stats = orUndefined(() => statSync(path));
  return stats === undefined ? undefined : stats.isDirectory() ? 'folder' : 'file';
}
