import { z } from 'zod';
import { type Message, messageSchema } from './message.ts';

/** A tool as the model sees it. `inputSchema` is a JSON schema. */
export const toolSpecSchema = z.object({
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
});

export type ToolSpec = Readonly<z.infer<typeof toolSpecSchema>>;

/** A text of the conversation that the user wants to keep in the context word for word, whatever else leaves it. */
export const pinSchema = z.looseObject({
  /** The message it was pinned from, whether or not that is still in the context. */
  messageId: z.string(),
  /** When that was said: ISO 8601, UTC. */
  at: z.string(),
  who: z.enum(['user', 'model', 'tool']),
  text: z.string(),
});

export type Pin = { readonly messageId: string; readonly at: string; readonly who: 'user' | 'model' | 'tool'; readonly text: string };

/**
 * Everything that the next request sends. `system` is rendered once per session and then frozen, because the newest models bind their
 * thinking blocks to it and the prompt cache starts with it. Only `shortTermSummary`, its last block, changes at a compaction.
 */
export type SessionContext = {
  readonly system: string;
  readonly shortTermSummary: string;
  readonly tools: readonly ToolSpec[];
  readonly messages: readonly Message[];
  /** Usage of messages before this index was reported for another past, so it does not measure this one. */
  readonly anchorFloor: number;
  /** What the user pinned, oldest first. The messages hold each of these texts word for word. */
  readonly pins?: readonly Pin[] | undefined;
};

export const sessionContextSchema: z.ZodType<SessionContext> = z.object({
  system: z.string(),
  shortTermSummary: z.string(),
  tools: z.array(toolSpecSchema),
  messages: z.array(messageSchema),
  anchorFloor: z.int().nonnegative(),
  pins: z.array(pinSchema).optional(),
});
