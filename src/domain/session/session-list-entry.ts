import type { Bilingual } from '../language.ts';

export type SessionListEntry = {
  readonly sessionId: string;
  /** ISO 8601, UTC: when the header was written, and when the log was last written to. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly cwd: string;
  readonly model: string;
  readonly group: string;
  /** The user's title, else the first line of the user's first message, cut to 80 characters; empty before the first message. */
  readonly title: string;
  /** Of a session that was imported, or forked from one: the name of the file. */
  readonly imported?: string;
  /** A program began it, not a person at a terminal. */
  readonly unattended?: true;
  readonly bytes: number;
  /** True when a running process has it open, or one whose state cannot be known from here. */
  readonly open: boolean;
  /** Why it cannot be opened; the fields that only the log contains are then empty. */
  readonly problem?: Bilingual;
};

/** Those that a person began, to choose from; all, where there is no such one. */
export function ownSessions(sessions: readonly SessionListEntry[]): readonly SessionListEntry[] {
  const own = sessions.filter(({ unattended }) => unattended !== true);
  return own.length === 0 ? sessions : own;
}
