import { z } from 'zod';

/** A command or a change that failed, and what has followed it so far. */
const failedCallSchema = z.looseObject({
  kind: z.enum(['run', 'write']),
  /** One line without secrets. */
  command: z.string(),
  /** What a change was to change. */
  paths: z.array(z.string()),
  error: z.string(),
  messageId: z.string(),
  at: z.string(),
  /** How many calls have ended since. */
  calls: z.int().nonnegative(),
  /** The last changes that worked since, each once. */
  steps: z.array(z.string()),
  /** Whether the same command has worked since; nothing is added to `steps` after that. */
  worked: z.boolean(),
  /** Another spelling of the command that worked soon after. */
  other: z.string().optional(),
  /** Whether another change of the same file has worked since. */
  isSettled: z.boolean(),
});

/** What a session's calls came to, in bounded size; in every checkpoint, so that `runtime` needs no reading of the whole log. */
export const callTallySchema = z.looseObject({
  /** How often each tool was called, in the order of the first calls. */
  tools: z.array(z.tuple([z.string(), z.int().positive()])),
  /** How often each command worked that does more than look. */
  worked: z.array(z.tuple([z.string(), z.int().positive()])),
  /** The one that failed last is the last. */
  failures: z.array(failedCallSchema),
  last: z.object({ messageId: z.string(), at: z.string() }).optional(),
});

export type FailedCall = z.infer<typeof failedCallSchema>;
export type CallTally = z.infer<typeof callTallySchema>;
