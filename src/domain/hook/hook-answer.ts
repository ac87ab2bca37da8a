import { z } from 'zod';
import type { Bilingual } from '../language.ts';
import { parseJson } from '../value/json.ts';
import type { HookEvent } from './hook.ts';

export type HookResult = {
  /** Why the event is blocked, or what is held against a call that has run; undefined when no hook objects. */
  readonly blocked?: string | undefined;
  /** Text for the model, in the order of the commands: instructions before a compaction, context elsewhere. */
  readonly text?: string | undefined;
  readonly summary?: string | undefined;
  readonly decision?: 'allow' | 'ask' | undefined;
  readonly reason?: string | undefined;
  /** The input that a call is to have instead of its own. */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
  readonly ends?: string | undefined;
};

export type HookOutput = HookResult & {
  readonly message?: string;
};

export type HookRun = { readonly code: number; readonly stdout: string; readonly stderr: string };

const BLOCK_EXIT_CODE = 2;
const NO_REASON = 'no reason given';

/** Where plain text on stdout is text for the model; elsewhere it says nothing. */
const TAKES_PLAIN_TEXT: ReadonlySet<HookEvent> = new Set(['PreCompact', 'SessionStart', 'UserPromptSubmit']);
/** Where `continue: false` ends the turn; elsewhere it blocks the event. */
const ENDS_TURN: ReadonlySet<HookEvent> = new Set(['PreToolUse', 'PostToolUse', 'Stop']);

/**
 * What a command meant, as the Claude Agent SDK means it: exit code 2 blocks, with the reason on stderr; else the fields of an object on
 * stdout, also in `hookSpecificOutput`. A text when the run counts as failed: the reason.
 */
export function readHookRun({ code, stdout, stderr }: HookRun, event: HookEvent): HookOutput | Bilingual {
  const errorText = stderr.trim();
  if (code === BLOCK_EXIT_CODE) return { blocked: errorText === '' ? NO_REASON : errorText };
  if (code !== 0) {
    const why = errorText === '' ? ['', ''] : [`: ${errorText}`, `：${errorText}`];
    return { en: `it ended with exit code ${code}${why[0]}`, zh: `退出码 ${code}${why[1]}` };
  }
  const text = stdout.trim();
  if (text === '') return {};
  if (!text.startsWith('{')) return TAKES_PLAIN_TEXT.has(event) ? { text } : {};
  const parsed = outputSchema.safeParse(parseJson(text));
  if (!parsed.success) return { en: 'its output starts like JSON but is not a known answer', zh: '其输出以 JSON 开头，但不是已知的答案' };
  const { hookSpecificOutput, ...top } = parsed.data;
  return toOutput({ ...hookSpecificOutput, ...top }, event);
}

const outputFields = {
  decision: z.string().optional(),
  reason: z.string().optional(),
  permissionDecision: z.string().optional(),
  permissionDecisionReason: z.string().optional(),
  updatedInput: z.record(z.string(), z.unknown()).optional(),
  continue: z.boolean().optional(),
  stopReason: z.string().optional(),
  systemMessage: z.string().optional(),
  additionalContext: z.string().optional(),
  instructions: z.string().optional(),
  summary: z.string().optional(),
};
const outputSchema = z.looseObject({ ...outputFields, hookSpecificOutput: z.looseObject(outputFields).optional() });
type Output = z.infer<z.ZodObject<typeof outputFields>>;

function toOutput(output: Output, event: HookEvent): HookOutput {
  const { stopReason, systemMessage, additionalContext, instructions, summary, updatedInput } = output;
  const reason = output.permissionDecisionReason ?? output.reason;
  const decision = output.permissionDecision ?? output.decision;
  const halts = output.continue === false;
  const ends = halts && ENDS_TURN.has(event);
  const isBlocked = decision === 'block' || decision === 'deny' || (halts && !(ends && event !== 'PreToolUse'));
  const text = [additionalContext, instructions].filter((part) => part !== undefined && part.trim() !== '').join('\n\n');
  return {
    ...(isBlocked && { blocked: reason ?? stopReason ?? NO_REASON }),
    ...(ends && { ends: stopReason ?? reason ?? NO_REASON }),
    ...(!isBlocked && event === 'PreToolUse' && { ...verdictIn(decision, reason), input: updatedInput }),
    ...(text !== '' && { text }),
    ...(summary !== undefined && summary.trim() !== '' && { summary }),
    ...(systemMessage !== undefined && { message: systemMessage }),
  };
}

/** `approve` is the older word for it. */
function verdictIn(decision: string | undefined, reason: string | undefined): Pick<HookOutput, 'decision' | 'reason'> {
  if (decision === 'allow' || decision === 'approve') return { decision: 'allow', reason };
  return decision === 'ask' ? { decision, reason } : {};
}

/** The strictest decision counts, and the last summary and input; texts stand behind each other. */
export function mergeAnswers(answers: readonly HookOutput[], event: HookEvent): HookResult {
  const objections = answers.flatMap((answer) => answer.blocked ?? []);
  // What is said of a call that has run, or of work that is not done, is work for the model: all of it counts.
  const blocked = event === 'PostToolUse' || event === 'Stop' ? objections.join('\n\n') || undefined : objections[0];
  const strictest = answers.find(({ decision }) => decision === 'ask') ?? answers.find(({ decision }) => decision === 'allow');
  return {
    blocked,
    text: answers.flatMap(({ text }) => text ?? []).join('\n\n') || undefined,
    summary: answers.findLast(({ summary }) => summary !== undefined)?.summary,
    decision: strictest?.decision,
    reason: strictest?.reason,
    input: answers.findLast(({ input }) => input !== undefined)?.input,
    ends: answers.find(({ ends }) => ends !== undefined)?.ends,
  };
}
