import type { Message } from '../../domain/session/message.ts';
import { exchangesBefore } from '../ledger/exchange/exchanges.ts';
import { undoneIn } from '../ledger/files/undone.ts';
import type { ToolCall } from '../ledger/types.ts';
import { followFacts } from './standing-facts.ts';

/** What was decided for work that was taken back later, by git or at the user's word: it is no longer what was decided. */
export function undoneDecisions(messages: readonly Message[], calls: readonly ToolCall[], kept: readonly Message[]): ReadonlySet<string> {
  const exchanges = exchangesBefore(messages, kept);
  const undone = [...undoneIn(exchanges, calls).exchanges];
  return new Set(
    undone.flatMap((at) => {
      const [from, to] = [exchanges[at]?.from ?? 0, exchanges[at + 1]?.from];
      const before = messages.slice(exchanges[at - 1]?.from ?? 0, from);
      const reply = followFacts(NOTHING, before).decisions;
      return followFacts(NOTHING, messages.slice(before.length === 0 ? from : from - before.length, to)).decisions.filter(
        (decision) => !reply.includes(decision),
      );
    }),
  );
}

const NOTHING = { constraints: [], decisions: [], open: [] };
