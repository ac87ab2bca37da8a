import { commitCompaction, discardCompaction } from '../../agent/compaction/commit-compaction.ts';
import { ledgerCounts, removedMessages } from '../../agent/compaction/compaction-receipt.ts';
import { reviseSummary } from '../../agent/compaction/revise-summary.ts';
import type { CompactionOutcome, PreparedCompaction } from '../../agent/compaction/types.ts';
import type { AgentDeps } from '../../agent/deps.ts';
import type { Session } from '../../agent/session/session.ts';
import type { CompactionPreview, ShownCompaction } from '../../terminal/repl/chat-port.ts';
import { messageLine } from '../../terminal/views/rollback-difference.ts';

/** A prepared compaction for a person to look at, change, commit or discard. `done` gets what a commit came to. */
export function shownCompaction(
  prepared: PreparedCompaction,
  session: Session,
  deps: AgentDeps,
  done: (outcome: CompactionOutcome) => void = () => undefined,
): ShownCompaction {
  let current = prepared;
  return {
    view: () => viewOf(current),
    revise: (text) => {
      const revised = reviseSummary(current, text, session, deps);
      if (revised.kind === 'revised') current = revised.prepared;
      return revised.kind === 'revised' ? { kind: 'revised', warnings: revised.warnings } : revised;
    },
    commit: async () => done(await commitCompaction(current, session, deps)),
    discard: () => discardCompaction(current, deps),
  };
}

function viewOf(prepared: PreparedCompaction): CompactionPreview {
  const { text, method, old, context, split: parting, tokensBefore, tokensAfter, cost: spent, ledger } = prepared;
  return {
    text,
    method,
    leaving: removedMessages(prepared).map(messageLine),
    messagesNow: old.messages.length,
    messagesAfter: context.messages.length,
    messagesKept: parting.kept.length,
    tokensNow: tokensBefore,
    tokensAfter,
    ...spent,
    ledger: ledgerCounts(ledger),
  };
}
