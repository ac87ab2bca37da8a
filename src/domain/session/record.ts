import { z } from 'zod';
import { type FileVersion, fileVersionSchema } from '../file.ts';
import { type Pin, pinSchema, type SessionContext, sessionContextSchema } from './context.ts';
import { type Message, messageSchema, type StubRef, stubRefSchema } from './message.ts';

/** The version of log.jsonl and of snapshots that this program writes. Records of a newer one are kept and left alone. */
export const RECORD_VERSION = 1;

/** The first line of a log. */
export type HeaderRecord = {
  readonly type: 'header';
  readonly v: number;
  readonly sessionId: string;
  readonly group: string;
  readonly cwd: string;
  readonly model: string;
  /** The session this one was forked from, with all that was said in it until then in `context`. */
  readonly parent?: string | undefined;
  readonly context: SessionContext;
};

export type MessageRecord = { readonly type: 'message'; readonly message: Message };

/** Results whose content became a stub after they had been sent. All of one batch are in one record: all or none. */
export type OffloadRecord = { readonly type: 'offload'; readonly stubs: readonly { readonly ref: StubRef; readonly text: string }[] };

export const checkpointReasons = ['compaction', 'rollback', 'clear', 'window', 'thinking', 'mended', 'repeat'] as const;

export type CheckpointReason = (typeof checkpointReasons)[number];

/** Carries the whole new context, and what a reader that goes back no further would miss: the model that answers, and tokens of it to one of
 * our own count, as far as they were known by then. `window` is trimming or the sliding window of last resort;
 * `thinking` removed blocks that the provider no longer accepts; `mended` left out half pairs of a damaged log; `repeat` changes nothing and keeps opening fast. */
export type CheckpointRecord = {
  readonly type: 'checkpoint';
  readonly reason: CheckpointReason;
  /** The snapshot that holds what this checkpoint replaced. */
  readonly snapshotId?: string | undefined;
  /** What a rollback went back to: a snapshot, or the user's message before which the context stands. */
  readonly restored?: string | undefined;
  readonly model?: string | undefined;
  readonly ratio?: number | undefined;
  readonly context: SessionContext;
};

/** From here on another model answers. */
export type ModelRecord = { readonly type: 'model'; readonly model: string };

/** What the user calls the session from here on; the conversation knows nothing of it. */
export type TitleRecord = { readonly type: 'title'; readonly title: string };

/** All that the user has pinned, from here on. */
export type PinsRecord = { readonly type: 'pins'; readonly pins: readonly Pin[] };

/** A tool is about to change a file: noted, with both contents on disk, before it does. Whether it then did, the file itself says. */
export type FileRecord = {
  readonly type: 'file';
  /** Absolute, links resolved. */
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

/** The door for one line of log.jsonl. Unknown fields pass; an unknown `type` fails here and is left alone by the reader. */
export const logRecordSchema: z.ZodType<LogRecord> = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('header'),
    ...base,
    v: z.int().positive(),
    sessionId: z.string(),
    group: z.string(),
    cwd: z.string(),
    model: z.string(),
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
    ratio: z.number().positive().optional(),
    context: sessionContextSchema,
  }),
  z.looseObject({ type: z.literal('model'), ...base, model: z.string() }),
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
