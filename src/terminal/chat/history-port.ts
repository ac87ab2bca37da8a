import type { AuditRecord } from '../../domain/event.ts';
import type { Bilingual } from '../../domain/language.ts';
import type { SessionListEntry } from '../../domain/session/session-list-entry.ts';
import type { SnapshotMeta } from '../../domain/session/snapshot.ts';
import type { RestorableFiles } from '../views/restorable-file.ts';

export type SessionsPort = {
  readonly current: () => SessionView;
  /** `hasFailedSync`: the last exchange with other machines that ran by itself did not succeed. */
  readonly place: () => { readonly folder: string; readonly branch: string | undefined; readonly hasFailedSync?: boolean };
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
  readonly cwd: string;
  readonly resumed: boolean;
  readonly messages: number;
  /** What was said last, and what was answered to it; undefined where nothing was said. */
  readonly last?: { readonly said: string; readonly answer: string } | undefined;
  /** Not every call of the last turn, or no reply, is there. */
  readonly isCutShort?: boolean;
  readonly openTasks?: readonly string[];
  readonly jobs?: readonly string[];
};

export type RollbackPort = {
  /** The snapshots of this session in order of time. */
  readonly snapshots: () => readonly SnapshotMeta[];
  /** What a rollback would change; changes nothing. Rejects with not_found or store_damaged. */
  readonly preview: (snapshotId: string) => Promise<RollbackPreview>;
  /** The same for the newest compaction, rollback or clear; undefined when there is none. */
  readonly previewUndo: () => Promise<RollbackPreview | undefined>;
  readonly rollBack: (snapshotId: string) => Promise<void>;
  /** The user's messages to go back to, oldest first, also those that a compaction took out of the context. */
  readonly pastMessages: () => readonly PastMessageRow[];
  /** What going back to before a message would change, by its number from 1 or its id; changes nothing. Rejects with not_found. */
  readonly previewRewind: (message: string) => Promise<RewindPreview>;
  /** Goes back. Resolves to what the message said. */
  readonly rewind: (message: string) => Promise<string>;
  /** To be restored before the session goes back: where the process is killed meanwhile, the same command does the rest. */
  readonly restorableFiles: (to: FormerState) => Promise<RestorableFiles>;
};

export type FormerState = { readonly snapshot: string } | { readonly message: string };

export type ChangesPort = {
  /** In order of time. */
  readonly acts: () => Promise<readonly ActRow[]>;
  readonly differences: (number: number) => Promise<readonly FileDifference[]>;
  /** What differs now from what stood there before the first act of this session that changed it. */
  readonly total: () => Promise<readonly FileDifference[]>;
  readonly restorable: (choice: ActChoice) => Promise<RestorableFiles>;
};

export type ActChoice = { readonly number: number; readonly andLater: boolean; readonly path?: string | undefined };

export type ActRow = {
  readonly n: number;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Who did it, in one line; undefined for what others changed between two acts. */
  readonly title: string | undefined;
  /** Who else was at work in the folder meanwhile: it may have been them. */
  readonly also: readonly string[];
  /** A person may have done it meanwhile as well. */
  readonly isUnwatched: boolean;
  /** How much it changed. */
  readonly note: Bilingual;
  readonly files: readonly { readonly path: string; readonly name: string; readonly change: 'changed' | 'new' | 'deleted' }[];
};

export type FileDifference = {
  readonly path: string;
  /** In one line, relative to the working folder inside of it. */
  readonly name: string;
  readonly preview: () => Promise<string>;
};

export type RollbackPreview = {
  readonly snapshot: SnapshotMeta;
  readonly messagesNow: number;
  readonly tokensNow: number;
  /** Messages that come back, and those that leave the context, oldest first (`rollbackDifference` finds them). */
  readonly returning: readonly MessageLine[];
  readonly leaving: readonly MessageLine[];
  readonly since?: number;
};

export type PastMessageRow = { readonly id: string; readonly at: string; readonly text: string };

export type RewindPreview = {
  readonly message: PastMessageRow;
  readonly messagesNow: number;
  readonly messagesThen: number;
  readonly returning: readonly MessageLine[];
  readonly leaving: readonly MessageLine[];
};

/** One message in one line of at most 200 characters. */
export type MessageLine = { readonly who: string; readonly text: string };
