import { continueLedger, type LedgerSources } from '../../src/context/ledger/ledger.ts';
import { emptyLedger, type Ledger } from '../../src/domain/session/ledger.ts';
import type { Message } from '../../src/domain/session/message.ts';

/** The ledger of messages with none before them. */
export const gatherLedger = (messages: readonly Message[], sources: LedgerSources): Ledger =>
  continueLedger(emptyLedger, messages, sources);
