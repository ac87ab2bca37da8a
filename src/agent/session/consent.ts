import { createTurns, type InTurn } from '../../domain/value/turns.ts';

/** What the person has allowed in a session, for it and its helpers. */
export type Consent = {
  /** For the rest of this session; in memory only. */
  readonly grants: Set<string>;
  readonly inTurn: InTurn;
};

export const createConsent = (): Consent => ({ grants: new Set(), inTurn: createTurns() });
