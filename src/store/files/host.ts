import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { StoreEnvironment } from './environment.ts';
import { errnoOf } from './failure.ts';

/** What tells one run of a process from another with the same number. Undefined where the system has no /proc. */
export type Host = {
  readonly name: string;
  readonly bootId: string | undefined;
  /** Process numbers mean something only inside one of these (containers). */
  readonly pidSpace: string | undefined;
  /** In clock ticks since the boot; undefined when it cannot be told. */
  readonly startTime: (pid: number) => string | undefined;
  /** Whether the process runs; one that has ended and was not waited for does not. */
  readonly isAlive: (pid: number) => boolean;
};

export function readHost(environment: Pick<StoreEnvironment, 'probePid'>): Host {
  return {
    name: hostname(),
    bootId: orUndefined(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    pidSpace: orUndefined(() => readlinkSync('/proc/self/ns/pid')),
    startTime: (pid) => statFields(pid)[19],
    isAlive: (pid) => processExists(environment, pid) && !['Z', 'X'].includes(statFields(pid)[0] ?? ''),
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

/** The fields of /proc/PID/stat from the third, the state, on. The second is the program's name and may hold blanks and brackets. */
function statFields(pid: number): readonly string[] {
  const stat = orUndefined(() => readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? '';
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
