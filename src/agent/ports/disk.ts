/**
 * All of it is synchronous: a call returns after the bytes are on disk, so two writes can't change places.
 * All of it throws SanbotError: store_failed when the disk will not take it, store_damaged when it cannot be read.
 */

import type { ReadFile } from '../../context/prompt/system-prompt.ts';
import type { Bilingual } from '../../domain/language.ts';
import type { MemoryEntry, MemoryRollback, RememberResult, SupersededMark } from '../../domain/memory/memory.ts';
import type { ShellPattern } from '../../domain/permission.ts';
import type { Actor, ChangeSet, Uncovered } from '../../domain/session/change.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import type { BodyRef } from '../../domain/session/message.ts';
import type { FileContent, HeaderRecord, LogRecord, NewRecord } from '../../domain/session/record.ts';
import type { MemoryCounts, SnapshotMeta, SnapshotOutcome, SnapshotReason } from '../../domain/session/snapshot.ts';

export type SessionLog = {
  readonly sessionId: string;
  /** Appends one record. Throws store_failed with the log as before, at a record's boundary; the next append tries again. */
  readonly append: (record: NewRecord) => LogRecord;
  /** Bytes appended since the newest checkpoint: the time to repeat it is the caller's to choose. */
  readonly bytesSinceCheckpoint: () => number;
  /**
   * Resolves when all that was appended is as safe as the user wants it, before anything follows from it; left out where the disk is enough.
   * Rejects with AbortedError when the signal aborts, and with SanbotError when it is not safe there: on disk it is.
   */
  readonly settled?: (signal: AbortSignal) => Promise<void>;
  readonly close: () => void;
};

export type OpenedLog = {
  readonly log: SessionLog;
  readonly header: HeaderRecord;
  /** The newest checkpoint, if any, and all that follows; oldest first. */
  readonly records: readonly LogRecord[];
  /** What was repaired or found damaged, one line each, to be told once. */
  readonly warnings: readonly Bilingual[];
};

/** Every record of a session's log that can be read, oldest first, one in memory at a time; none of one that has nothing stored yet. */
export type ReadRecords = (sessionId: string) => Iterable<LogRecord>;

export type SavedBody = { readonly ref: BodyRef; readonly path: string };

export type Bodies = {
  /** Stores a body under its hash, once. Undefined when the session's cap is reached: then nothing was written. */
  readonly save: (body: string) => SavedBody | undefined;
  /** What `save` would call it; writes nothing. */
  readonly refOf: (body: string) => BodyRef;
  /** The absolute path a stub names; whether the file is there or has been retired. */
  readonly path: (ref: BodyRef) => string;
  /** From the file, or from bodies.jsonl when retired. Undefined when missing or not what the hash says. */
  readonly read: (ref: BodyRef) => string | undefined;
  /** Writes again what is missing of a snapshot's bodies, whatever the cap. Throws store_damaged when a text is not what its ref says. */
  readonly restore: (bodies: readonly SnapshotBody[]) => void;
  /** Moves bodies that no context refers to any more to bodies.jsonl: appended first, then the file is deleted. Never throws. */
  readonly retire: (keep: ReadonlySet<string>) => { readonly retired: number; readonly failed: readonly Bilingual[] };
};

export type SnapshotBody = { readonly ref: BodyRef; readonly text: string };

export type NewSnapshot = {
  readonly sessionId: string;
  readonly group: string;
  readonly reason: SnapshotReason;
  readonly model: string;
  readonly tokens: number;
  readonly context: SessionContext;
  readonly bodies: readonly SnapshotBody[];
};

export type SnapshotLookup =
  | { readonly kind: 'found'; readonly meta: SnapshotMeta; readonly context: SessionContext; readonly bodies: readonly SnapshotBody[] }
  | { readonly kind: 'missing'; readonly nearest: readonly string[] }
  | { readonly kind: 'altered'; readonly why: Bilingual };

export type Snapshots = {
  /** Self-contained, hashed, on disk with its meta when this returns. Ids sort by time and never collide. */
  readonly write: (snapshot: NewSnapshot) => SnapshotMeta;
  readonly read: (id: string) => SnapshotLookup;
  /** Notes what became of it. Never throws: the change itself is committed already. */
  readonly recordOutcome: (id: string, outcome: SnapshotOutcome) => void;
};

/** What an act left, which folders nobody looked at, and whether that has changed since it was last told. */
export type ActOutcome = { readonly set: ChangeSet | undefined; readonly uncovered: Uncovered; readonly isNews: boolean };

export type BegunAct = {
  readonly end: () => ActOutcome;
  /** In place of `end`, for what goes on in the background: from now on it is known by this id, also in its title. Throws store_failed. */
  readonly goOn: (id: string) => void;
};

export type FolderChanges = {
  /**
   * To be called before something acts in a folder, absolute and without links: everything that stands there can be brought back once this
   * has returned, but for what is uncovered or has a reason in its place. `end` is called when the act is over. `names` are paths that it
   * names, from the folder where they are not absolute: of one that is too wide to look at, as a home, only these are. `beside`: other folders
   * that it acts in. Throws store_failed.
   */
  readonly begin: (cwd: string, by: Actor, names?: () => readonly string[], beside?: readonly string[]) => BegunAct;
  /**
   * What acts changed for whose end nobody waits: commands in the background, and those that a killed process began. Each is told once.
   * `record`: the number of the last record of the session's log. Throws store_failed.
   */
  readonly news: (record: number) => readonly ChangeSet[];
  /**
   * To be called right before one file gets another content. Afterwards what stood there is on disk, with a line that names it; or the
   * answer says why its content is not kept. Throws store_failed, with nothing written down.
   */
  readonly edit: (edit: FileEdit, by: Actor) => Bilingual | undefined;
};

export type FileEdit = {
  /** Absolute, without links. */
  readonly path: string;
  /** Folders that were made for it, absolute. */
  readonly folders?: readonly string[] | undefined;
  /** Undefined where there is or will be no file. */
  readonly before: FileContent | undefined;
  readonly after: FileContent | undefined;
};

/** What of a folder can be brought back. Nothing here throws; what cannot be looked at counts as not kept. */
export type RecordReach = {
  /** All that is below these is recorded, links not followed: the work tree, and its repository where that lies elsewhere. */
  readonly folders: readonly string[];
  /** The bytes of a larger file are not kept; 0 where nothing is recorded. */
  readonly fileBytes: number;
  /** A folder that a tool makes again, of which nothing is kept; with the names that stand beside it, and those in it. */
  readonly isRemade: (folder: string, siblings: readonly string[], names: readonly string[]) => boolean;
  /** Files that the repository tracks, by their path. */
  readonly tracked: () => ReadonlySet<string>;
  /** True for a file whose bytes are kept, or will be before anything is done; false as well where nobody knows. */
  readonly isKept: (path: string) => boolean;
  /** Looks, as before an act that names these paths, so that it is known. Rejects with store_failed. */
  readonly look?: ((names: readonly string[]) => Promise<void>) | undefined;
  /** True for a file of which the repository has the bytes as they are, and for its own objects, which are kept by links. */
  readonly isClean: (path: string) => boolean;
};

/** What a record says of the files below a folder. */
export type KeptFiles = Pick<RecordReach, 'isKept' | 'look'>;

/** What commands in the sandbox left that runs by itself later: it is not there any more, and can be had. */
export type LeftOutFiles = {
  /** By the names that a person is shown, and absolute; `isBack`: it was deleted, and stands there again. */
  readonly files: readonly { readonly name: string; readonly path: string; readonly why: Bilingual; readonly isBack: boolean }[];
  /** What could not be put back. */
  readonly problems: readonly { readonly name: string; readonly why: Bilingual }[];
  /** The command line that brings it. */
  readonly restore: string;
  /** What bringing it would change, as the preview of an edit. */
  readonly preview: () => Promise<string>;
  /** Brings it. Resolves to what could not be brought. Rejects with store_failed. */
  readonly keep: () => Promise<readonly { readonly name: string; readonly why: Bilingual }[]>;
};

/** Acts of a session, recorded so that they can be undone. Nothing is loaded before the first. */
export type RecordedActs = {
  /**
   * As that of the folder; the place in the session is known here, and what the names stand for. `held`: it is in the sandbox, and may leave
   * nothing that runs later but for `writes`, names of files that a person allowed.
   */
  readonly begin: (act: {
    readonly cwd: string;
    readonly id: string;
    readonly title: string;
    readonly held?: boolean;
    readonly writes?: readonly string[];
    readonly names: () => readonly ShellPattern[];
  }) => Promise<BegunAct>;
  /**
   * To be called when acts have ended, and before anything else runs: puts back what those in the sandbox left that runs later. Undefined
   * where there is nothing. Rejects with store_failed, with what was not done left to be done.
   */
  readonly leaveOut: () => Promise<LeftOutFiles | undefined>;
  /** As that of the folder; none where nothing has been begun. */
  readonly news: () => Promise<readonly ChangeSet[]>;
};

/**
 * To be called when all is ready to put another content in a file's place, and before that is done. Afterwards what stood there is on
 * disk with the record of the change, or the answer says why its content is not kept. Throws store_failed: then the file must stay.
 */
export type RecordFileChange = (change: FileEdit & { readonly tool: string }) => Bilingual | undefined;

/**
 * Returns what the instruction files say of the folders from below the working folder down to paths that a tool touched, absolute or
 * relative to it, as a notice for each folder, which is absolute, and which files they are; none for paths elsewhere, and where nothing of
 * the project is obeyed. Never throws.
 */
export type FolderInstructions = (paths: readonly string[]) => readonly {
  readonly folder: string;
  readonly text: string;
  readonly files: readonly ReadFile[];
}[];

export type Archive = {
  /** Writes a readable transcript, never over another; returns its path. */
  readonly write: (page: { readonly title: string; readonly markdown: string }) => string;
};

export type Memories = {
  /** Appends what is not there yet, each file with its heading even when nothing is new; returns how many of each were added. */
  readonly add: (entries: readonly MemoryEntry[]) => MemoryCounts;
  /** Adds one statement that a person or the model asked to keep, even if it was deleted once. Undefined when there is no word in it. */
  readonly remember: (entry: MemoryEntry) => RememberResult | undefined;
  /** Moves entries of ours from their pages to the older ones, where they stand with what took their place. Returns how many there were. */
  readonly putAside: (marks: readonly SupersededMark[]) => number;
  /**
   * Adds a digest to the log of a day (2026-01-31, UTC); it ends with a newline. A day that has no room for it is `closed` by a line that
   * says so, and `full` from then on.
   */
  readonly addDaily: (day: string, markdown: string) => 'added' | 'closed' | 'full';
  /**
   * A session went back to an earlier state: what was learned from it since is marked as superseded, and marks made since are taken off.
   * Returns how many of each. Throws store_failed, with each file as it was or changed whole.
   */
  readonly rollBack: (change: MemoryRollback) => { readonly superseded: number; readonly restored: number };
  /** Replaces the running summary of a session. */
  readonly writeSessionSummary: (sessionId: string, markdown: string) => void;
};

/** Of a conversation whose words are no memories: nothing is kept. */
export const noMemoryStore: Memories = {
  add: () => ({ decisions: 0, facts: 0, preferences: 0, runtime: 0 }),
  remember: () => undefined,
  putAside: () => 0,
  addDaily: () => 'added',
  rollBack: () => ({ superseded: 0, restored: 0 }),
  writeSessionSummary: () => undefined,
};
