import { describe, expect, test } from 'vitest';
import { createCacheCost, inputCost } from '../../../../bench/replay/measure/cache-cost.ts';
import { type Policy, policies } from '../../../../bench/replay/policy.ts';
import { replay } from '../../../../bench/replay/run.ts';
import type { ModelRequest } from '../../../../src/agent/ports/model.ts';
import { importTranscript } from '../../../../src/commands/sessions/recordings/import-transcript.ts';
import { pairingProblems } from '../../../../src/context/history/pairing.ts';
import { configSchema } from '../../../../src/domain/config/config.ts';
import { roughCount } from '../../../support/agent-world.ts';
import { asAnthropic, longSession } from '../../../support/recorded.ts';
import { replayPlace } from '../../../support/replay-place.ts';

/** A little longer than the window: what takes many windows is in test/stress. */
const [session] = importTranscript('recording', asAnthropic(longSession({ turns: 5, bodyLines: 120 })));

async function replayed(policy: Policy) {
  const requests: ModelRequest[] = [];
  if (session === undefined) throw new Error('nothing imported');
  const wish = { config: configSchema.parse({ compaction: { softWindow: 0 } }), system: 'You are SanBot.', tools: [] };
  const outcome = await replay(
    session,
    { ...wish, windowTokens: 8_000, policy, count: roughCount, openStore: replayPlace() },
    (request) => void requests.push(request),
  );
  return { outcome, requests };
}

describe('replaying a recorded session', () => {
  test.each(policies)('under %s there is one request for each recorded reply, and all pairs are whole', async (policy) => {
    const { outcome, requests } = await replayed(policy);
    expect(outcome.requests).toHaveLength(session?.steps.filter((step) => step.type === 'reply').length ?? -1);
    expect(requests).toHaveLength(outcome.requests.length - outcome.stuck.length);
    expect(requests.flatMap((request) => pairingProblems(request.messages))).toEqual([]);
  });
});

describe('the price of a request', () => {
  const text = (said: string) => ({ role: 'user' as const, content: [{ type: 'text', text: said }] });
  const request = (...said: readonly string[]): ModelRequest => ({
    model: 'm',
    system: ['a'.repeat(400)],
    tools: [],
    messages: said.map(text),
    maxOutputTokens: 1,
    purpose: 'turn',
  });

  test('what stood at the same place in the request before is cached, the rest is written', () => {
    const weigh = createCacheCost(roughCount);
    const block = 5 + 3 + 100;
    const fixed = 1 + 100;
    expect(weigh(request('b'.repeat(400)))).toEqual({ inputTokens: fixed + block, cachedTokens: 0 });
    const second = weigh(request('b'.repeat(400), 'c'.repeat(400)));
    expect(second).toEqual({ inputTokens: fixed + 2 * block, cachedTokens: fixed + block });
    expect(inputCost(second)).toBeCloseTo(0.1 * (fixed + block) + 1.25 * block, 9);
    expect(weigh(request('d'.repeat(400), 'c'.repeat(400))).cachedTokens).toBe(fixed + 5);
  });
});
