import type { AuditRecord, SummaryMethod } from '../../domain/event.ts';
import type { MemoryKind, RememberResult } from '../../domain/memory/memory.ts';
import type { MemoryLine } from '../../domain/memory/memory-line.ts';
import type { RecallHit } from '../../domain/recall.ts';
import type { TodoItem } from '../../domain/session/ledger.ts';
import type { Usage } from '../../domain/session/message.ts';
import type { SnapshotMeta } from '../../domain/session/snapshot.ts';
import type { RestorableFiles } from '../views/file-restore.ts';

/**
 * What the REPL asks of a chat. Views are plain data, rendered here; nothing shown ever goes into the conversation.
 * Any function may reject with SanbotError, which is printed, and the REPL goes on. What happens meanwhile comes as events.
 */
export type ChatPort = {
  /** The session that is open now. */
  readonly session: () => SessionView;
  /** One turn. Resolves when it has ended; also when `signal` ended it. */
  readonly send: (text: string, signal: AbortSignal) => Promise<void>;
  /** Compacts now. `instructions` say what to keep. */
  readonly compact: (instructions: string | undefined, signal: AbortSignal) => Promise<void>;
  /**
   * Makes the summary and changes nothing else, so that it can be looked at first. Undefined when there was nothing to compact or it
   * failed; that has been told by then. Rejects with AbortedError when `signal` aborts.
   */
  readonly previewCompaction: (instructions: string | undefined, signal: AbortSignal) => Promise<PendingCompaction | undefined>;
  readonly context: () => Promise<ContextView>;
  /** The snapshots of this session in order of time. */
  readonly history: () => readonly SnapshotMeta[];
  /** What a rollback would change; changes nothing. Rejects with not_found or store_damaged. */
  readonly previewRollback: (snapshotId: string) => Promise<RollbackPreview>;
  /** Resolves to the place in the log where that state ended, for `restorableFiles`. */
  readonly rollback: (snapshotId: string) => Promise<number>;
  /** The user's messages to go back to, oldest first, also those that a compaction took out of the context. */
  readonly pastMessages: () => readonly PastMessageRow[];
  /** What going back to before a message would change, by its number from 1 or its id; changes nothing. Rejects with not_found. */
  readonly previewRewind: (message: string) => Promise<RewindPreview>;
  /** Goes back. Resolves to what the message said, and the place in the log where that state ended. */
  readonly rewind: (message: string) => Promise<{ readonly text: string; readonly since: number }>;
  /** The files that SanBot changed after that place in the log and that are not what they were then. */
  readonly restorableFiles: (since: number) => Promise<RestorableFiles>;
  /** The same for the newest compaction, rollback or clear; undefined when there is none. */
  readonly previewUndo: () => Promise<RollbackPreview | undefined>;
  readonly memory: () => MemoryView;
  /** Keeps a statement beyond this session. Throws SanbotError when memory is off or the disk refuses. */
  readonly remember: (text: string) => RememberResult | { readonly outcome: 'refused'; readonly why: string };
  /** What was said and seen in this group, the best hits first. */
  readonly recall: (query: string, signal: AbortSignal) => Promise<readonly RecallHit[]>;
  /** Newest first. */
  readonly sessions: () => readonly SessionRow[];
  readonly resume: (sessionId: string) => Promise<void>;
  readonly newSession: () => Promise<void>;
  /** Empties the context of this session; a snapshot is taken first. */
  readonly clear: () => Promise<void>;
  readonly model: () => ModelView;
  /** The present model makes room first when the other's window is smaller. Rejects with context_cannot_fit, and nothing has changed. */
  readonly changeModel: (name: string, signal: AbortSignal) => Promise<void>;
  readonly cost: () => CostView;
  /** The messages of the context that can be pinned, oldest first. */
  readonly pinnable: () => readonly PinLine[];
  readonly pins: () => Promise<PinsView>;
  /** Pins the message of that number. Rejects with refused, with figures, when the pins would take more than their share. */
  readonly pin: (number: number) => Promise<void>;
  readonly unpin: (messageId: string) => Promise<void>;
  /** The task list that the model keeps; empty when there is none. */
  readonly todo: () => readonly TodoItem[];
  /** The newest lines of the audit log about this session, oldest first. */
  readonly events: () => readonly AuditRecord[];
  /** Returns the title as it is kept: in one line. */
  readonly rename: (title: string) => Promise<string>;
  /** Goes on in a copy of this session; returns its id. */
  readonly fork: () => Promise<string>;
  /** Writes this session to a file that is not there yet, named after the session when no name is given. */
  readonly exportTo: (file: string | undefined) => Promise<{ readonly file: string; readonly bytes: number }>;
  /** Paths below the working folder that start so, folders with a trailing slash, at most 50; for Tab after an @. Empty when there are none. */
  readonly files: (prefix: string) => Promise<readonly string[]>;
};

export type SessionView = {
  readonly sessionId: string;
  /** False for one that has just begun. */
  readonly resumed: boolean;
  readonly messages: number;
};

export type ModelView = {
  readonly name: string;
  /** No language model: the built-in offline one. */
  readonly offline: boolean;
  readonly windowTokens: number;
  readonly windowAssumed: boolean;
};

/** All counts by our one counter. */
export type ContextView = ModelView & {
  readonly tokens: number;
  readonly softTokens: number;
  readonly hardTokens: number;
  readonly messages: number;
  /** Where the tokens are: "system prompt", "tools", "summary", "your messages", "replies", "tool results"… */
  readonly parts: readonly { readonly name: string; readonly tokens: number }[];
  /** Old tool results that are sent only in part, and what that saves. */
  readonly pruned?: { readonly results: number; readonly tokens: number } | undefined;
  /** What would free how much: "old tool results to files", "/compact". */
  readonly freeable: readonly { readonly by: string; readonly tokens: number }[];
  /** What is pinned, at its most: a pinned message that still stands in its place is in its own part. Undefined when nothing is. */
  readonly pinned?: { readonly count: number; readonly tokens: number; readonly budgetTokens: number } | undefined;
};

/** A message in one line of at most 400 characters; its number counts the messages of the context from 1. */
export type PinLine = {
  readonly number: number;
  readonly messageId: string;
  readonly who: 'you' | 'assistant' | 'tool';
  readonly text: string;
  readonly pinned: boolean;
};

export type PinsView = {
  readonly pins: readonly Omit<PinLine, 'number' | 'pinned'>[];
  /** What they take at most, and what they may take. */
  readonly tokens: number;
  readonly budgetTokens: number;
};

/** What this session has used, all its requests together: not what the context holds now. */
export type CostView = {
  readonly requests: number;
  readonly usage: Usage;
  readonly costUsd: number | undefined;
  readonly compactions: number;
  /** The part of `usage` and `costUsd` that went into summaries. */
  readonly compactionUsage: Usage;
  readonly compactionCostUsd: number | undefined;
};

/** `on` is false when nothing is added and nothing is told to sessions. */
export type MemoryView = { readonly on: boolean; readonly files: readonly MemoryFile[] };

export type MemoryFile = { readonly kind: MemoryKind; readonly path: string; readonly entries: readonly MemoryLine[] };

export type SessionRow = {
  readonly sessionId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly cwd: string;
  readonly model: string;
  readonly group: string;
  readonly title: string;
  readonly bytes: number;
  readonly open: boolean;
  /** Why it cannot be opened. */
  readonly problem?: string;
};

export type RollbackPreview = {
  readonly snapshot: SnapshotMeta;
  readonly messagesNow: number;
  readonly tokensNow: number;
  /** Messages that come back, and those that leave the context, oldest first (`rollbackDifference` finds them). */
  readonly returning: readonly MessageLine[];
  readonly leaving: readonly MessageLine[];
  /** How many messages came after the change that is undone. */
  readonly since?: number;
};

/** `at` in ISO 8601, UTC. */
export type PastMessageRow = { readonly id: string; readonly at: string; readonly text: string };

export type RewindPreview = {
  readonly message: PastMessageRow;
  readonly messagesNow: number;
  readonly messagesThen: number;
  readonly returning: readonly MessageLine[];
  readonly leaving: readonly MessageLine[];
};

/** What a compaction would do. Tokens and dollars of the summary's requests are spent, whatever comes of it. */
export type CompactionPreview = {
  /** The sections, without what is gathered by rule. */
  readonly text: string;
  readonly method: SummaryMethod;
  /** Oldest first. */
  readonly leaving: readonly MessageLine[];
  readonly messagesNow: number;
  readonly messagesAfter: number;
  readonly messagesKept: number;
  readonly tokensNow: number;
  readonly tokensAfter: number;
  readonly usage: Usage;
  readonly costUsd: number | undefined;
  /** How many facts of each kind are gathered by rule. */
  readonly ledger: Readonly<Record<string, number>>;
};

/** A compaction that is ready. Either `commit` or `discard` ends it; both tell what happened as events. */
export type PendingCompaction = {
  readonly view: () => CompactionPreview;
  /** Puts another text in the place of the summary, unless it cannot be one; a warning does not hinder it. */
  readonly revise: (
    text: string,
  ) =>
    | { readonly kind: 'revised'; readonly warnings: readonly string[] }
    | { readonly kind: 'refused'; readonly problems: readonly string[] };
  /** Rejects with store_failed when the disk will not take it; then nothing has changed. */
  readonly commit: () => Promise<void>;
  readonly discard: () => void;
};

/** What came of a text in the user's editor. */
export type EditResult = { readonly kind: 'edited'; readonly text: string } | { readonly kind: 'failed'; readonly why: string };

/** One message in one line of at most 200 characters. */
export type MessageLine = { readonly who: string; readonly text: string };
