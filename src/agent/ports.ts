/**
 * The agent: the order in which things are done in a conversation, and nothing of how they are done.
 *
 * In comes what the user says; out come requests to a model, calls of tools, writes to a store and events. turn/ leads through a turn,
 * fit/ keeps the context within the window, compaction/ and rollback/ replace it by another, session/ holds it, memory/ keeps what is to
 * outlast it. All that touches the world comes in by the types of this file, the smallest that will do, and each comment here is a
 * promise that an implementation keeps. The edges (model, store, tools, terminal) implement these and know nothing else of the agent.
 *
 * The order of writes is the protocol, so a crash at any moment leaves the state before or after a step. No I/O, no clock and no chance
 * is to be found in this room, and none of its functions keeps state in a module.
 */

import type { SanbotEvent } from '../domain/event.ts';
import type { HookEvent, HookResult } from '../domain/hook.ts';
import type { MemoryEntry, MemoryRollback, RememberResult, SupersededMark } from '../domain/memory/memory.ts';
import type { Access, PermissionAnswer, PermissionRequest } from '../domain/permission.ts';
import type { SessionContext, ToolSpec } from '../domain/session/context.ts';
import type { FileContent } from '../domain/session/file.ts';
import type { BodyRef, Usage, WireMessage } from '../domain/session/message.ts';
import type { ModelAnswer } from '../domain/session/model-answer.ts';
import type { HeaderRecord, LogRecord, NewRecord } from '../domain/session/record.ts';
import type { MemoryCounts, SnapshotMeta, SnapshotOutcome, SnapshotReason } from '../domain/session/snapshot.ts';

export type Clock = () => Date;
/** Never the same twice, safe in file names: lower-case letters and digits. */
export type NewId = () => string;
/** Never throws: what cannot be shown or recorded must not stop the work. */
export type Emit = (event: SanbotEvent) => void;
/** Resolves after about `ms`; rejects with AbortedError at once when the signal aborts. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** A signal that aborts after `ms`. */
export type Deadline = (ms: number) => AbortSignal;
/** Asks a yes-or-no question; true when nobody can be asked. Rejects with AbortedError when the signal aborts. */
export type Confirm = (question: string, signal: AbortSignal) => Promise<boolean>;

// --- the model ---------------------------------------------------------------------------------------------------

export type ModelRequest = {
  readonly model: string;
  /** The blocks of the system prompt in order, none empty. */
  readonly system: readonly string[];
  readonly tools: readonly ToolSpec[];
  readonly messages: readonly WireMessage[];
  readonly maxOutputTokens: number;
  /** A summary is asked for without tools and without streaming to the screen. */
  readonly purpose: 'turn' | 'summary';
  /** The messages are not to be answered but summarised by the API itself, as these words say; the reply is one compaction block. */
  readonly compaction?: { readonly instructions: string };
  /** How often to try again what may pass by itself, when it is not the model's own default. */
  readonly retryCount?: number;
};

export type ModelStream = {
  readonly signal: AbortSignal;
  readonly onText: (text: string) => void;
  readonly onThinking: (text: string) => void;
  readonly onRetry: (retry: { readonly why: string; readonly attempt: number; readonly waitMs: number }) => void;
};

/**
 * One request, one whole answer: never half a reply, whatever was streamed before. Retries what may pass by itself.
 * Rejects with AbortedError when the signal aborts, else only with SanbotError model_key, model_unreachable or model_failed.
 */
export type AskModel = (request: ModelRequest, stream: ModelStream) => Promise<ModelAnswer>;

export type ModelFacts = {
  readonly windowTokens: number;
  /** True when nobody told us the window and this is a guess. */
  readonly assumed: boolean;
  readonly maxOutputTokens: number;
  /** Whether the API summarises for this model; undefined when nobody has told us. */
  readonly serverCompaction?: boolean | undefined;
  /** Above so many input tokens a request gets dearer, for models where that is so. */
  readonly priceStepTokens?: number | undefined;
  /** Dollars for one request, or undefined when the price is not known. */
  readonly costUsd: (usage: Usage) => number | undefined;
};

export type Model = {
  readonly ask: AskModel;
  readonly facts: (model: string) => ModelFacts;
  /** Asks the provider, once, about a model of which neither the user nor the table says the window; `facts` has it from then on. Never rejects. */
  readonly fetchFacts?: (model: string, signal: AbortSignal) => Promise<void>;
};

// --- tools -------------------------------------------------------------------------------------------------------

export type ToolOutcome = {
  readonly ok: boolean;
  /** The whole result, however long. */
  readonly content: string;
  /** One short line for a person: "42 lines", "exit 1". */
  readonly note: string;
  /** The text is an offloaded body read back, a page at most: it is never offloaded again. */
  readonly readBack?: boolean;
  /** The absolute path of the file whose content this is. */
  readonly source?: string;
};

export type ToolPlan =
  | { readonly kind: 'invalid'; readonly message: string }
  | {
      readonly kind: 'ready';
      readonly access: Access;
      /** Absolute, links resolved: what a file tool touches. */
      readonly path: string | undefined;
      /** Whether `path` lies in the working folder, outside of it, or is one of this session's offloaded bodies. */
      readonly place: 'inside' | 'outside' | 'own_body' | 'none';
      /** One line for the screen: "read_file src/app.ts". */
      readonly title: string;
      /** What a person must see before allowing it: the diff, or the exact command. Empty for reads. */
      readonly preview: string;
      /** Does it. Resolves with a failed outcome for anything that goes wrong; rejects only with AbortedError. */
      readonly run: (signal: AbortSignal) => Promise<ToolOutcome>;
    };

/** What a model is told of it is a spec, which the session's header has before there are tools. */
export type Tool = {
  readonly name: string;
  /** Checks the input and says what would be done; changes nothing. Never rejects. */
  readonly plan: (input: unknown) => Promise<ToolPlan>;
};

/** Asks the person. Resolves 'nobody' when nobody can be asked; rejects with AbortedError when the signal aborts. */
export type AskPermission = (request: PermissionRequest, signal: AbortSignal) => Promise<PermissionAnswer>;

/**
 * Runs the user's commands for one moment, in order, and says what they answered together. `about` is what they are told of it.
 * A command that fails or takes too long is told and answers nothing. Rejects only with AbortedError, when the signal aborts.
 */
export type RunHooks = (event: HookEvent, payload: Readonly<Record<string, unknown>>, signal: AbortSignal) => Promise<HookResult>;

// --- the disk ----------------------------------------------------------------------------------------------------
// All of it is synchronous: a call returns after the bytes are on disk, so two writes can't change places.
// All of it throws SanbotError: store_failed when the disk will not take it, store_damaged when it cannot be read.

export type SessionLog = {
  readonly sessionId: string;
  /**
   * Appends one record. Throws store_failed with the log as it was before, at a record's boundary; the next append tries again.
   */
  readonly append: (record: NewRecord) => LogRecord;
  /** Bytes appended since the newest checkpoint: the time to repeat it is the caller's to choose. */
  readonly bytesSinceCheckpoint: () => number;
  readonly close: () => void;
};

export type OpenedLog = {
  readonly log: SessionLog;
  readonly header: HeaderRecord;
  /** The newest checkpoint, if any, and all that follows; oldest first. */
  readonly records: readonly LogRecord[];
  /** What was repaired or found damaged, one line each, to be told once. */
  readonly warnings: readonly string[];
};

/** Every record of a session's log that can be read, oldest first, one in memory at a time; none of one that has nothing stored yet. */
export type ReadRecords = (sessionId: string) => Iterable<LogRecord>;

export type Sessions = {
  /** Creates the session's folder and log, and takes its lock. */
  readonly create: (header: HeaderRecord) => OpenedLog;
  /** Throws not_found with the nearest ids, session_locked with the holder, store_damaged when the header is unreadable. */
  readonly open: (sessionId: string) => OpenedLog;
};

export type SavedBody = { readonly ref: BodyRef; readonly path: string };

export type Bodies = {
  /** Stores a body under its hash, once. Undefined when the session's cap is reached: then nothing was written. */
  readonly save: (body: string) => SavedBody | undefined;
  /** The absolute path a stub names; whether the file is there or has been retired. */
  readonly path: (ref: BodyRef) => string;
  /** From the file, or from bodies.jsonl when retired. Undefined when missing or not what the hash says. */
  readonly read: (ref: BodyRef) => string | undefined;
  /** Writes again what is missing of a snapshot's bodies, whatever the cap. Throws store_damaged when a text is not what its ref says. */
  readonly restore: (bodies: readonly SnapshotBody[]) => void;
  /** Moves bodies that no context refers to any more to bodies.jsonl: appended first, then the file is deleted. Never throws. */
  readonly retire: (keep: ReadonlySet<string>) => { readonly retired: number; readonly failed: readonly string[] };
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
  | { readonly kind: 'altered'; readonly why: string };

export type Snapshots = {
  /** Self-contained, hashed, on disk with its meta when this returns. Ids sort by time and never collide. */
  readonly write: (snapshot: NewSnapshot) => SnapshotMeta;
  readonly read: (id: string) => SnapshotLookup;
  /** Notes what became of it. Never throws: the change itself is committed already. */
  readonly recordOutcome: (id: string, outcome: SnapshotOutcome) => void;
};

export type FileVersions = {
  /** Keeps a content under its sha256, once, on disk when it returns. Undefined when it was kept, else why not: it is over a cap. */
  readonly keep: (content: Uint8Array) => string | undefined;
  /** Undefined when it is missing or not what its hash says. */
  readonly read: (sha256: string) => Uint8Array | undefined;
};

/**
 * To be called when all is ready to put another content in a file's place, and before that is done. Afterwards what stood there is on
 * disk with the record of the change, or the answer says why its content is not kept. Throws store_failed: then the file must stay.
 */
export type RecordFileChange = (change: {
  readonly path: string;
  readonly tool: string;
  readonly before: FileContent | undefined;
  readonly after: FileContent | undefined;
}) => string | undefined;

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
