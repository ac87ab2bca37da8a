import { z } from 'zod';

const textBlock = z.object({ type: z.literal('text'), text: z.string().min(1) });

/** A message as programs for Claude Code write it: only text is taken, and what else stands beside it is not looked at. */
const foreignMessage = z
  .object({
    type: z.literal('user'),
    message: z.object({ role: z.literal('user'), content: z.union([z.string().min(1), z.array(textBlock).min(1)]) }),
  })
  .transform(({ type, message: { content } }) => ({
    type,
    text: typeof content === 'string' ? content : content.map(({ text }) => text).join('\n'),
  }));

/** One line of `--input-format stream-json`. Types and fields are added here, never taken away. */
export const streamInputSchema = z.discriminatedUnion('type', [
  /** Says something: a turn of its own, or with `steer` part of the turn that runs, if one does. */
  z.strictObject({ type: z.literal('user'), text: z.string().min(1), steer: z.boolean().optional() }),
  z.strictObject({ type: z.literal('interrupt') }),
]);

/** The same with the lines of programs for Claude Code. */
export const anyStreamInput = z.union([streamInputSchema, foreignMessage]);

export type StreamInputLine = Readonly<z.infer<typeof streamInputSchema>>;
