import type { CountTokens } from './measure.ts';

export function shortTermSummary(text: string, _about: { readonly tokens: number; readonly count: CountTokens }): string {
  return text;
}
