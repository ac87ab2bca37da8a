import type { TemporaryMounts } from '../../place/temporary.ts';

/** Where a command runs: what it may write is the working folder, added ones and temporary folders. */
export type SandboxPlace = {
  readonly cwd: string;
  /** Folders that can be written as the working folder, absolute, links resolved. When undefined, none. */
  readonly folders?: readonly string[];
  /** SanBot's home; nothing of it is seen but `readable`. */
  readonly home: string;
  /** The user's home, hidden but for what is named; undefined where it is not known. */
  readonly userHome: string | undefined;
  /** Folders in SanBot's home that can be read. */
  readonly readable: readonly string[];
  /** Folders and files of a home that the user's settings show, absolute. */
  readonly shown: readonly string[];
  /** Files of the working folder that run outside of the sandbox: these can be read and not changed. */
  readonly runFiles: readonly string[];
  /** What the session has at /tmp and /var/tmp; when undefined, the command has empty ones of its own. */
  readonly temporary?: TemporaryMounts | undefined;
  /** What the user's rules forbid to read, as far as it is there, absolute, links resolved: it is hidden. */
  readonly denied?: readonly string[];
  /** The program that stands in the place of git; git itself does where it is undefined. */
  readonly gitGuard?: string | undefined;
  /** Says where tools are. */
  readonly env: Readonly<Record<string, string | undefined>>;
};

export type SandboxOptions = {
  readonly network: boolean;
  /** The git folders of the repository that the working folder belongs to can be written too where they lie outside of it, as git may. */
  readonly repository?: boolean;
  /** Nothing can be written but in a temporary folder of the command's own, and git starts no other program: for what only reads. */
  readonly isView?: boolean;
};
