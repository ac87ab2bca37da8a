import { z } from 'zod';
import { parseJson } from './value/json.ts';

/** When the user's commands run; the names are those of the Claude Agent SDK. */
export const hookEvents = ['PreCompact', 'PostCompact', 'SessionStart', 'SessionEnd'] as const;
export type HookEvent = (typeof hookEvents)[number];

/** A command line, or one with its time limit in milliseconds. */
export const hookSchema = z.union(
  [z.string().min(1), z.strictObject({ command: z.string().min(1), timeoutMs: z.int().positive().max(600_000).optional() })],
  { error: 'a command, or {"command": "…", "timeoutMs": …} with at most 600000' },
);
export type HookSetting = z.infer<typeof hookSchema>;

/** The combined result of all hooks of one event. */
export type HookResult = {
  /** Why the event is blocked; undefined when no hook objects. */
  readonly blocked?: string;
  /** Text for the model, in the order of the commands: instructions before a compaction, context at the start of a session. */
  readonly text?: string;
  /** A summary to use instead of a model's. */
  readonly summary?: string;
};

export type HookOutput = HookResult & {
  /** Shown to the user only. */
  readonly message?: string;
};

/** How a command ended, and what it printed. */
export type HookRun = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** The exit code that blocks. */
const BLOCK_EXIT_CODE = 2;

/**
 * Returns what a command meant, as hooks of the Claude Agent SDK mean it: exit code 2 blocks, with the reason on stderr. An object on
 * stdout may have `decision: "block"` and `reason`, `continue: false` and `stopReason`, `systemMessage`, and `additionalContext`; our own
 * fields are `instructions` and `summary`. All of them may also be in `hookSpecificOutput`. Any other text on stdout is text for the model.
 * Returns a string when the run counts as failed: the reason.
 */
export function readHookRun({ code, stdout, stderr }: HookRun): HookOutput | string {
  const errorText = stderr.trim();
  if (code === BLOCK_EXIT_CODE) return { blocked: errorText === '' ? 'no reason given' : errorText };
  if (code !== 0) return errorText === '' ? `it ended with exit code ${code}` : `it ended with exit code ${code}: ${errorText}`;
  const text = stdout.trim();
  if (text === '') return {};
  if (!text.startsWith('{')) return { text };
  const parsed = outputSchema.safeParse(parseJson(text));
  if (!parsed.success) return 'its output starts like JSON but is not a known answer';
  const { hookSpecificOutput, ...top } = parsed.data;
  return toOutput({ ...hookSpecificOutput, ...top });
}

const outputFields = {
  decision: z.string().optional(),
  reason: z.string().optional(),
  continue: z.boolean().optional(),
  stopReason: z.string().optional(),
  systemMessage: z.string().optional(),
  additionalContext: z.string().optional(),
  instructions: z.string().optional(),
  summary: z.string().optional(),
};
const outputSchema = z.looseObject({ ...outputFields, hookSpecificOutput: z.looseObject(outputFields).optional() });

function toOutput(output: z.infer<z.ZodObject<typeof outputFields>>): HookOutput {
  const { decision, reason, stopReason, systemMessage, additionalContext, instructions, summary } = output;
  const isBlocked = decision === 'block' || decision === 'deny' || output.continue === false;
  const text = [additionalContext, instructions].filter((part) => part !== undefined && part.trim() !== '').join('\n\n');
  return {
    ...(isBlocked && { blocked: reason ?? stopReason ?? 'no reason given' }),
    ...(text !== '' && { text }),
    ...(summary !== undefined && summary.trim() !== '' && { summary }),
    ...(systemMessage !== undefined && { message: systemMessage }),
  };
}
