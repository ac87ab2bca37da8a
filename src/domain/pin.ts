import { z } from 'zod';

/** A text of the conversation that the user wants to stay in the context word for word, whatever else leaves it. */
export const pinSchema = z.looseObject({
  /** The message it was pinned from, wherever that is now. */
  messageId: z.string(),
  /** When that was said, ISO 8601, UTC. */
  at: z.string(),
  who: z.enum(['user', 'model', 'tool']),
  text: z.string(),
});
export type Pin = { readonly messageId: string; readonly at: string; readonly who: 'user' | 'model' | 'tool'; readonly text: string };
