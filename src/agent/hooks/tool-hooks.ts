import type { Bilingual } from '../../domain/language.ts';
import type { ToolUseBlock } from '../../domain/session/message.ts';
import { redact } from '../../domain/value/redact.ts';
import type { AgentDeps } from '../deps.ts';
import type { Tool, ToolOutcome } from '../ports/tools.ts';
import type { ReadyPlan } from '../turn/permission.ts';
import { hookTexts, quoted } from './hooks.ts';

type HookDeps = Pick<AgentDeps, 'config' | 'person'>;

/** What the PreToolUse hooks make of a call. */
export type HookedCall = {
  /** What would run: of the changed input, where a hook changed it. */
  readonly plan: ReadyPlan;
  readonly input: unknown;
  /** The input differs from the one that the model wrote. */
  readonly isChanged: boolean;
  /** What the model is told instead of a result, and the short line for a person; then nothing runs. */
  readonly refusal?: { readonly content: string; readonly note: Bilingual /** The user's words with a no. */; readonly said?: string };
  readonly decision?: 'allow' | 'ask';
  /** Why a hook asks. */
  readonly reason?: string;
  /** What the model is told beside the result, each a paragraph. */
  readonly remarks: readonly string[];
  /** Why the turn ends after this call. */
  readonly ends?: string;
};

/**
 * Shows a call to the PreToolUse hooks before anybody is asked. An input that they change is planned like one of the model's, so rules,
 * places and cautions are those of what would run. Rejects only with AbortedError.
 */
export async function askToolHooks(
  call: ToolUseBlock,
  { plan, tool }: { readonly plan: ReadyPlan; readonly tool: Tool },
  { person, config }: HookDeps,
  signal: AbortSignal,
): Promise<HookedCall> {
  const unchanged: HookedCall = { plan, input: call.input, isChanged: false, remarks: [] };
  if (person.runHooks === undefined) return unchanged;
  const payload = { tool_name: call.name, tool_input: call.input, tool_use_id: call.id };
  const { blocked, text, input, decision, reason, ends } = await person.runHooks('PreToolUse', payload, signal);
  const remarks = text === undefined ? [] : [`${hookTexts.context('PreToolUse')}\n${quoted(text)}`];
  const answer = { ...unchanged, remarks, ...(ends !== undefined && { ends }) };
  if (blocked !== undefined) {
    const line = blocked.split('\n', 1)[0]?.slice(0, 120);
    return {
      ...answer,
      refusal: { content: hookTexts.denied(quoted(blocked)), note: { en: `denied by a hook: ${line}`, zh: `被钩子拒绝：${line}` } },
    };
  }
  const verdict = { ...(decision !== undefined && { decision }), ...(reason !== undefined && { reason }) };
  if (input === undefined) return { ...answer, ...verdict };
  const changedPlan = await tool.plan(input);
  if (changedPlan.kind === 'invalid') return refuseChange(answer, changedPlan.message);
  // Reads run side by side, and only reads may.
  if (plan.access === 'read' && changedPlan.access !== 'read') return refuseChange(answer, hookTexts.otherAccess);
  const changeRemark = hookTexts.ranWith(shownInput(input, config.agent.redactSecrets));
  return { ...answer, ...verdict, plan: changedPlan, input, isChanged: true, remarks: [changeRemark, ...remarks] };
}

const refuseChange = (answer: HookedCall, why: string): HookedCall => ({
  ...answer,
  refusal: { content: hookTexts.changedBadly(why), note: { en: 'changed badly by a hook', zh: '被钩子错误地更改' } },
});

const MAX_INPUT_CHARS = 2_000;

function shownInput(input: unknown, redactSecrets: boolean): string {
  const written = JSON.stringify(input) ?? 'nothing';
  const text = redactSecrets ? redact(written) : written;
  return text.length <= MAX_INPUT_CHARS ? text : `${text.slice(0, MAX_INPUT_CHARS).toWellFormed()}… (${text.length} characters)`;
}

/** Shows a call that has run well to the PostToolUse hooks. Returns what they say of it. Rejects only with AbortedError. */
export async function tellToolHooks(
  call: ToolUseBlock,
  { input, plan }: Pick<HookedCall, 'input' | 'plan'>,
  outcome: ToolOutcome,
  { person }: HookDeps,
  signal: AbortSignal,
): Promise<Pick<HookedCall, 'remarks' | 'ends'>> {
  if (person.runHooks === undefined || !outcome.ok) return { remarks: [] };
  const payload = { tool_name: call.name, tool_input: input, tool_response: responseOf(plan, outcome), tool_use_id: call.id };
  const { blocked, text, ends } = await person.runHooks('PostToolUse', payload, signal);
  return {
    remarks: [
      ...(blocked === undefined ? [] : [`${hookTexts.objects}\n${quoted(blocked)}`]),
      ...(text === undefined ? [] : [`${hookTexts.context('PostToolUse')}\n${quoted(text)}`]),
    ],
    ...(ends !== undefined && { ends }),
  };
}

/** In the fields that hooks for the SDK look for. */
const responseOf = ({ path, access }: ReadyPlan, { content }: ToolOutcome): Readonly<Record<string, unknown>> => ({
  success: true,
  content,
  ...(path !== undefined && { filePath: path }),
  ...(access === 'run' && { stdout: content, stderr: '', interrupted: false }),
});
