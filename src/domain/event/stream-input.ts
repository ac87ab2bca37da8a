import { z } from 'zod';

/** One line of `--input-format stream-json`. Types and fields are added here, never taken away. */
export const streamInputSchema = z.discriminatedUnion('type', [
  /** Says something: a turn of its own, or with `steer` part of the turn that runs, if one does. */
  z.strictObject({ type: z.literal('user'), text: z.string().min(1), steer: z.boolean().optional() }),
  z.strictObject({ type: z.literal('interrupt') }),
]);

export type StreamInputLine = Readonly<z.infer<typeof streamInputSchema>>;
