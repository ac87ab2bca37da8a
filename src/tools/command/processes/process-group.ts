/**
 * What SanBot starts, as the system sees it: who belongs to a command, how all of it ends, and what it may take of the machine.
 *
 * A process group with a mark comes in, a line of the environment that no other command has; out comes what runs of it. A process is told
 * from a later one of the same number by its start, and what has left its group is found by the mark or by its parent, on Linux.
 *
 * Nothing that was started here outlives a kill of SanBot (`guard.ts`), takes more processes or memory than it may (`limits.ts`), or is
 * left when it was stopped. A process of somebody else is never signalled.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { orUndefined } from '../../../domain/value/or-undefined.ts';

/** Everything that a command started: its process group, and processes that left the group but still have the mark in their environment. */
export type ProcessGroup = {
  /** Undefined where its leader is gone and the number may be another's: then its processes are known by the mark alone. */
  readonly pid: number | undefined;
  /** A line `NAME=value` that is in the environment of this command only. */
  readonly mark: string;
  /** Sends a signal to a process or, with a negative id, to a process group; 0 only checks. Throws when there is none. */
  readonly kill: (pid: number, signal: 'SIGTERM' | 'SIGKILL' | 'SIGSTOP' | 0) => unknown;
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

/**
 * Kills all its processes with all that they started, without asking: for what could make more of them meanwhile. They are halted first, so
 * that none makes another, and none loses the parent by which it is found. Resolves and fails as `endGroup` does.
 */
export async function killGroup(group: ProcessGroup): Promise<void> {
  const halted = new Set<string>();
  if (group.pid !== undefined) send(group, -group.pid, 'SIGSTOP');
  for (let before = -1; before !== halted.size; ) {
    before = halted.size;
    for (const pid of processesOf(group).filter((each) => !halted.has(each))) {
      halted.add(pid);
      send(group, Number(pid), 'SIGSTOP');
    }
  }
  if (group.pid !== undefined) send(group, -group.pid, 'SIGKILL');
  for (const pid of halted) send(group, Number(pid), 'SIGKILL');
  await signal(group, 'SIGKILL');
  await waitUntilGone(group, KILL_WAIT_MS);
}

/** True when a process runs that bears the mark. Known on Linux only. */
export const isMarked = (mark: string, platform: string): boolean =>
  platform === 'linux' && processIds().some((pid) => hasMark(pid, mark) && !['', 'Z', 'X'].includes(statNow(pid)[0] ?? ''));

/** All its processes with all that these have started: also those that wear neither its number nor its mark any more. Known on Linux only. */
export function processesOf({ pid, mark, platform }: Pick<ProcessGroup, 'pid' | 'mark' | 'platform'>): readonly string[] {
  if (platform !== 'linux') return [];
  const all = processIds().map((id) => ({ id, stat: statNow(id) }));
  const found = new Set(
    all.filter(({ id, stat }) => id === String(pid) || stat[2] === String(pid) || hasMark(id, mark)).map(({ id }) => id),
  );
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { id, stat } of all) if (stat[1] !== undefined && found.has(stat[1])) found.add(id);
  }
  return [...found];
}

export const processIds = (): readonly string[] => (orUndefined(() => readdirSync('/proc')) ?? []).filter((name) => /^\d+$/.test(name));

const hasMark = (pid: string, mark: string): boolean =>
  orUndefined(() => readFileSync(`/proc/${pid}/environ`, 'latin1'))
    ?.split('\0')
    .includes(mark) === true;

const statNow = (pid: string): readonly string[] => fieldsOf(orUndefined(() => readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? '');

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

function send(group: ProcessGroup, pid: number, name: 'SIGTERM' | 'SIGKILL' | 'SIGSTOP' | 0): boolean {
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

const statOf = async (pid: string): Promise<readonly string[]> => fieldsOf(await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => ''));

/** The name before the last bracket may contain anything; after it come the state, the parent and the process group. */
const fieldsOf = (stat: string): readonly string[] => (stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' '));
