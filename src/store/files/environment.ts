/**
 * Called before each step that touches the disk, with the step's name ("append.sync"). Tests throw an errno here, or kill the
 * process. A number answers a write only: it may take at most so many bytes, as a disk that fills up does.
 */
export type FaultHook = (point: string) => number | undefined;

/** What the store takes from outside. Host name, boot id and start times of processes it reads by itself (host.ts). */
export type StoreEnvironment = {
  /** Absolute: what `resolveHome` answers. */
  readonly home: string;
  readonly now: () => Date;
  /** Never the same twice, safe in file names: lower-case letters and digits. */
  readonly newId: () => string;
  readonly pid: number;
  /** As `process.platform`. */
  readonly platform: string;
  /** As `process.kill(pid, 0)`: returns when there is such a process, else throws with `code` ESRCH, or EPERM for another user's. */
  readonly probePid: (pid: number) => void;
  readonly at?: FaultHook;
};

export type StoreOptions = {
  /** Cap of a session's offloaded bodies, retired ones included (config offload.maxSessionBytes). */
  readonly maxSessionBytes: number;
  /** One line for the user, said once: what was repaired, and what failed where no error can be thrown. Must not throw. */
  readonly warn: (line: string) => void;
};
