import { createTurns } from '../../domain/value/turns.ts';

/** What the person has allowed in a session, for it and its helpers; `grants` for the rest of this session, in memory only. */
export const createConsent = () => ({ grants: new Set<string>(), inTurn: createTurns() });
