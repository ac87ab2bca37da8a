import { emptyLedger, type Ledger } from '../domain/ledger.ts';
import type { BodyRef, Message } from '../domain/message.ts';
import type { CountTokens } from './measure.ts';

export type BodyOf = (ref: BodyRef) => string | undefined;
export type BodyPath = (ref: BodyRef) => string;

export function gatherLedger(_messages: readonly Message[], _from: { readonly bodyOf: BodyOf; readonly bodyPath: BodyPath }): Ledger {
  return emptyLedger;
}

export function mergeLedger(_earlier: Ledger, later: Ledger): Ledger {
  return later;
}

export function boundLedger(ledger: Ledger): Ledger {
  return ledger;
}

export function renderLedger(_ledger: Ledger, _budget: { readonly tokens: number; readonly count: CountTokens }): string {
  return '## Ledger';
}
