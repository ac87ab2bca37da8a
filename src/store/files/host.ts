import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Warn } from '../../domain/language.ts';
import { errnoOf } from '../../domain/value/errno.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';

export type Host = Readonly<ReturnType<typeof readHost>>;

/** Tells one run of a process from another with the same number. The fields are undefined where the system has no /proc. */
export function readHost(environment: Pick<StoreEnvironment, 'probePid'>) {
  return {
    name: hostname(),
    bootId: orUndefined(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    /** The PID namespace: process numbers mean something only inside one (containers). */
    pidSpace: orUndefined(() => readlinkSync('/proc/self/ns/pid')),
    /** In clock ticks since boot; undefined when unknown. */
    startTime: (pid: number): string | undefined => statFields(pid)[19],
    /** True while the process runs; false for one that has ended and not been waited for. */
    isAlive: (pid: number): boolean => processExists(environment, pid) && !['Z', 'X'].includes(statFields(pid)[0] ?? ''),
  };
}

function processExists(environment: Pick<StoreEnvironment, 'probePid'>, pid: number): boolean {
  try {
    environment.probePid(pid);
    return true;
  } catch (error) {
    return errnoOf(error) === 'EPERM';
  }
}

/** Returns the fields of /proc/PID/stat from the third, the state, on. The second, the program's name, may contain blanks and brackets. */
function statFields(pid: number): readonly string[] {
  const stat = orUndefined(() => readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? '';
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Called before each step on the disk with its name ("append.sync"), for tests. The number of a write step limits its bytes. */
export type FaultHook = (point: string) => number | undefined;

/** What the store gets from outside. It reads the host name, the boot id and the start times of processes itself. */
export type StoreEnvironment = {
  /** Absolute, as returned by `resolveHome`. */
  readonly home: string;
  readonly now: () => Date;
  /** Never returns the same id twice; safe in file names: lower-case letters and digits. */
  readonly newId: () => string;
  readonly pid: number;
  /** As `process.platform`. */
  readonly platform: string;
  /** As `process.kill(pid, 0)`: returns when there is such a process, else throws with `code` ESRCH, or EPERM for another user's. */
  readonly probePid: (pid: number) => void;
  /** Milliseconds of the processor that this process has used; where it is left out, only the clock is known. */
  readonly cpuMs?: (() => number) | undefined;
  /** Milliseconds that it waited for the processor, and how many want each processor, where the system tells. */
  readonly waitedMs?: (() => number) | undefined;
  readonly load?: (() => number) | undefined;
  readonly at?: FaultHook;
};

export type StoreOptions = {
  /** Limit for a session's offloaded bodies, retired ones included (config offload.maxSessionBytes). */
  readonly maxSessionBytes: number;
  /** Shows one line to the user, once: what was repaired, and what failed where no error can be thrown. Must not throw. */
  readonly warn: Warn;
};
