import type { Measure } from '../../context/measure/measure.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import type { Message, Origin, Usage } from '../../domain/session/message.ts';

/** What a context is made of, in the order in which it is sent and drawn. */
export const contextKinds = [
  'system prompt',
  'tool descriptions',
  'summary and notices',
  'your messages',
  'replies',
  'tool results',
] as const;

/** Tokens of one context: in all, and of each of `contextKinds`. `reported` when the provider counted them. */
export type ContextSize = { readonly tokens: number; readonly parts: readonly number[]; readonly reported: boolean };

/** `ratio`: of the model's tokens to the measure's, by the newest reply that told. */
export type SizeScale = { readonly measure: Measure; ratio: number };

const kindOf: Readonly<Record<Origin, number>> = { summary: 2, notice: 2, user: 3, model: 4, tools: 5, interrupted: 5 };

/** What a context weighs: the parts by the measure, their sum by the provider where it told it, which then is the new ratio. */
export const measureContext = (scale: SizeScale, context: SessionContext, usage: Usage | undefined): ContextSize =>
  sizeOf(scale, rawParts(context, scale.measure), usage);

/** Tokens of each of `contextKinds` by the measure alone. */
export function rawParts(context: SessionContext, measure: Measure): number[] {
  const { systemTokens, toolsTokens } = measure.context({ ...context, messages: [], anchorFloor: 0 }, 1);
  const parts = contextKinds.map((_, kind) => (kind === 0 ? systemTokens : kind === 1 ? toolsTokens : 0));
  for (const message of context.messages) addToParts(parts, message, measure);
  return parts;
}

/** The same with one more message at the end. */
export function addToParts(parts: number[], message: Message, measure: Measure): void {
  const kind = kindOf[message.origin];
  parts[kind] = (parts[kind] ?? 0) + measure.message(message, 1);
}

export function sizeOf(scale: SizeScale, parts: readonly number[], usage: Usage | undefined): ContextSize {
  const total = sum(parts);
  const input = usage === undefined ? 0 : usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  if (input > 0 && total > 0) scale.ratio = input / total;
  const { ratio } = scale;
  const [system = 0, tools = 0, ...messages] = parts;
  const estimated = Math.ceil(ratio * system) + Math.ceil(ratio * tools) + Math.ceil(ratio * sum(messages));
  return { tokens: input > 0 ? input : estimated, parts: parts.map((tokens) => Math.round(tokens * ratio)), reported: input > 0 };
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);
