import type { Message, Summary } from '../domain/message.ts';
import type { BodyOf } from './ledger.ts';
import type { CountTokens } from './measure.ts';

export type SummaryPrompts = { readonly first: string; readonly update: string; readonly merge: string };

export type SummaryWish = {
  readonly earlier: Summary | undefined;
  readonly instructions: string | undefined;
  readonly windowTokens: number;
  readonly targetTokens: number;
  readonly count: CountTokens;
  readonly ratio: number;
  readonly bodyOf: BodyOf;
  readonly prompts: SummaryPrompts;
};

export type SummaryPlan = {
  readonly parts: readonly string[];
  readonly request: (part: number, earlierText: string | undefined) => { readonly system: string; readonly user: string };
};

export function renderTranscript(_messages: readonly Message[], _from: { readonly bodyOf: BodyOf }): readonly string[] {
  return [];
}

export function planSummary(_messages: readonly Message[], _wish: SummaryWish): SummaryPlan {
  return { parts: [], request: () => ({ system: '', user: '' }) };
}
