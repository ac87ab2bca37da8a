import { addRequest, addSessionUsage, noSessionUsage, type SessionUsage } from '../../../agent/session/usage.ts';
import { readCost } from '../../../domain/event/read-event.ts';
import type { AuditRecord } from '../../../domain/event.ts';
import { usageTotal } from '../../../domain/session/message.ts';
import type { EventLog } from '../../../store/events.ts';
import type { CostView } from '../../../terminal/chat/model-port.ts';

type Used = SessionUsage & { readonly compactions: number };

/**
 * What a session used: what was counted since it was opened, and what the audit log has of it before. Events that the log has dropped are
 * not in the sum. Throws as reading the log does.
 */
export function sessionCost(events: EventLog, sessionId: string, sinceOpened: Used): CostView {
  const earlier = usedBefore(events, sessionId);
  const all = { ...addSessionUsage(earlier, sinceOpened), compactions: earlier.compactions + sinceOpened.compactions };
  return earlier.requests === 0 ? all : { ...all, earlier };
}

/** By the events before the newest that opened it. */
function usedBefore(events: EventLog, sessionId: string): Used {
  let all: Used = { ...noSessionUsage, compactions: 0 };
  let before = all;
  events.read({ sessionId }, (record) => {
    if (record.type === 'session_started') before = all;
    all = addRecord(all, record);
  });
  return before;
}

const OF_TURNS: ReadonlySet<unknown> = new Set(['reply', 'helper_step']);

/** The end of a turn tells the sum of what was told before it. */
function addRecord(all: Used, record: AuditRecord): Used {
  const compactions = all.compactions + (record.type === 'compacted' ? 1 : 0);
  const cost = record.type === 'turn_ended' ? undefined : readCost(record);
  if (cost === undefined || usageTotal(cost.usage) === 0) return { ...all, compactions };
  const purpose = OF_TURNS.has(record.type) ? 'turn' : 'compaction';
  return { ...addRequest(all, purpose, { usage: cost.usage, costUsd: cost.costUsd }), compactions };
}
