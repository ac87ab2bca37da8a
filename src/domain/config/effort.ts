/**
 * How hard a model thinks, kept as the end of its name (`claude-sonnet-5-5:high`), so that whatever names a model can say it. What a level
 * means is for the provider to say.
 */

import type { Bilingual } from '../language.ts';

export const efforts = ['low', 'medium', 'high', 'max'] as const;

export type Effort = (typeof efforts)[number];

export const isEffort = (word: string): word is Effort => efforts.some((effort) => effort === word);

/** Other ends behind a colon, such as the tags of Ollama, are part of the name. */
export function splitEffort(text: string): { readonly name: string; readonly effort: Effort | undefined } {
  const colon = text.lastIndexOf(':');
  const end = text.slice(colon + 1);
  return colon > 0 && isEffort(end) ? { name: text.slice(0, colon), effort: end } : { name: text, effort: undefined };
}

/** The same model with another effort; where that is undefined, with the first that one of `others` has, else as its endpoint does by itself. */
export function withEffort(text: string, effort: Effort | undefined, ...others: readonly string[]): string {
  const { name } = splitEffort(text);
  const wanted = [effort, ...others.map((other) => splitEffort(other).effort)].find((each) => each !== undefined);
  return wanted === undefined ? name : `${name}:${wanted}`;
}

/** Undefined: as the endpoint does by itself. */
export const effortText = (effort: Effort | undefined): Bilingual => ({
  en: `Effort: ${effort ?? 'default'}`,
  zh: `思考力度：${effort ?? '默认（default）'}`,
});

export const noEffortText = (model: string): Bilingual => ({
  en: `${model} cannot be told how hard to think, so the effort is not sent.`,
  zh: `${model} 不支持设置思考力度，因此不发送该设置。`,
});
