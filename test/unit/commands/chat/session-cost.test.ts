import { expect, test } from 'vitest';
import { noSessionUsage } from '../../../../src/agent/session/usage.ts';
import { sessionCost } from '../../../../src/commands/chat/ports/context-port.ts';
import type { AuditRecord } from '../../../../src/domain/event.ts';
import type { EventLog } from '../../../../src/store/events.ts';

const usage = { inputTokens: 100, cacheReadTokens: 10, cacheWriteTokens: 1, outputTokens: 7 };
const spent = { usage, costUsd: 0.5 };

const told = (type: string, fields = {}): AuditRecord =>
  ({ v: 1, at: '2026-01-01T00:00:00.000Z', sessionId: 's', type, ...fields }) as AuditRecord;

function costAfter(records: readonly AuditRecord[], sinceOpened = { ...noSessionUsage, compactions: 0 }) {
  const read: EventLog['read'] = (_filter, visit) => {
    records.forEach(visit);
    return { damaged: 0, next: undefined };
  };
  return sessionCost({ append: () => true, read }, 's', sinceOpened);
}

test('what a session used before it was opened counts once, summaries and memories by a model apart, and is told', async () => {
  const cost = await costAfter(
    [
      told('session_started'),
      told('reply', spent),
      told('helper_step', spent),
      told('compacted', spent),
      told('turn_ended', { ...spent, stopReason: 'end_turn' }),
      told('memory_extracted', { decisions: 1, facts: 0, preferences: 0, runtime: 0, ...spent }),
      told('session_started'),
      told('reply', spent),
    ],
    { ...noSessionUsage, requests: 1, usage, costUsd: 0.5, compactions: 0 },
  );
  expect(cost).toMatchObject({ requests: 5, compactions: 1, costUsd: 2.5, compactionCostUsd: 1, earlier: { costUsd: 2 } });
  expect(cost.usage.inputTokens).toBe(500);
  expect(cost.compactionUsage.inputTokens).toBe(200);
});

test('a new session has no earlier part, and a price that is not known makes the sum unknown', async () => {
  expect((await costAfter([told('session_started'), told('reply', spent)])).earlier).toBeUndefined();
  const unpriced = await costAfter([told('session_started'), told('reply', { usage }), told('session_started')]);
  expect(unpriced).toMatchObject({ requests: 1, costUsd: undefined, earlier: { costUsd: undefined } });
});
