import type { RecordFileChange, RecordReach } from '../agent/ports/disk.ts';
import type { Clock, Deadline } from '../agent/ports/effects.ts';
import type { AskPerson, Helpers, Plans } from '../agent/ports/tools.ts';
import type { Skill } from '../domain/session/skill.ts';
import type { Jobs } from './command/jobs/jobs.ts';
import type { Sandbox } from './command/sandbox/sandbox.ts';
import type { SessionTemporary } from './command/sandbox/temporary/session-temporary.ts';
import type { ShellContext } from './command/shell.ts';
import type { Mcp } from './mcp/mcp.ts';
import type { Parser } from './parse/parser.ts';
import type { PathRules } from './place/ruled-paths.ts';
import type { Recall } from './session/recall.ts';
import type { Remember } from './session/remember.ts';
import type { Web } from './web/download.ts';

/** What tools need of a session, and what commands run with. */
export type ToolContext = ShellContext & {
  /** Folders that the person added: as the working folder, absolute, links resolved. When undefined, there are none. */
  readonly folders?: (() => readonly string[]) | undefined;
  /** SanBot's home: no tool reads or writes in it, except this session's offloaded bodies. */
  readonly home: string;
  /** The folder of this session in that home; its bodies are in `offloaded` below it. */
  readonly sessionFolder: string;
  /** Most characters of one page of a body that is read back: offload.maxToolResultChars, in a small window less. */
  readonly pageChars: number;
  /** Returns the text of an offloaded body of this session by its path, retired or not; undefined when it is missing or damaged. */
  readonly readBody: (path: string) => string | undefined;
  /** The user's own home; undefined where it is not known. */
  readonly userHome: string | undefined;
  /** The sandbox that commands run in; undefined where there is none. */
  readonly sandbox: () => Promise<Sandbox | undefined>;
  /** What of the user's home commands in the sandbox may read by a setting, absolute. When undefined, nothing. */
  readonly readableInHome?: readonly string[];
  /** What commands in the sandbox have at /tmp; when undefined, each has an empty one. */
  readonly temporary?: SessionTemporary;
  /** The person's rules that forbid or ask, as they are now; when undefined, there are none. */
  readonly pathRules?: () => PathRules;
  readonly askPerson: AskPerson;
  readonly web: Web;
  readonly deadline: Deadline;
  /** The commands of this session that run in the background. */
  readonly jobs: Jobs;
  /** When undefined, there are no tools of MCP servers. */
  readonly mcp?: Mcp;
  /** When undefined, there is no recall tool. */
  readonly recall?: Recall;
  /** When undefined, there is no remember tool. */
  readonly remember?: Remember;
  /** Parses pages and PDFs, in a process of its own. */
  readonly parser: Parser;
  /** Whether the model that answers now takes images and PDFs; when undefined, it takes none. */
  readonly sees?: () => boolean;
  /** When undefined, there is no tool for helpers: they have none themselves. */
  readonly helpers?: Helpers;
  /** When undefined, no plan can be handed in: helpers have none. */
  readonly plans?: Plans;
  /** When undefined, there is no skill tool. */
  readonly skills?: { readonly skills: readonly Skill[]; readonly noteUse: (name: string) => void };
  /** Gives what is called before a file is changed; if either fails, the file stays as it is. */
  readonly fileChangeRecorder: () => Promise<RecordFileChange>;
  /** What can be brought back of a folder, links resolved, that a command changes; when undefined, nothing can. */
  readonly reachOf?: (cwd: string) => Promise<RecordReach>;
  /** When this process began, in milliseconds: what is younger below the temporary folders is of its own work. */
  readonly startedAt?: number;
  readonly now: Clock;
};
