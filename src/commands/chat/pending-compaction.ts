import { commitCompaction, discardCompaction } from '../../agent/compaction/commit.ts';
import { reviseSummary } from '../../agent/compaction/new-context.ts';
import { ledgerCounts, removedMessages } from '../../agent/compaction/receipt.ts';
import type { PreparedCompaction } from '../../agent/compaction/types.ts';
import type { AgentDeps } from '../../agent/deps.ts';
import type { Session } from '../../agent/session/session.ts';
import { isPinned } from '../../context/history/pins.ts';
import { type Message, textOf } from '../../domain/session/message.ts';
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
  return {
    text: summary.text,
    byRule: belowSummary(context.messages),
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

/** Of the message that will stand in the context: what follows the sections; all of it where they are worded otherwise there. */
function belowSummary(messages: readonly Message[]): string {
  const message = messages.find(({ origin, summary }) => origin === 'summary' && summary !== undefined);
  if (message?.summary === undefined) return '';
  const whole = textOf(message.content);
  const at = whole.indexOf(message.summary.text);
  return at === -1 ? whole : whole.slice(at + message.summary.text.length).trim();
}
