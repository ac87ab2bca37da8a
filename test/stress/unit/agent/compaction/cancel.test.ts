import { describe, expect, test } from 'vitest';
import { prepareCompaction } from '../../../../../src/agent/compaction/compact.ts';
import { limitsOf } from '../../../../../src/agent/deps.ts';
import { runTurn } from '../../../../../src/agent/turn/turn.ts';
import { pairingProblems, toWire } from '../../../../../src/context/history/pairing.ts';
import { type AgentWish, type AgentWorld, callsTools, createAgentWorld, replies, tool } from '../../../../support/agent-world.ts';
import { user } from '../../../../support/build.ts';
import { bytesOf, cancelledAt } from '../../../../support/cancel.ts';
import { longSession, words } from '../../../../support/long-session.ts';
import { runs, stride } from '../../../../support/runs.ts';
import { goodSummary } from '../../../../support/summary.ts';

const twoParts: AgentWish = { canSummarise: true, ask: () => replies(goodSummary), window: 16_000, messages: longSession(24) };

describe('a cancel at any point', () => {
  test('of a preview leaves no snapshot and no page either [P13, S17]', async () => {
    for (let k = 1; ; k += stride) {
      const world = createAgentWorld(twoParts);
      const { session, store } = world;
      const before = bytesOf(world);
      const { deps, signal, reached } = cancelledAt(k, world);
      const limits = limitsOf(session, deps);
      await prepareCompaction({ trigger: 'manual', reasons: [], instructions: undefined, limits, signal }, session, deps).catch(() => 'no');
      expect(bytesOf(world), `cancelled at point ${k}`).toBe(before);
      expect([store.snapshots.all.size, store.archive.pages.length, store.memories.entries.length]).toEqual([0, 0, 0]);
      if (!reached()) break;
    }
  });

  test('of a compaction in a tool loop ends the turn, changes nothing, and the next turn goes on [P13, P11, O20, B5]', async () => {
    let cancelled = 0;
    for (let k = 1; ; k += stride) {
      let step = 0;
      const ask: AgentWish['ask'] = (request) => {
        if (request.purpose === 'summary') return replies(goodSummary);
        step += 1;
        return step < 60 ? callsTools({ id: `c${step}`, name: 'look' }) : replies('Done.');
      };
      const look = tool('look', () => words(60, `page ${step}`));
      const config = { compaction: { keepRecentMessages: 4, keepRecentTokens: 2_000, triggerThreshold: 100_000 } };
      const world = createAgentWorld({ ask, canSummarise: true, window: 16_000, messages: longSession(5), tools: [look], config });
      const { session, store, events, reopened } = world;
      const { deps, signal, reached } = cancelledAt(k, world);
      const end = await runTurn('Look at all pages.', session, deps, { signal, maxSteps: 80, tools: [look] });
      const committed = store.records.filter((record) => record.type === 'checkpoint' && record.reason === 'compaction').length;
      expect(committed).toBe(events.filter((event) => event.type === 'compacted').length);
      expect(reopened().context).toEqual(session.context);
      if (committed === 0) {
        cancelled += 1;
        expect(end.stopReason).toBe('interrupted');
        expect(session.context.messages[0]).toEqual(longSessionStart(world));
        step = 60;
        const next = await runTurn('Go on.', session, world.deps, { signal: new AbortController().signal, maxSteps: 80, tools: [look] });
        expect(next.stopReason).toBe('end_turn');
        expect(pairingProblems(toWire([...session.context.messages, user('next')]))).toEqual([]);
      }
      if (!reached() || committed > 1) break;
    }
    expect(cancelled).toBeGreaterThanOrEqual(runs(5));
  });
});

/** The first message of the conversation as the log has it. */
const longSessionStart = ({ store }: AgentWorld) => {
  const [header] = store.records;
  return header?.type === 'header' ? header.context.messages[0] : undefined;
};
