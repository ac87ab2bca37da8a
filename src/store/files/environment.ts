import type { Warn } from '../../domain/language.ts';
/**
 * Called before each step that touches the disk, with the step's name ("append.sync"). Tests throw an errno here, or kill the process. A
 * number returned from a write step limits how many bytes that write may take, as on a disk that fills up.
 */
export type FaultHook = (point: string) => number | undefined;

/** What the store gets from outside. It reads the host name, the boot id and the start times of processes itself (host.ts). */
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
  readonly at?: FaultHook;
};

export type StoreOptions = {
  /** Limit for a session's offloaded bodies, retired ones included (config offload.maxSessionBytes). */
  readonly maxSessionBytes: number;
  /** Shows one line to the user, once: what was repaired, and what failed where no error can be thrown. Must not throw. */
  readonly warn: Warn;
};
