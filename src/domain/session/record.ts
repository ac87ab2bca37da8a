import { z } from 'zod';
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

/** What is appended to a log; the writer adds `n`, counting every line from 0, and `at`, ISO 8601 in UTC. */
export type NewRecord =
  | HeaderRecord
  | MessageRecord
  | OffloadRecord
  | CheckpointRecord
  | ModelRecord
  | TitleRecord
  | PinsRecord
  | FileRecord;
export type LogRecord = NewRecord & { readonly n: number; readonly at: string };

const base = { n: z.int().nonnegative(), at: z.string() };

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
  z.looseObject({ type: z.literal('message'), ...base, message: messageSchema }),
  z.looseObject({ type: z.literal('offload'), ...base, stubs: z.array(z.object({ ref: stubRefSchema, text: z.string() })) }),
  z.looseObject({
    type: z.literal('checkpoint'),
    ...base,
    reason: z.enum(checkpointReasons),
    snapshotId: z.string().optional(),
    restored: z.string().optional(),
    model: z.string().optional(),
    endpoint: z.string().optional(),
    ratio: z.number().positive().optional(),
    context: sessionContextSchema,
  }),
  z.looseObject({ type: z.literal('model'), ...base, model: z.string(), endpoint: z.string().optional() }),
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
]);
