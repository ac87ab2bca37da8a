import { z } from 'zod';

/** When commands of the user's run, by the names that the Claude Agent SDK gave these moments. */
export const hookEvents = ['PreCompact', 'PostCompact', 'SessionStart', 'SessionEnd'] as const;
export type HookEvent = (typeof hookEvents)[number];

/** A command line, or one with the milliseconds it may take. */
export const hookSchema = z.union(
  [z.string().min(1), z.strictObject({ command: z.string().min(1), timeoutMs: z.int().positive().max(600_000).optional() })],
  { error: 'a command, or {"command": "…", "timeoutMs": …} with at most 600000' },
);
export type HookSetting = z.infer<typeof hookSchema>;

/** What all hooks of one moment said together. */
export type HookResult = {
  /** Why it is not to happen; undefined when nobody objects. */
  readonly blocked?: string;
  /** Text for the model, in the order of the commands: instructions before a compaction, context at the start of a session. */
  readonly text?: string;
  /** A summary to use in place of a model's. */
  readonly summary?: string;
};

export type HookOutput = HookResult & {
  /** For the user's eyes only. */
  readonly message?: string;
};

/** How a command ended, with what it printed. */
export type HookRun = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** The exit code that says no. */
const BLOCK_EXIT_CODE = 2;

/**
 * What a command meant, as the Claude Agent SDK's hooks mean it: exit code 2 says no, with the reason on stderr; an object on stdout
 * may say `decision: "block"` and `reason`, `continue: false` and `stopReason`, `systemMessage`, and `additionalContext`; ours are
 * `instructions` and `summary`. They may stand in `hookSpecificOutput` too. Any other text on stdout is text for the model. A string
 * is why the run counts as failed.
 */
export function readHookRun({ code, stdout, stderr }: HookRun): HookOutput | string {
  const errorText = stderr.trim();
  if (code === BLOCK_EXIT_CODE) return { blocked: errorText === '' ? 'no reason given' : errorText };
  if (code !== 0) return errorText === '' ? `it ended with exit code ${code}` : `it ended with exit code ${code}: ${errorText}`;
  const text = stdout.trim();
  if (text === '') return {};
  if (!text.startsWith('{')) return { text };
  const parsed = outputSchema.safeParse(parseJson(text));
  if (!parsed.success) return 'what it printed begins like JSON and is not an answer that is known';
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
