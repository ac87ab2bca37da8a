import type { Clock, NewId, RecordFileChange } from '../agent/ports.ts';
import type { Recall } from './recall.ts';
import type { Remember } from './remember.ts';

export type ToolContext = {
  /** The working folder, absolute. */
  readonly cwd: string;
  /** SanBot's home: no tool reads or writes in it, apart from this session's offloaded bodies. */
  readonly home: string;
  /** The folder of this session in that home; its bodies are in `offloaded` below it. */
  readonly sessionFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Most characters of one page of a body that is read back: offload.maxToolResultChars, in a small window less. */
  readonly pageChars: number;
  /** The text of an offloaded body of this session by its path, retired or not; undefined when missing or damaged. */
  readonly readBody: (path: string) => string | undefined;
  /** The name Node gives the system: linux, darwin, win32. */
  readonly platform: string;
  /** The shell that runs commands, by name or path; it understands `-c`. */
  readonly shell: string;
  /** Undefined where nothing can be looked up: then there is no such tool. */
  readonly recall?: Recall;
  /** Undefined where nothing is remembered: then there is no such tool. */
  readonly remember?: Remember;
  /** Called before a file is changed; what it throws keeps the file as it is. */
  readonly recordFileChange: RecordFileChange;
  readonly now: Clock;
  readonly newId: NewId;
  /** Sends a signal to a process, or with a negative id to a process group; 0 only asks. Throws when there is nobody. */
  readonly kill: (pid: number, signal: 'SIGTERM' | 'SIGKILL' | 0) => unknown;
};
