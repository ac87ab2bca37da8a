import type { Ledger } from '../domain/ledger.ts';
import type { Message, Summary } from '../domain/message.ts';
import type { CountTokens } from './measure.ts';

export type MadeSummary = {
  readonly id: string;
  readonly at: string;
  readonly text: string;
  readonly ledger: Ledger;
  readonly messages: number;
  readonly ledgerTokens: number;
  readonly count: CountTokens;
  readonly mode?: string | undefined;
};

export function compressedHistory(made: MadeSummary): Message {
  return { id: made.id, at: made.at, role: 'user', origin: 'summary', content: [] };
}

export function summaryOf(messages: readonly Message[]): Summary | undefined {
  return messages[0]?.summary;
}
