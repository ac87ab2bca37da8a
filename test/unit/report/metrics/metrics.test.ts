import { describe, expect, test } from 'vitest';
import type { AuditRecord } from '../../../../src/domain/event.ts';
import { compareWithTargets, createCollector } from '../../../../src/report/metrics/collect.ts';
import { metricsText } from '../../../../src/report/metrics/metrics-text.ts';
import { prometheusText } from '../../../../src/report/metrics/prometheus.ts';

const at = (minute: number) => `2026-03-04T05:${String(minute).padStart(2, '0')}:00.000Z`;
const told = (type: string, more: Record<string, unknown> = {}, sessionId = 's1'): AuditRecord => ({
  v: 1,
  at: at(1),
  sessionId,
  type,
  ...more,
});
const metricsOf = (...records: readonly AuditRecord[]) => {
  const collector = createCollector();
  for (const record of records) collector.add(record);
  return collector.result();
};
const asked = (tokens: number, purpose = 'turn') => told('request', { purpose, tokens, windowTokens: 10_000 });
const targetsOf = (...records: readonly AuditRecord[]) =>
  Object.fromEntries(compareWithTargets(metricsOf(...records)).map(({ name, value, met }) => [name, [value, met]]));

describe('the figures of the audit log', () => {
  test('are nothing where nothing was recorded', () => {
    expect(metricsOf()).toMatchObject({ sessions: 0, requests: 0, from: undefined });
    expect(Object.values(targetsOf())).toEqual(Array.from({ length: 4 }, () => [undefined, undefined]));
  });

  test('count the requests of turns, how full they were, and those that did not fit', () => {
    const metrics = metricsOf(asked(2_000), asked(8_000), asked(9_999, 'summary'), told('overflow'), told('overflow'), asked(5_000));
    expect(metrics).toMatchObject({ requests: 3, overflows: 2, sessionsWithOverflow: 1, mostUtilization: 0.8, meanUtilization: 0.5 });
  });

  test('add up what compactions freed, cost and kept', () => {
    const usage = { inputTokens: 100, cacheReadTokens: 20, cacheWriteTokens: 3, outputTokens: 40 };
    const metrics = metricsOf(
      told('compacted', { method: 'model', tokensBefore: 9_000, tokensAfter: 3_000, usage, costUsd: 0.25 }),
      told('compacted', { method: 'rules_degraded', tokensBefore: 8_000, tokensAfter: 2_000 }),
      told('compaction_checked', { inContext: 8, oneLookUp: 1, lost: 1 }),
      told('compaction_failed'),
      told('reply', { usage, costUsd: 0.5 }),
      told('memory_extracted', { decisions: 1, facts: 2, preferences: 3, runtime: 4 }),
    );
    expect(metrics).toMatchObject({
      compactions: 2,
      degradedCompactions: 1,
      failedCompactions: 1,
      tokensBeforeCompact: 17_000,
      tokensAfterCompact: 5_000,
      factsInContext: 8,
      inputTokens: 200,
      cacheReadTokens: 40,
      outputTokens: 80,
      costUsd: 0.75,
      memories: 10,
    });
  });

  test('hold what summaries cost that came to nothing', () => {
    const usage = { inputTokens: 100, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 10 };
    const spent = ['compaction_failed', 'compaction_cancelled', 'compaction_discarded', 'summary_prepared'];
    const metrics = metricsOf(...spent.map((type) => told(type, { usage, costUsd: 0.25 })));
    expect(metrics).toMatchObject({ compactions: 0, failedCompactions: 1, inputTokens: 400, outputTokens: 40, costUsd: 1 });
  });

  test('hold what a model was paid for finding memories', () => {
    const usage = { inputTokens: 100, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 10 };
    const found = { decisions: 0, facts: 1, preferences: 0, runtime: 0 };
    const metrics = metricsOf(told('memory_extracted', { ...found, usage, costUsd: 0.25 }), told('memory_extracted', found));
    expect(metrics).toMatchObject({ memories: 2, inputTokens: 100, outputTokens: 10, costUsd: 0.25 });
  });

  test('tell turns and repeated calls before the first compaction of a session from those after it', () => {
    const call = (title: string, sessionId?: string) => told('tool_started', { tool: 'read_file', title }, sessionId);
    const { beforeCompaction, afterCompaction } = metricsOf(
      call('a'),
      call('b'),
      told('turn_ended', { stopReason: 'end_turn' }),
      told('compacted'),
      call('a'),
      call('c'),
      call('a', 's2'),
      told('turn_ended', { stopReason: 'max_steps' }),
    );
    expect(beforeCompaction).toEqual({ turns: 1, endedWell: 1, calls: 3, repeatedCalls: 0 });
    expect(afterCompaction).toEqual({ turns: 1, endedWell: 0, calls: 2, repeatedCalls: 1 });
  });

  test('tell why prefixes were missed in the cache, where the provider compared them', () => {
    const compared = (changed: string, missedTokens = 0, planned = false) => told('reply', { prefix: { changed, missedTokens, planned } });
    expect(metricsOf(told('reply'))).toMatchObject({ compared: 0, misses: [] });
    const metrics = metricsOf(
      compared('nothing'),
      compared('messages', 500, true),
      compared('tools', 98_000),
      told('reply', { prefix: 7 }),
    );
    expect(metrics).toMatchObject({ compared: 3, unplannedChanges: 1 });
    const shown = metricsText(metrics, { columns: 160, session: undefined, since: undefined });
    expect(shown).toMatch(/^cache +1 unplanned miss in 3 requests: 98,000 tokens missed: tools changed; planned: 500 tokens$/m);
    expect(prometheusText(metrics)).toContain('sanbot_cache_misses_unplanned_total 1\n');
  });

  test('pass over what they do not know, and what is not as it should be', () => {
    const metrics = metricsOf(
      told('of_a_newer_version'),
      told('offloaded', { results: [null, { bytes: 'many' }, { bytes: 7 }] }),
      told('reply', { usage: 3 }),
    );
    expect(metrics).toMatchObject({ sessions: 1, offloadedBytes: 7, inputTokens: 0 });
  });
});

describe('a target', () => {
  test('is met from its very figure on, and overflows only below it', () => {
    const facts = (inContext: number, oneLookUp: number, lost: number) => told('compaction_checked', { inContext, oneLookUp, lost });
    expect(targetsOf(facts(80, 15, 5))).toMatchObject({ fidelity_in_context: [0.8, true], fidelity_one_look_up: [0.95, true] });
    expect(targetsOf(facts(79, 15, 6))).toMatchObject({ fidelity_in_context: [0.79, false], fidelity_one_look_up: [0.94, false] });
    expect(targetsOf(...Array.from({ length: 20 }, () => asked(1)), told('overflow')).overflow_rate).toEqual([0, true]);
    const brokenOff = { ...told('turn_ended', { stopReason: 'failed', code: 'context_cannot_fit' }), sessionId: 's2' };
    const others = Array.from({ length: 19 }, (_, i) => ({ ...asked(1), sessionId: `other-${i}` }));
    expect(targetsOf(...others, brokenOff, brokenOff).overflow_rate).toEqual([0.05, false]);
    expect(targetsOf(...others, brokenOff, asked(1)).overflow_rate).toEqual([1 / 21, true]);
    expect(targetsOf(told('rolled_back'), told('rollback_failed')).rollback_success).toEqual([0.5, false]);
  });
});

test('the text for Prometheus has a help, a type and a number for every series, none of them twice', () => {
  const text = prometheusText(metricsOf(asked(2_000), told('compacted', { tokensBefore: 9, tokensAfter: 3 })));
  expect(text).toContain('# TYPE sanbot_compaction_count_total counter\nsanbot_compaction_count_total 1\n');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines.every((line) => /^sanbot_[a-z_]+(\{[a-z]+="[a-z_]+"\})? [\d.e+-]+$/.test(line))).toBe(true);
  expect(new Set(lines.map((line) => line.split(' ')[0])).size).toBe(lines.length);
  for (const line of lines) expect(text).toContain(`# TYPE ${/^sanbot_[a-z_]+/.exec(line)?.[0]} `);
});
