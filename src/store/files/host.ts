import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errnoOf } from '../../domain/value/errno.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import type { StoreEnvironment } from './environment.ts';

/** Tells one run of a process from another with the same number. The fields are undefined where the system has no /proc. */
export type Host = {
  readonly name: string;
  readonly bootId: string | undefined;
  /** The PID namespace: process numbers mean something only inside one (containers). */
  readonly pidSpace: string | undefined;
  /** In clock ticks since boot; undefined when unknown. */
  readonly startTime: (pid: number) => string | undefined;
  /** True while the process runs; false for one that has ended and not been waited for. */
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

/** Returns the fields of /proc/PID/stat from the third, the state, on. The second, the program's name, may contain blanks and brackets. */
function statFields(pid: number): readonly string[] {
  const stat = orUndefined(() => readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? '';
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
