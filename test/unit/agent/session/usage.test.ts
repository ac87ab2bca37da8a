import { expect, test } from 'vitest';
import { addCosts, createUsageMeter, noCost } from '../../../../src/agent/session/usage.ts';

const usage = { inputTokens: 100, cacheReadTokens: 10, cacheWriteTokens: 1, outputTokens: 7 };
const twice = { inputTokens: 200, cacheReadTokens: 20, cacheWriteTokens: 2, outputTokens: 14 };

test('every request counts, and those for summaries are counted apart as well', () => {
  const meter = createUsageMeter();
  meter.record('turn', usage, 0.5);
  meter.record('compaction', usage, 0.25);
  expect(meter.total).toEqual({ requests: 2, usage: twice, costUsd: 0.75, misses: [], compactionUsage: usage, compactionCostUsd: 0.25 });
});

test('a request of which the provider did not say what it used is not counted', () => {
  const meter = createUsageMeter();
  meter.record('turn', undefined, undefined);
  expect(meter.total).toMatchObject({ requests: 0, costUsd: 0 });
});

test('one price that is not known makes the sum unknown, and no tokens are lost by that', () => {
  const meter = createUsageMeter();
  meter.record('turn', usage, undefined);
  meter.record('turn', usage, 0.5);
  expect(meter.total).toMatchObject({ usage: twice, costUsd: undefined, compactionCostUsd: 0 });
  expect(addCosts(noCost, { usage, costUsd: undefined }).costUsd).toBeUndefined();
});
