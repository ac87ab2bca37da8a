import type { Ledger } from '../domain/ledger.ts';
import type { Message } from '../domain/message.ts';
import type { BodyOf } from './ledger.ts';
import type { CountTokens } from './measure.ts';

export type RuleSummaryFrom = {
  readonly earlier: string | undefined;
  readonly ledger: Ledger;
  readonly bodyOf: BodyOf;
  readonly tokens: number;
  readonly count: CountTokens;
};

export function ruleSummary(_messages: readonly Message[], _from: RuleSummaryFrom): string {
  return '';
}
