/**
 * A session as data: messages and their blocks, the context that a request sends, the records of a log, snapshots and the ledger.
 *
 * Blocks have the API's own format, and unknown types pass through untouched; our own fields stand beside them and are never sent. Each
 * type that is read from disk has its schema here, so that there is one place to see what a log may hold.
 *
 * Who made a message is told by its `origin` and never by its text. Records are only ever added to: a field may come, and none goes or
 * changes its meaning within a version.
 */

import { z } from 'zod';
import type { Parsed } from '../value/parsed.ts';
import { ledgerSchema, todoItemSchema } from './ledger.ts';

/** Blocks have the API's own format. Those of unknown types pass through untouched, so every type is open: unknown fields are kept. */
export type ContentBlock = { readonly type: string; readonly [field: string]: unknown };

export type TextBlock = ContentBlock & { readonly type: 'text'; readonly text: string };

export type ToolUseBlock = ContentBlock & {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
};

export type ToolResultBlock = ContentBlock & {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content?: string | readonly ContentBlock[];
  readonly is_error?: boolean;
};

export const isText = (block: ContentBlock): block is TextBlock => block.type === 'text' && typeof block.text === 'string';
export const isToolUse = (block: ContentBlock): block is ToolUseBlock => block.type === 'tool_use' && typeof block.id === 'string';
export const isToolResult = (block: ContentBlock): block is ToolResultBlock =>
  block.type === 'tool_result' && typeof block.tool_use_id === 'string';
/** A summary that the API made and signed, as versions before 0.2.0 could ask it to: sent back unchanged, as the first block and only once. */
export type CompactionBlock = ContentBlock & { readonly type: 'compaction'; readonly content: string };

export const isCompaction = (block: ContentBlock): block is CompactionBlock =>
  block.type === 'compaction' && typeof block.content === 'string';
/** Signed blocks that the newest models bind to everything before them (thinking and redacted thinking). */
export const isThinking = (block: ContentBlock): boolean => block.type === 'thinking' || block.type === 'redacted_thinking';

/**
 * Who made a message: only `user` and `model` are what people and the model said. `tools`: results; `summary`: a [Compressed History];
 * `notice`: something that changed; `interrupted`: closes calls that never got a result.
 */
export const origins = ['user', 'model', 'tools', 'summary', 'notice', 'interrupted'] as const;

export type Origin = (typeof origins)[number];

/** Tokens of one request as the provider reports them: three parts of the input, and the output. */
export const usageSchema = z.object({
  inputTokens: z.int().nonnegative(),
  cacheReadTokens: z.int().nonnegative(),
  cacheWriteTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  /** Of the tokens written to the cache, those that stay there for an hour; left out for none. */
  cacheWrite1hTokens: z.int().nonnegative().optional(),
});

export type Usage = Readonly<z.infer<typeof usageSchema>>;
export const noUsage: Usage = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  const cacheWrite1hTokens = (a.cacheWrite1hTokens ?? 0) + (b.cacheWrite1hTokens ?? 0);
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...(cacheWrite1hTokens > 0 && { cacheWrite1hTokens }),
  };
}

export const usageTotal = (usage: Usage): number => usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.outputTokens;

/** An offloaded body, named by its content: the store derives its path from these. An image or a document is one as a data URI. */
export const bodyRefSchema = z.object({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.int().nonnegative(),
  lines: z.int().nonnegative(),
  /** How the name of its file ends; left out for text. */
  extension: z.enum(['png', 'jpg', 'gif', 'webp', 'pdf']).optional().catch(undefined),
});

export type BodyRef = Readonly<z.infer<typeof bodyRefSchema>>;
/** Returns the whole text of an offloaded body; undefined when it cannot be read. */
export type ReadBody = (ref: BodyRef) => string | undefined;

/** Marks the content of one tool result as a stub, and names the body it replaces. */
export const stubRefSchema = z.object({
  toolUseId: z.string(),
  tool: z.string(),
  body: bodyRefSchema,
  /** The file that was read, when it is still on disk outside our home folder. */
  source: z.string().optional(),
  /** The stub stands for an image or a document alone, the `at`-th of the message as it was; no call's where a user attached it. */
  media: z.object({ message: z.string(), at: z.int().nonnegative(), what: z.string() }).optional(),
  /** Set by a batch: at most so many tokens stand below the stub's first two lines. One that shows as little is not made again. */
  shownTokens: z.int().nonnegative().optional(),
});

export type StubRef = Readonly<z.infer<typeof stubRefSchema>>;

/** Which parts of older results are left out on the wire only, from that request onwards; head and tail of 0: all of it. */
const pruneRecordShape = {
  /** The last message of that request. Thinking up to it was left out as well, since its past changed. */
  upTo: z.string(),
  placeholder: z.string(),
  results: z.array(z.object({ toolUseId: z.string(), headChars: z.int().nonnegative(), tailChars: z.int().nonnegative() })),
};

export type PruneRecord = Parsed<typeof pruneRecordShape>;
export type PrunedResult = PruneRecord['results'][number];
const pruneRecordSchema: z.ZodType<PruneRecord> = z.object(pruneRecordShape);

const summaryShape = {
  /** The sections, without the ledger. */
  text: z.string(),
  ledger: ledgerSchema,
  /** How many messages were compressed into it, over all compactions. */
  messages: z.int().nonnegative(),
};
/** What a [Compressed History] message replaces, so that the next compaction can continue it without reading its text. */
export type Summary = Parsed<typeof summaryShape>;
const summarySchema: z.ZodType<Summary> = z.looseObject(summaryShape);

const changedShape = {
  /** Changed or new: below the working folder, or absolute; a folder that stands for many ends with a slash. */
  files: z.array(z.string()),
  deleted: z.array(z.string()),
};
/** What the record of changes knows of what a call did to files. */
export type ChangedPaths = Parsed<typeof changedShape>;

/** `role` and `content` are sent; everything else is ours and is never sent. */
const messageShape = {
  id: z.string(),
  at: z.string(),
  role: z.enum(['user', 'assistant']),
  origin: z.enum(origins),
  content: z.array(z.looseObject({ type: z.string() })),
  stubs: z.array(stubRefSchema).optional(),
  /** Ids of tool results that read an offloaded body back; they are never offloaded again. */
  readBack: z.array(z.string()).optional(),
  /** The absolute paths of files whose content results are, so that a stub can name them if a result leaves the context later. */
  sources: z.array(z.object({ toolUseId: z.string(), path: z.string() })).optional(),
  /** Inputs that ran in the place of those that the model wrote, since a hook changed them. */
  ran: z.array(z.object({ toolUseId: z.string(), input: z.unknown() })).optional(),
  /** What calls did to files, as it was found afterwards: a command does not say it itself. */
  changed: z.array(z.object({ toolUseId: z.string(), ...changedShape })).optional(),
  /** What the user said with a "no" to a call. Only this field makes it the user's word: any program can print the same sentence. */
  refusals: z.array(z.object({ toolUseId: z.string(), said: z.string() })).optional(),
  model: z.string().optional(),
  /** The endpoint that a reply came from; absent for the unnamed one of Anthropic, for the offline model, and in older logs. */
  endpoint: z.string().optional(),
  stopReason: z.string().optional(),
  usage: usageSchema.optional(),
  summary: summarySchema.optional(),
  /** The kind of a notice: only the newest notice of each kind holds. A kind of a newer version is kept like any other. */
  notice: z.string().optional(),
  /** The absolute path of the working folder that a notice tells of. */
  folder: z.string().optional(),
  /** The task list that a notice carries. */
  todo: z.array(todoItemSchema).optional(),
  /** Set on the first reply after results were pruned. */
  pruned: pruneRecordSchema.optional(),
  /** It came from a file that somebody else may have written, or sums up what did: nothing in it becomes a memory. */
  imported: z.boolean().optional(),
};

export type Message = Parsed<typeof messageShape>;

/** Checks messages that are read from disk; fields of a newer version are kept. */
export const messageSchema: z.ZodType<Message> = z.looseObject(messageShape);

export type WireMessage = {
  readonly role: 'user' | 'assistant';
  readonly content: readonly ContentBlock[];
  /** Of a reply: where it came from, for whoever has to convert it. Never sent. */
  readonly endpoint?: string | undefined;
};

export const hasEnded = ({ stopReason }: Pick<Message, 'stopReason'>): boolean =>
  stopReason === 'end_turn' || stopReason === 'stop_sequence';

export const textOf = (content: readonly ContentBlock[]): string =>
  content.flatMap((block) => (isText(block) ? [block.text] : isCompaction(block) ? [block.content] : [])).join('\n');

/** Returns the text of a tool result; images and other blocks inside it are ignored. */
export const resultText = (result: ToolResultBlock): string =>
  typeof result.content === 'string' ? result.content : textOf(result.content ?? []);

/** What the stub of a message of the user's says in the place of a tool's name. */
export const MESSAGE_BODY = 'message';

export const stubOf = ({ stubs }: Message, { tool_use_id }: ToolResultBlock): StubRef | undefined =>
  stubs?.find(({ toolUseId, media }) => toolUseId === tool_use_id && media === undefined);

export const changedByCall = ({ changed }: Message, id: string): ChangedPaths | undefined =>
  changed?.find(({ toolUseId }) => toolUseId === id);
export const ranInputOf = ({ ran }: Message, id: string): { readonly input?: unknown } | undefined =>
  ran?.find(({ toolUseId }) => toolUseId === id);

/** Returns the whole text of a result that a stub stands for; undefined when none does, or when it cannot be read. */
export function storedResult(message: Message, result: ToolResultBlock, bodyOf: ReadBody): string | undefined {
  const stub = stubOf(message, result);
  return stub === undefined ? undefined : bodyOf(stub.body);
}

/** In an archived page, what stands before its calls and results. */
export const WHOLE_HEADING = '# Calls and results, whole';

export const speakerLabels: Readonly<Record<Origin, string>> = {
  user: 'User',
  model: 'Assistant',
  tools: 'Tool results',
  summary: 'Summary of what came before',
  notice: 'Notice',
  interrupted: 'Calls that were not carried out',
};
