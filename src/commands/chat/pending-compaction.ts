import { commitCompaction, discardCompaction } from '../../agent/compaction/commit.ts';
import { ledgerCounts, removedMessages, reviseSummary } from '../../agent/compaction/new-context.ts';
import type { PreparedCompaction } from '../../agent/compaction/types.ts';
import type { AgentDeps } from '../../agent/deps.ts';
import type { Session } from '../../agent/session/session.ts';
import { isPinned } from '../../context/history/pins.ts';
import { belowSections } from '../../context/summary/compressed-history.ts';
import type { CompactionPreview, PendingCompaction } from '../../terminal/chat/context-port.ts';
import { messageLine } from '../../terminal/views/rollback-text.ts';

/** A prepared compaction for a person to look at, change, commit or discard. */
export function pendingCompaction(prepared: PreparedCompaction, session: Session, deps: AgentDeps): PendingCompaction {
  let current = prepared;
  return {
    view: () => viewOf(current),
    revise: (text) => {
      const revision = reviseSummary(current, text, session, deps);
      if (revision.kind === 'revised') current = revision.prepared;
      return revision.kind === 'revised' ? { kind: 'revised', warnings: revision.warnings } : revision;
    },
    commit: async () => {
      await commitCompaction(current, session, deps);
    },
    discard: () => discardCompaction(current, deps),
  };
}

function viewOf({ plan, summary, context, tokensAfter, cost }: PreparedCompaction): CompactionPreview {
  const message = context.messages.find(({ origin, summary: own }) => origin === 'summary' && own !== undefined);
  return {
    text: summary.text,
    byRule: message === undefined ? '' : belowSections(message),
    method: summary.method,
    // What is pinned is carried on word for word, in whatever message.
    leaving: removedMessages(plan)
      .filter((message) => !isPinned(message, plan.old.pins ?? []))
      .map(messageLine),
    messagesNow: plan.old.messages.length,
    messagesAfter: context.messages.length,
    messagesKept: plan.kept.length,
    tokensNow: plan.tokensBefore,
    tokensAfter,
    ...cost,
    ledger: ledgerCounts(plan.ledger),
  };
}
