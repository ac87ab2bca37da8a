import type { Measure } from '../../context/measure/measure.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import type { Origin, Usage } from '../../domain/session/message.ts';

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
export function measureContext(scale: SizeScale, context: SessionContext, usage: Usage | undefined): ContextSize {
  const { measure } = scale;
  const rawTokens = contextKinds.map(() => 0);
  const unanchored = { ...context, anchorFloor: context.messages.length };
  const { systemTokens, toolsTokens } = measure.context(unanchored, 1);
  rawTokens[0] = systemTokens;
  rawTokens[1] = toolsTokens;
  for (const message of context.messages) {
    const kind = kindOf[message.origin];
    rawTokens[kind] = (rawTokens[kind] ?? 0) + measure.message(message, 1);
  }
  const total = sum(rawTokens);
  const input = usage === undefined ? 0 : usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  if (input > 0 && total > 0) scale.ratio = input / total;
  const { ratio } = scale;
  return {
    tokens: input > 0 ? input : measure.context(unanchored, ratio).tokens,
    parts: rawTokens.map((tokens) => Math.round(tokens * ratio)),
    reported: input > 0,
  };
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);
