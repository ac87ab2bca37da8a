import { z } from 'zod';
import type { Parsed } from '../value/parsed.ts';
import { messageSchema } from './message.ts';

/** A tool as the model sees it. `inputSchema` is a JSON schema. */
export const toolSpecSchema = z.object({
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
});

export type ToolSpec = Readonly<z.infer<typeof toolSpecSchema>>;

const pinShape = {
  /** The message it was pinned from, whether or not that is still in the context. */
  messageId: z.string(),
  at: z.string(),
  who: z.enum(['user', 'model', 'tool']),
  text: z.string(),
  /** Of a plan that the person accepted: it ends with its last task. */
  kind: z.literal('plan').optional().catch(undefined),
};
export const pinSchema = z.looseObject(pinShape);

/** A text of the conversation that the user wants to keep in the context word for word, whatever else leaves it. */
export type Pin = Parsed<typeof pinShape>;

const sessionContextShape = {
  system: z.string(),
  shortTermSummary: z.string(),
  tools: z.array(toolSpecSchema),
  messages: z.array(messageSchema),
  /** Usage of messages before this index was reported for another past, so it does not measure this one. */
  anchorFloor: z.int().nonnegative(),
  /** What the user pinned, oldest first. The messages hold each of these texts word for word. */
  pins: z.array(pinSchema).optional(),
};

/**
 * Everything that the next request sends. `system` is frozen, because the newest models bind their thinking to it and the prompt cache
 * starts with it; only `shortTermSummary`, its last block, changes at a compaction.
 */
export type SessionContext = Parsed<typeof sessionContextShape>;

export const sessionContextSchema: z.ZodType<SessionContext> = z.object(sessionContextShape);

/** What somebody wants of one compaction, in the place of the settings. */
export type CompactionWish = {
  /** What to keep, in their words. */
  readonly instructions?: string | undefined;
  /** Tokens of the summary and the ledger together. */
  readonly targetTokens?: number | undefined;
  /** Of the newest messages, at most so many stay as they are. */
  readonly keepMessages?: number | undefined;
  readonly model?: string | undefined;
};

export const MIN_TARGET_TOKENS = 200;
