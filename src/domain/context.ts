import { z } from 'zod';
import { type Message, messageSchema } from './message.ts';
import { type Pin, pinSchema } from './pin.ts';

/** A tool as the model is told of it. `inputSchema` is a JSON schema. */
export const toolSpecSchema = z.object({
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
});
export type ToolSpec = Readonly<z.infer<typeof toolSpecSchema>>;

/**
 * All that the next request sends. `system` is rendered once a session and then frozen, because newest models bind their
 * thinking blocks to it and the prompt cache starts with it; only `shortTermSummary`, its last block, changes at a compaction.
 */
export type SessionContext = {
  readonly system: string;
  readonly shortTermSummary: string;
  readonly tools: readonly ToolSpec[];
  readonly messages: readonly Message[];
  /** Usage of messages before this index was reported for another past and is no measure of this one. */
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
