import { z } from 'zod';
import { type CallTally, callTallySchema } from '../memory/call-tally.ts';
import { type Pin, pinSchema, type SessionContext, sessionContextSchema } from './context.ts';
import { type FileVersion, fileVersionSchema } from './file.ts';
import { type Message, messageSchema, type StubRef, stubRefSchema } from './message.ts';

/** The version of log.jsonl and of snapshots that this program writes. Records of a newer version are kept and left alone. */
export const RECORD_VERSION = 1;

/** The first line of a log. */
export type HeaderRecord = {
  readonly type: 'header';
  readonly v: number;
  readonly sessionId: string;
  readonly group: string;
  readonly cwd: string;
  readonly model: string;
  /** Where the model is asked; absent for the unnamed endpoint of Anthropic, for the offline model, and in older logs. */
  readonly endpoint?: string | undefined;
  /** The session that this one was forked from; `context` holds everything said in it until then. */
  readonly parent?: string | undefined;
  readonly context: SessionContext;
};

export type MessageRecord = { readonly type: 'message'; readonly message: Message };

/**
 * Results whose content became a stub after they had been sent. One record holds a whole batch, so that it applies completely or not at
 * all.
 */
export type OffloadRecord = { readonly type: 'offload'; readonly stubs: readonly { readonly ref: StubRef; readonly text: string }[] };

export const checkpointReasons = ['compaction', 'rollback', 'clear', 'window', 'thinking', 'mended', 'repeat'] as const;

export type CheckpointReason = (typeof checkpointReasons)[number];

/**
 * Holds the whole new context, and what a reader that starts here would otherwise miss: the current model, and the ratio of its tokens to
 * our own count, as far as known by then. Reasons: `window` is trimming or the sliding window of last resort; `thinking` removed blocks
 * that the provider no longer accepts; `mended` left out incomplete call/result pairs of a damaged log; `repeat` changes nothing and keeps
 * opening fast.
 */
export type CheckpointRecord = {
  readonly type: 'checkpoint';
  readonly reason: CheckpointReason;
  /** The snapshot that holds what this checkpoint replaced. */
  readonly snapshotId?: string | undefined;
  /** What a rollback went back to: a snapshot, or the user's message right before which the context now ends. */
  readonly restored?: string | undefined;
  readonly model?: string | undefined;
  /** That of the model. */
  readonly endpoint?: string | undefined;
  readonly ratio?: number | undefined;
  /** Those that this session has had; absent where there was none. */
  readonly helpers?: readonly Helper[] | undefined;
  /** What all calls of the session came to by then; absent in older logs. */
  readonly calls?: CallTally | undefined;
  readonly context: SessionContext;
};

/** From here on another model answers. */
export type ModelRecord = { readonly type: 'model'; readonly model: string; readonly endpoint?: string | undefined };

/** The user's title for the session from here on; the conversation does not contain it. */
export type TitleRecord = { readonly type: 'title'; readonly title: string };

/** Everything that the user has pinned, from here on. */
export type PinsRecord = { readonly type: 'pins'; readonly pins: readonly Pin[] };

/**
 * A tool is about to change a file. Recorded, with both contents on disk, before the change; whether the change happened, only the file
 * itself shows.
 */
export type FileRecord = {
  readonly type: 'file';
  /** Absolute, with links resolved. */
  readonly path: string;
  readonly tool: string;
  /** Null when there was no file. */
  readonly before: FileVersion | null;
  /** Null when the file is removed. */
  readonly after: FileVersion | null;
};

/**
 * What is known of a helper without reading its record: a conversation of its own that the model gave a task to. Every checkpoint lists
 * them, so that neither a compaction nor a kill loses one.
 */
const helperSchema = z.looseObject({
  /** Its name in this session, as h1; the branch of the log that is its record. */
  id: z.string(),
  /** The first line of what it was asked. */
  task: z.string(),
  /** When it began: ISO 8601, UTC. */
  at: z.string(),
  /** Replies of the model until now. */
  steps: z.int().nonnegative(),
  /** Null when a price is not known. */
  costUsd: z.number().nonnegative().nullable(),
  /** Where its newest step stands in the log, for a reference: the number of a record, and that of a call in it. */
  last: z.string(),
  /** How it ended; none while it runs, and of one whose process was killed until that has been told. */
  end: z.string().optional(),
});

export type Helper = {
  readonly id: string;
  readonly task: string;
  readonly at: string;
  readonly steps: number;
  readonly costUsd: number | null;
  readonly last: string;
  readonly end?: string | undefined;
};

/** How a helper ended whose process was gone before it could. */
export const KILLED = 'killed';

/** A helper begins: what it is asked, and the context that its first request is made of. */
export type HelperStart = {
  readonly type: 'start';
  readonly task: string;
  readonly at: string;
  readonly model: string;
  readonly endpoint?: string | undefined;
  readonly maxSteps: number;
  /** Null for no limit. */
  readonly maxCostUsd: number | null;
  readonly context: SessionContext;
};

/** A helper ended, or was found to have been killed. */
export type HelperEnd = { readonly type: 'end'; readonly how: string };

/** What the record of a helper consists of. Its checkpoints name no snapshot: all that they replace stands before them. */
export type BranchEntry = HelperStart | MessageRecord | OffloadRecord | CheckpointRecord | ModelRecord | HelperEnd;

/**
 * One record of a helper's own conversation, in the log of the session that it works for and no part of that session's context. It is
 * wrapped, so that a reader who knows no helpers leaves it alone.
 */
export type BranchRecord = {
  readonly type: 'branch';
  /** The helper's name. */
  readonly branch: string;
  /** What it has done and cost by then; null when a price is not known. */
  readonly steps: number;
  readonly costUsd: number | null;
  readonly entry: BranchEntry;
};

/** What is appended to a log; the writer adds `n`, counting every line from 0, and `at`, ISO 8601 in UTC. */
export type NewRecord =
  | HeaderRecord
  | MessageRecord
  | OffloadRecord
  | CheckpointRecord
  | ModelRecord
  | TitleRecord
  | PinsRecord
  | FileRecord
  | BranchRecord;
export type LogRecord = NewRecord & { readonly n: number; readonly at: string };

const base = { n: z.int().nonnegative(), at: z.string() };

const messageShape = { type: z.literal('message'), message: messageSchema };
const offloadShape = { type: z.literal('offload'), stubs: z.array(z.object({ ref: stubRefSchema, text: z.string() })) };
const checkpointShape = {
  type: z.literal('checkpoint'),
  reason: z.enum(checkpointReasons),
  snapshotId: z.string().optional(),
  restored: z.string().optional(),
  model: z.string().optional(),
  endpoint: z.string().optional(),
  ratio: z.number().positive().optional(),
  helpers: z.array(helperSchema).optional(),
  calls: callTallySchema.optional(),
  context: sessionContextSchema,
};
const modelShape = { type: z.literal('model'), model: z.string(), endpoint: z.string().optional() };

const branchEntrySchema = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('start'),
    task: z.string(),
    at: z.string(),
    model: z.string(),
    endpoint: z.string().optional(),
    maxSteps: z.int().positive(),
    maxCostUsd: z.number().nonnegative().nullable(),
    context: sessionContextSchema,
  }),
  z.looseObject(messageShape),
  z.looseObject(offloadShape),
  z.looseObject(checkpointShape),
  z.looseObject(modelShape),
  z.looseObject({ type: z.literal('end'), how: z.string() }),
]);

/** Checks one line of log.jsonl. Unknown fields pass; an unknown `type` fails here, and the reader leaves the line alone. */
export const logRecordSchema: z.ZodType<LogRecord> = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('header'),
    ...base,
    v: z.int().positive(),
    sessionId: z.string(),
    group: z.string(),
    cwd: z.string(),
    model: z.string(),
    endpoint: z.string().optional(),
    parent: z.string().optional(),
    context: sessionContextSchema,
  }),
  z.looseObject({ ...base, ...messageShape }),
  z.looseObject({ ...base, ...offloadShape }),
  z.looseObject({ ...base, ...checkpointShape }),
  z.looseObject({ ...base, ...modelShape }),
  z.looseObject({ type: z.literal('title'), ...base, title: z.string() }),
  z.looseObject({ type: z.literal('pins'), ...base, pins: z.array(pinSchema) }),
  z.looseObject({
    type: z.literal('file'),
    ...base,
    path: z.string(),
    tool: z.string(),
    before: fileVersionSchema.nullable(),
    after: fileVersionSchema.nullable(),
  }),
  z.looseObject({
    type: z.literal('branch'),
    ...base,
    branch: z.string(),
    steps: z.int().nonnegative(),
    costUsd: z.number().nonnegative().nullable(),
    entry: branchEntrySchema,
  }),
]);
