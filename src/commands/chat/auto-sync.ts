import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Environment } from '../../runtime/environment.ts';
import type { Settings } from '../../runtime/settings.ts';
import { entryExists } from '../../store/files/disk.ts';
import { pathsOf } from '../../store/files/paths.ts';

type Spawning = Pick<Environment, 'node' | 'packageRoot' | 'env' | 'homedir' | 'sleep'>;

/**
 * Runs `sanbot sync` beside the conversation as `sync.auto` says, in a process of its own, for which nobody waits: every so many minutes until
 * the returned function is called, and then once more. What fails stands in the status until an exchange does not.
 */
export function startAutoSync({ home, config }: Settings, environment: Spawning): () => void {
  const { auto } = config.sync;
  if (auto === null || !entryExists(pathsOf(home).syncTargets)) return () => undefined;
  const { node, packageRoot, homedir } = environment;
  const sync = (): void => {
    const env = { ...environment.env, SANBOT_HOME: home };
    spawn(node, [join(packageRoot, 'bin', 'sanbot.js'), 'sync'], { cwd: homedir(), env, stdio: 'ignore', detached: true })
      .on('error', () => undefined)
      .unref();
  };
  const ended = new AbortController();
  const repeat = async (minutes: number): Promise<void> => {
    for (;;) {
      await environment.sleep(minutes * 60_000, ended.signal);
      sync();
    }
  };
  if (auto !== 'end') void repeat(auto).catch(() => undefined);
  return () => {
    ended.abort();
    sync();
  };
}
