import type { AuditRecord } from '../../domain/event.ts';
import type { SessionListEntry } from '../../domain/session/session-list-entry.ts';

/** The session that is open, and the others. */
export type SessionsPort = {
  readonly current: () => SessionView;
  /** Newest first. */
  readonly list: () => readonly SessionListEntry[];
  /** By its id or a part of it. Rejects with not_found. */
  readonly resume: (named: string) => Promise<void>;
  readonly startNew: () => Promise<void>;
  /** Goes on in a copy of this session; returns its id. */
  readonly fork: () => Promise<string>;
  /** Returns the title as it is kept: in one line. */
  readonly rename: (title: string) => Promise<string>;
  /** Writes this session to a file that is not there yet, named after the session when no name is given. */
  readonly exportTo: (file: string | undefined) => Promise<{ readonly file: string; readonly bytes: number }>;
  /** The newest lines of the audit log about this session, oldest first. */
  readonly events: () => readonly AuditRecord[];
};

export type SessionView = {
  readonly sessionId: string;
  /** Its working folder. */
  readonly cwd: string;
  /** False for one that has just begun. */
  readonly resumed: boolean;
  readonly messages: number;
  /** What was said last, and what was answered to it; undefined where nothing was said. */
  readonly last?: { readonly said: string; readonly answer: string } | undefined;
  /** Not every call of the last turn, or no reply, is there. */
  readonly isCutShort?: boolean;
  /** Tasks of the model's list that are not done, and commands that run in the background. */
  readonly openTasks?: readonly string[];
  readonly jobs?: readonly string[];
};
