import { readdir, readFile } from 'node:fs/promises';

type Kill = (pid: number, signal: 'SIGTERM' | 'SIGKILL' | 0) => unknown;

/** All that a command started: its process group, and what left the group but still bears the mark in its environment. */
export type Group = {
  readonly pid: number;
  /** A line `NAME=value` of the environment that the command was given, and nobody else. */
  readonly mark: string;
  readonly kill: Kill;
  readonly platform: string;
};

const GRACE_MS = 2_000;
const DYING_MS = 1_000;
const LOOK_AGAIN_MS = 50;

/**
 * Ends all of it: asks first, and what is still there after the grace is killed. Resolves when nothing is left, or when the
 * system takes longer than a second to bury what was killed. Never rejects. Outside of Linux a process that has left the
 * group cannot be found.
 */
export async function endGroup(group: Group): Promise<void> {
  const asked = [-group.pid, ...(await marked(group))];
  for (const pid of asked) send(group, pid, 'SIGTERM');
  await gone(group, asked, GRACE_MS);
  const left = [...new Set([...asked, ...(await marked(group))])];
  for (const pid of left) send(group, pid, 'SIGKILL');
  await gone(group, left, DYING_MS);
}

async function gone(group: Group, pids: readonly number[], maxMs: number): Promise<void> {
  for (let waited = 0; waited < maxMs && pids.some((pid) => send(group, pid, 0)); waited += LOOK_AGAIN_MS) await pause(LOOK_AGAIN_MS);
}

function send(group: Group, pid: number, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  try {
    group.kill(pid, signal);
    return true;
  } catch {
    return false; // nobody there any more
  }
}

/** Processes outside of the group that inherited the mark: daemons that went to a session of their own. */
async function marked(group: Group): Promise<readonly number[]> {
  if (group.platform !== 'linux') return [];
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const bear = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
      return environment.split('\0').includes(group.mark) ? [Number(pid)] : [];
    }),
  );
  return bear.flat();
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
