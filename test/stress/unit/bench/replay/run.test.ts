import { describe, expect, test } from 'vitest';
import { createReplayHarness } from '../../../../../bench/replay/harness.ts';
import { totalOf } from '../../../../../bench/replay/measure/fidelity.ts';
import { intervalsOf, metricsOf, mustKeep, relativeCost } from '../../../../../bench/replay/measure/summarise-runs.ts';
import { type Policy, policies, usesLadder } from '../../../../../bench/replay/policy.ts';
import { replay } from '../../../../../bench/replay/run.ts';
import type { ModelRequest } from '../../../../../src/agent/ports/model.ts';
import { importTranscript } from '../../../../../src/commands/sessions/recordings/import-transcript.ts';
import { pairingProblems } from '../../../../../src/context/history/pairing.ts';
import { configSchema } from '../../../../../src/domain/config/config.ts';
import type { Transcript } from '../../../../../src/domain/session/transcript.ts';
import { roughCount } from '../../../../support/agent-world.ts';
import { asAnthropic, longSession, type Recorded } from '../../../../support/recorded.ts';
import { replayPlace } from '../../../../support/replay-place.ts';

const recorded = (text: string): Transcript => {
  const [first] = importTranscript('recording', text);
  if (first === undefined) throw new Error('nothing imported');
  return first;
};
/** At its end the agent goes back to what was at its beginning. */
const back: Recorded = [
  { user: 'Go back to where we began and look at it again.' },
  {
    says: 'I read the unit of area 0 again, for ticket AREA-1000.',
    calls: [{ id: 'back', name: 'read', input: { path: 'src/area0/unit.ts' }, result: 'export const row = 1;', ok: true }],
  },
  { says: 'It is as it was.', calls: [] },
];
const ofTurns = (turns: number): Transcript => recorded(asAnthropic([...longSession({ turns, bodyLines: 120 }), ...back]));
/** Far longer than the window even for the ladder. */
const long = ofTurns(30);
/** For what only drops: each fact that has left is looked up after each drop, so that twice the length takes four times as long. */
const short = ofTurns(12);
const sessionFor = (policy: Policy): Transcript => (usesLadder(policy) ? long : short);

const wish = (policy: Policy, windowTokens = 12_000) => ({
  windowTokens,
  policy,
  config: configSchema.parse({ compaction: { softWindow: 0 } }),
  system: 'You are SanBot.',
  tools: [],
  count: roughCount,
  openStore: replayPlace(),
});

async function replayed(policy: Policy, windowTokens = 12_000, transcript = sessionFor(policy)) {
  const requests: ModelRequest[] = [];
  const outcome = await replay(transcript, wish(policy, windowTokens), (request) => void requests.push(request));
  const figures = metricsOf([{ file: 'f', part: '', format: 'anthropic', windowTokens: 12_000, policy, outcome }]);
  return { outcome, requests, figures };
}

const done = new Map<string, ReturnType<typeof replayed>>();

/** Each takes seconds, and gives the same each time: the first test holds it to that. */
function run(policy: Policy, windowTokens = 12_000, transcript = sessionFor(policy)) {
  const name = `${policy} ${windowTokens} ${transcript.steps.length}`;
  const result = done.get(name) ?? replayed(policy, windowTokens, transcript);
  done.set(name, result);
  return result;
}

describe('replaying a recorded session', () => {
  test.each(policies)('under %s there is one request for each recorded reply, all pairs whole, and two runs are equal', async (policy) => {
    const { outcome, requests } = await run(policy);
    const replies = sessionFor(policy).steps.filter((step) => step.type === 'reply').length;
    expect(outcome.requests).toHaveLength(replies);
    expect(requests).toHaveLength(replies - outcome.stuck.length);
    expect(requests.flatMap((request) => pairingProblems(request.messages))).toEqual([]);
    expect((await replayed(policy)).outcome).toEqual(outcome);
  });

  test('with a price the choice of what comes first goes by it, as it would with a model', () => {
    const modelWith = (model: object) =>
      createReplayHarness(long, { ...wish('sanbot'), config: configSchema.parse({ model }) }, () => undefined).deps.model;
    const usage = { inputTokens: 1_000_000, cacheReadTokens: 1_000_000, cacheWriteTokens: 0, outputTokens: 0 };
    const [plain, priced] = [modelWith({}), modelWith({ price: { input: 3, cacheRead: 0.3, cacheWrite: 3.75, output: 15 } })];
    expect([plain.facts('').costUsd(usage), plain.rulesStandForModel]).toEqual([undefined, false]);
    expect([priced.facts('').costUsd(usage), priced.rulesStandForModel]).toEqual([3.3, true]);
  });

  test('a session far longer than the window overflows when nothing is done, and never under the ladder', async () => {
    expect((await run('none')).figures.overflowRequests).toBeGreaterThan(10);
    const { figures } = await run('sanbot', 8_000);
    expect(figures).toMatchObject({ overflowRequests: 0, overflowSessions: 0, sessions: 1 });
    expect(figures.compactions).toBeGreaterThan(1);
  });

  test('every snapshot that the ladder took can be rolled back to, byte for byte', async () => {
    const { figures } = await run('sanbot', 8_000);
    expect(figures.snapshots).toBeGreaterThan(1);
    expect(figures.snapshotsEqual).toBe(figures.snapshots);
  });

  test('what leaves a sliding window is gone from the context, and what the ladder compacts mostly is not', async () => {
    const slid = (await run('sliding-window')).figures;
    const kept = (await run('sanbot')).figures;
    const part = ({ inContext }: { readonly inContext: number }, whole: number): number => inContext / whole;
    expect(slid.dropped).toBeGreaterThan(0);
    expect(part(mustKeep(slid.kinds), totalOf(mustKeep(slid.kinds)))).toBeLessThan(0.3);
    expect(part(mustKeep(kept.kinds), totalOf(mustKeep(kept.kinds)))).toBeGreaterThan(0.8);
  });

  test('dropping a little at every request keeps less of the cache than dropping in chunks', async () => {
    const share = ({ cachedTokens, inputTokens }: { readonly cachedTokens: number; readonly inputTokens: number }): number =>
      cachedTokens / inputTokens;
    expect(share((await run('truncate')).figures)).toBeLessThan(share((await run('sliding-window')).figures));
  });

  test('names used again after a long while are known while nothing has left, and gone from the context after a window slid over them', async () => {
    const whole = (await run('none', 1_000_000)).figures.references;
    expect(totalOf(whole)).toBe(2);
    expect(whole.inContext).toBe(2);
    const slid = (await run('sliding-window')).figures.references;
    expect([slid.inContext, totalOf(slid)]).toEqual([0, 2]);
  });

  test('a read made again after a compaction is counted, with whether its result was still there', async () => {
    const { figures } = await run('sanbot');
    expect(figures.looks).toBeGreaterThan(10);
    expect(totalOf(figures.again)).toBe(1);
    expect((await run('none')).figures.looks).toBe(0);
  });

  test('costs are compared session by session, and one session gives no interval', async () => {
    const runs = async (policy: Policy, transcript: Transcript) => [
      { file: 'f', part: '', format: 'anthropic', windowTokens: 12_000, policy, outcome: (await run(policy, 12_000, transcript)).outcome },
    ];
    const [uncut, cut] = [await runs('sanbot', short), await runs('truncate', short)];
    expect(relativeCost(cut, uncut).ratio).toBeGreaterThan(1);
    const own = await runs('sanbot', long);
    expect(relativeCost(own, own)).toEqual({ ratio: 1, between: undefined });
    expect(intervalsOf(own).known).toBeUndefined();
    expect(intervalsOf([...own, ...own]).known?.low).toBeCloseTo(intervalsOf([...own, ...own]).known?.high ?? -1, 9);
  });

  test('a window in which all fits changes nothing: nothing is dropped, and no fact has left', async () => {
    const { figures, outcome } = await run('sliding-window', 1_000_000);
    expect(figures).toMatchObject({ dropped: 0, overflowRequests: 0 });
    expect(outcome.misses).toEqual([]);
  });
});
