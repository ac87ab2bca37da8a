import { expect, test } from 'vitest';
import { createAuditFold } from '../../../../src/report/session/report-events.ts';

const usage = { inputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };

function foldOf(...events: readonly Record<string, unknown>[]) {
  const fold = createAuditFold();
  for (const event of events) fold.add({ v: 1, at: '2026-03-04T05:06:07.000Z', sessionId: 's1', ...event });
  return fold.summary;
}

test('an event of a type that is not known is told by its name and fields, and what it cost counts', () => {
  const { entries, costs } = foldOf({ type: 'of_a_newer_version', costUsd: 0.5, list: [1, { a: 2 }], said: 'so' });
  expect(entries).toMatchObject([{ what: 'of a newer version', details: 'costUsd: 0.5, list: [1,{"a":2}], said: so' }]);
  expect(costs).toMatchObject([{ usd: 0.5, reply: false }]);
});

test('the cost of a turn is that of its replies and summaries, and not counted again', () => {
  const { costs, turnEnds } = foldOf(
    { type: 'reply', usage, costUsd: 0.25 },
    { type: 'summary_dropped', usage },
    { type: 'turn_ended', stopReason: 'end_turn', usage, costUsd: 0.25, ms: 7 },
  );
  expect(costs.map(({ usd, reply }) => [usd, reply])).toEqual([
    [0.25, true],
    [undefined, false],
  ]);
  expect(turnEnds).toMatchObject([{ stopReason: 'end_turn', ms: 7, costUsd: 0.25 }]);
});

test('a compaction is told with why, how and what became of its facts, in the words of a newer version too', () => {
  const { compactions, entries } = foldOf(
    { type: 'compaction_started', trigger: 'auto', reasons: ['tool_output', 'tokens'] },
    { type: 'compacted', trigger: 'auto', method: 'rules', snapshotId: 'snap', tokensBefore: 9_000, tokensAfter: 1_000, messagesKept: 1 },
    { type: 'compaction_checked', snapshotId: 'snap', inContext: 3, oneLookUp: 2, lost: 1 },
    { type: 'compacted', trigger: 'later', method: 'by_magic', snapshotId: 'other' },
  );
  expect(compactions).toMatchObject([
    { why: 'the context was full (tool output, tokens)', method: 'by rule', facts: '3 in context, 2 one look-up away, 1 lost' },
    { why: 'later (tool output, tokens)', method: 'by_magic', before: 0, facts: 'not checked' },
  ]);
  expect(entries).toMatchObject([
    { what: 'compacted', details: 'by rule, 1 message kept', before: 9_000, after: 1_000, undo: 'snap', mark: 0 },
    { what: 'compacted', details: 'by_magic, 0 messages kept' },
  ]);
});

test('what a model was paid for finding memories is among the costs, and not as a reply', () => {
  const found = { type: 'memory_extracted', decisions: 0, facts: 1, preferences: 0, runtime: 0 };
  const { costs } = foldOf({ ...found, usage, costUsd: 0.25 }, found);
  expect(costs).toMatchObject([{ usd: 0.25, reply: false }]);
});
