import { readdir, readFile } from 'node:fs/promises';

/** Everything that a command started: its process group, and processes that left the group but still have the mark in their environment. */
export type ProcessGroup = {
  /** Undefined where its leader is gone and the number may be another's: then its processes are known by the mark alone. */
  readonly pid: number | undefined;
  /** A line `NAME=value` that is in the environment of this command only. */
  readonly mark: string;
  /** Sends a signal to a process or, with a negative id, to a process group; 0 only checks. Throws when there is none. */
  readonly kill: (pid: number, signal: 'SIGTERM' | 'SIGKILL' | 0) => unknown;
  /** Node's name for the system: linux, darwin, win32. */
  readonly platform: string;
};

const GRACE_MS = 2_000;
const KILL_WAIT_MS = 1_000;
const POLL_MS = 50;

/**
 * Ends all its processes: first asks them to stop, and kills what is left after the grace period. Resolves when nothing is left, or when
 * the system takes longer than a second to end what was killed. Never rejects. Outside Linux, a process that has left the group cannot be
 * found.
 */
export async function endGroup(group: ProcessGroup): Promise<void> {
  await signal(group, 'SIGTERM');
  if (await waitUntilGone(group, GRACE_MS)) return;
  await signal(group, 'SIGKILL');
  await waitUntilGone(group, KILL_WAIT_MS);
}

/** True when each process of the group is suspended, and there is one. Known on Linux only. */
export async function isSuspended(group: ProcessGroup): Promise<boolean> {
  if (group.platform !== 'linux') return false;
  const pids = await remaining(group);
  const states = await Promise.all(pids.map(async (pid) => (await statOf(String(pid)))[0]));
  // A shell sleeps while it waits for a program that is suspended.
  return states.includes('T') && states.every((state) => state === 'T' || state === 'S');
}

async function signal(group: ProcessGroup, name: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  const strays = await remaining(group);
  for (const pid of new Set([...(group.pid === undefined ? [] : [-group.pid]), ...strays])) send(group, pid, name);
}

function send(group: ProcessGroup, pid: number, name: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  try {
    group.kill(pid, name);
    return true;
  } catch {
    return false; // no such process any more
  }
}

async function waitUntilGone(group: ProcessGroup, maxMs: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < maxMs; waitedMs += POLL_MS) {
    if ((await remaining(group)).length === 0) return true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return false;
}

/** Returns what still runs. A process that has ended and only waits for its parent does not count. */
async function remaining(group: ProcessGroup): Promise<readonly number[]> {
  if (group.platform !== 'linux') return group.pid !== undefined && send(group, -group.pid, 0) ? [-group.pid] : [];
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const matches = await Promise.all(pids.map(async (pid) => ((await belongs(pid, group)) ? [Number(pid)] : [])));
  return matches.flat();
}

async function belongs(pid: string, group: ProcessGroup): Promise<boolean> {
  const [state = '', , processGroup] = await statOf(pid);
  if (['', 'Z', 'X'].includes(state)) return false;
  if (Number(processGroup) === group.pid) return true;
  const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
  return environment.split('\0').includes(group.mark);
}

/** The name before the last bracket may contain anything; after it come the state, the parent and the process group. */
async function statOf(pid: string): Promise<readonly string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
