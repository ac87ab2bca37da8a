import { z } from 'zod';
import { type CallTally, callTallySchema } from '../memory/call-tally.ts';
import { permissionModes } from '../permission.ts';
import type { Parsed } from '../value/parsed.ts';
import { pinSchema, sessionContextSchema } from './context.ts';
import { messageSchema, stubRefSchema } from './message.ts';

/** What a file held, or was about to hold. Its content is stored separately, under its hash, when `kept`. */
export const fileVersionSchema = z.object({
  /** The sha256 of the content; for a file too large to be read, something else that tells its states apart. */
  fingerprint: z.string(),
  bytes: z.int().nonnegative(),
  /** Permission bits; undefined for a file that is about to be created. */
  mode: z.int().nonnegative().optional(),
  kept: z.boolean(),
});
export type FileVersion = Readonly<z.infer<typeof fileVersionSchema>>;

/** `content` is undefined for a file too large to be read; then `fingerprint` is something else that tells its states apart. */
export type FileContent = {
  readonly fingerprint: string;
  readonly bytes: number;
  readonly mode?: number;
  readonly content: Uint8Array | undefined;
};

/** The version of log.jsonl and of snapshots that this program writes. Records of a newer version are kept and left alone. */
export const RECORD_VERSION = 1;

const headerShape = {
  type: z.literal('header'),
  v: z.int().positive(),
  sessionId: z.string(),
  group: z.string(),
  cwd: z.string(),
  model: z.string(),
  /** Where the model is asked; absent for the unnamed endpoint of Anthropic, for the offline model, and in older logs. */
  endpoint: z.string().optional(),
  /** The session that this one was forked from; `context` holds everything said in it until then. */
  parent: z.string().optional(),
  /** Of a session that was imported, and of its forks: the name of the file, and the program that it says wrote it. */
  imported: z.object({ file: z.string(), format: z.string() }).optional().catch(undefined),
  /** Of a session that a program began (--print): lists to choose from leave it out. */
  unattended: z.literal(true).optional().catch(undefined),
  context: sessionContextSchema,
};
export type HeaderRecord = Parsed<typeof headerShape>;

const messageRecordShape = { type: z.literal('message'), message: messageSchema };
export type MessageRecord = Parsed<typeof messageRecordShape>;

/**
 * Results that became stubs after they had been sent, a whole batch. `shrunk`: a longer stub stood there; 0.2.0 leaves it till a
 * checkpoint.
 */
const offloadedShape = { ref: stubRefSchema, text: z.string(), shrunk: z.literal(true).optional().catch(undefined) };
const offloadShape = { type: z.literal('offload'), stubs: z.array(z.object(offloadedShape)) };
export type OffloadRecord = Parsed<typeof offloadShape>;

/** A helper without its record, in every checkpoint, so that neither a compaction nor a kill loses one. */
const helperShape = {
  /** Its name in this session, as h1; the branch of the log that is its record. */
  id: z.string(),
  /** The first line of what it was asked. */
  task: z.string(),
  at: z.string(),
  /** Replies of the model until now. */
  steps: z.int().nonnegative(),
  /** Null when a price is not known. */
  costUsd: z.number().nonnegative().nullable(),
  /** Where its newest step stands in the log, for a reference: the number of a record, and that of a call in it. */
  last: z.string(),
  /** How it ended; none while it runs, and of one whose process was killed until that has been told. */
  end: z.string().optional(),
};
export type Helper = Parsed<typeof helperShape>;

/** How a helper ended whose process was gone before it could. */
export const KILLED = 'killed';

const callsSchema: z.ZodType<CallTally> = callTallySchema;

export const checkpointReasons = ['compaction', 'rollback', 'clear', 'window', 'thinking', 'mended', 'repeat'] as const;

/**
 * The whole new context, and what a reader that starts here would miss. `window`: trimming or the sliding window; `thinking`: blocks that
 * the provider no longer accepts left; `mended`: incomplete pairs of a damaged log did; `repeat` changes nothing and keeps opening fast.
 */
/** A compaction that was paid for and left the context as full. `freed`: it is made again before messages are dropped. */
const futileShape = { tokens: z.int().nonnegative(), model: z.string(), freed: z.boolean() };
export type FutileCompaction = Parsed<typeof futileShape>;
const futileSchema: z.ZodType<FutileCompaction> = z.object(futileShape);

const checkpointShape = {
  type: z.literal('checkpoint'),
  reason: z.enum(checkpointReasons),
  /** The snapshot that holds what this checkpoint replaced. */
  snapshotId: z.string().optional(),
  /** What a rollback went back to: a snapshot, or the user's message right before which the context now ends. */
  restored: z.string().optional(),
  model: z.string().optional(),
  endpoint: z.string().optional(),
  ratio: z.number().positive().optional(),
  /** Those that this session has had; absent where there was none. */
  helpers: z.array(z.looseObject(helperShape)).optional(),
  /** What all calls of the session came to by then; absent in older logs. */
  calls: callsSchema.optional(),
  /** Set where an automatic compaction of this context was in vain. */
  futile: futileSchema.optional().catch(undefined),
  context: sessionContextSchema,
};
export type CheckpointRecord = Parsed<typeof checkpointShape>;

/** From here on another model answers. */
const modelShape = { type: z.literal('model'), model: z.string(), endpoint: z.string().optional() };
export type ModelRecord = Parsed<typeof modelShape>;

/** The user's title for the session from here on; the conversation does not contain it. */
const titleShape = { type: z.literal('title'), title: z.string() };

/** Everything that the user has pinned, from here on. */
const pinsShape = { type: z.literal('pins'), pins: z.array(pinSchema) };

/** A tool is about to change a file, with both contents on disk; whether the change happened, only the file itself shows. */
const fileShape = {
  type: z.literal('file'),
  path: z.string(),
  tool: z.string(),
  /** Null when there was no file. */
  before: fileVersionSchema.nullable(),
  /** Null when the file is removed. */
  after: fileVersionSchema.nullable(),
};
export type FileRecord = Parsed<typeof fileShape>;

/** Where an agent works that has a git worktree of its own: its working folder in it, its branch, and the commit that it began with. */
const worktreeShape = { root: z.string(), folder: z.string(), cwd: z.string(), branch: z.string(), base: z.string() };
export type HelperWorktree = Parsed<typeof worktreeShape>;

const agentShape = {
  name: z.string(),
  /** It narrows that of the session. */
  mode: z.enum(permissionModes).optional().catch('read-only'),
  /** The tools of MCP servers that it may call; absent for all. */
  mcp: z.array(z.string()).readonly().optional(),
  worktree: z.object(worktreeShape).optional(),
};
export type HelperAgent = Parsed<typeof agentShape>;

/** A helper begins: what it is asked, and the context that its first request is made of. */
const startShape = {
  type: z.literal('start'),
  task: z.string(),
  at: z.string(),
  model: z.string(),
  endpoint: z.string().optional(),
  maxSteps: z.int().positive(),
  maxCostUsd: z.number().nonnegative().nullable(),
  agent: z.looseObject(agentShape).optional(),
  context: sessionContextSchema,
};
export type HelperStart = Parsed<typeof startShape>;

/** A helper ended, or was found to have been killed. */
const endShape = { type: z.literal('end'), how: z.string() };

/** What the record of a helper consists of. Its checkpoints name no snapshot: all that they replace stands before them. */
export type BranchEntry = HelperStart | MessageRecord | OffloadRecord | CheckpointRecord | ModelRecord | Parsed<typeof endShape>;

const branchEntrySchema: z.ZodType<BranchEntry> = z.discriminatedUnion('type', [
  z.looseObject(startShape),
  z.looseObject(messageRecordShape),
  z.looseObject(offloadShape),
  z.looseObject(checkpointShape),
  z.looseObject(modelShape),
  z.looseObject(endShape),
]);

/** A record of a helper's conversation in the log of its session, wrapped, so that readers who know no helpers leave it alone. */
const branchShape = {
  type: z.literal('branch'),
  branch: z.string(),
  /** What it has done and cost by then; null when a price is not known. */
  steps: z.int().nonnegative(),
  costUsd: z.number().nonnegative().nullable(),
  entry: branchEntrySchema,
};
export type BranchRecord = Parsed<typeof branchShape>;

/** What is appended to a log; the writer adds `n`, counting every line from 0, and `at`, ISO 8601 in UTC. */
export type NewRecord =
  | HeaderRecord
  | MessageRecord
  | OffloadRecord
  | CheckpointRecord
  | ModelRecord
  | Parsed<typeof titleShape>
  | Parsed<typeof pinsShape>
  | FileRecord
  | BranchRecord;
export type LogRecord = NewRecord & { readonly n: number; readonly at: string };

const base = { n: z.int().nonnegative(), at: z.string() };

/** Checks one line of log.jsonl. Unknown fields pass; an unknown `type` fails here, and the reader leaves the line alone. */
export const logRecordSchema: z.ZodType<LogRecord> = z.discriminatedUnion('type', [
  z.looseObject({ ...base, ...headerShape }),
  z.looseObject({ ...base, ...messageRecordShape }),
  z.looseObject({ ...base, ...offloadShape }),
  z.looseObject({ ...base, ...checkpointShape }),
  z.looseObject({ ...base, ...modelShape }),
  z.looseObject({ ...base, ...titleShape }),
  z.looseObject({ ...base, ...pinsShape }),
  z.looseObject({ ...base, ...fileShape }),
  z.looseObject({ ...base, ...branchShape }),
]);
