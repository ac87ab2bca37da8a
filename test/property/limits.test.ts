import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgePressure, limitsFor, limitsWithBase, safeguardLimits } from '../../src/context/measure/limits.ts';
import { windowProblem } from '../../src/context/measure/window-problem.ts';
import { anyConfig } from '../support/arbitrary.ts';
import { runs } from '../support/runs.ts';

const anyWindow = fc.oneof(
  fc.integer({ min: 4_000, max: 2_000_000 }),
  fc.integer({ min: 1_000, max: 10_000 }),
  fc.constantFrom(1_000, 4_096, 8_192, 32_768, 200_000, 1_000_000, 2_000_000),
);

describe('the limits of any legal configuration in any window', () => {
  test('share the target among what a model writes and what is gathered by rule: the narrative has three eighths of it at most', () => {
    fc.assert(
      fc.property(anyConfig, anyWindow, (config, window) => {
        const { summaryTokens, ledgerTokens } = limitsFor(config, window);
        const target = Math.max(3, config.compaction.targetTokens);
        expect(summaryTokens + ledgerTokens).toBeLessThanOrEqual(target);
        expect(summaryTokens).toBeLessThanOrEqual(Math.max(1, (target * 3) / 8));
      }),
      { numRuns: runs(100) },
    );
  });

  test('stand in order: the tail below the low-water mark, soft below hard, hard below the window less the reply, tail and summary well below hard [O21, X9, C10]', () => {
    fc.assert(
      fc.property(anyConfig, anyWindow, (config, window) => {
        for (const limits of [limitsFor(config, window), safeguardLimits(limitsFor(config, window))]) {
          const { ofMessagesOnly: _, ...figures } = limits;
          expect(Object.values(figures).every((value) => Number.isFinite(value) && value >= 0)).toBe(true);
          const soft = config.compaction.softWindow;
          expect(limits.windowTokens).toBe(soft === 0 ? window : Math.min(window, soft));
          expect(limits.reserveTokens).toBeLessThanOrEqual(limits.windowTokens / 4);
          expect(limits.hardTokens).toBeGreaterThanOrEqual(1);
          expect(limits.hardTokens).toBeLessThanOrEqual(Math.max(1, limits.windowTokens - limits.reserveTokens));
          expect(limits.hardTokens).toBeLessThanOrEqual(Math.max(1, limits.windowTokens * config.compaction.maxTokenRatio));
          expect(limits.softTokens).toBeLessThan(limits.hardTokens);
          expect(limits.lowWaterTokens).toBeLessThanOrEqual(limits.hardTokens / 2);
          expect(limits.keepTokens).toBeLessThanOrEqual(limits.lowWaterTokens);
          expect(limits.keepTokens + limits.summaryTokens * 1.2 + limits.ledgerTokens).toBeLessThanOrEqual(limits.hardTokens / 2 + 3);
          expect(limits.shortSummaryTokens).toBeLessThanOrEqual(limits.hardTokens / 8 + 1);
          expect(limits.triggerTokens).toBeLessThan(Math.max(1, limits.hardTokens));
          expect(limits.softMessages).toBeLessThan(limits.maxMessages);
          expect(limits.keepMessages).toBeLessThan(limits.maxMessages);
          expect(limits.softToolOutputBytes).toBeLessThanOrEqual(limits.maxToolOutputBytes);
          expect(limits.resultChars).toBeLessThanOrEqual(Math.max(200, limits.windowTokens / 4));
          expect(limits.stubTokens).toBeLessThanOrEqual(Math.max(1, limits.windowTokens * 0.03));
        }
      }),
      { numRuns: runs(100) },
    );
  });

  test('only move down when a smaller threshold or window is set, and never above what the model takes [P33, C38, F11]', () => {
    fc.assert(
      fc.property(anyConfig, anyWindow, (config, window) => {
        const limits = limitsFor(config, window);
        const { hardThresholdTokens: hard } = config.compaction;
        if (hard !== null) expect(limits.hardTokens).toBeLessThanOrEqual(hard);
        expect(limits.hardTokens).toBeLessThanOrEqual(window);
        expect(limits.modelWindowTokens).toBe(window);
      }),
      { numRuns: runs(100) },
    );
  });

  test('beside a system prompt that fits, stand in order too, and what a compaction leaves takes no more than 0.58 of the room, nor more than the low-water mark beyond the least of a tail [C5, C6, C10, O21]', () => {
    fc.assert(
      fc.property(anyConfig, anyWindow, fc.double({ min: 0, max: 1, noNaN: true }), (config, window, share) => {
        const limits = limitsFor(config, window);
        const base = Math.floor(limits.hardTokens * share);
        const beside = limitsWithBase(limits, base);
        const room = beside.hardTokens - base;
        const left = beside.keepTokens + beside.summaryTokens * 1.2 + beside.ledgerTokens + beside.shortSummaryTokens;
        expect(left).toBeLessThanOrEqual(room * 0.58 + 4);
        expect(base + beside.keepTokens + beside.summaryTokens + beside.ledgerTokens).toBeLessThanOrEqual(
          Math.max(beside.lowWaterTokens, base + (room * 11) / 24) + 2,
        );
        expect(beside.keepTokens).toBeLessThanOrEqual(beside.lowWaterTokens);
        expect(beside.lowWaterTokens).toBeLessThanOrEqual(beside.hardTokens);
        if (config.compaction.softThresholdTokens === null)
          expect(Math.min(beside.lowWaterTokens, beside.hardTokens - 1)).toBeLessThanOrEqual(beside.softTokens);
        expect(beside.softTokens).toBeLessThan(beside.hardTokens);
        expect(beside.hardTokens).toBeLessThanOrEqual(Math.max(1, beside.windowTokens - beside.reserveTokens));
        expect(beside.hardTokens).toBe(
          config.compaction.preset === null ? limits.hardTokens : Math.min(limits.ceilingTokens, limits.hardTokens + base),
        );
        expect(limitsWithBase(beside, base).hardTokens).toBe(beside.hardTokens);
        expect(beside.keepTokens).toBeLessThanOrEqual(limits.keepTokens);
      }),
      { numRuns: runs(100) },
    );
  });

  test('a prompt is refused exactly when it leaves less than a third of the hard limit [P34, C5]', () => {
    fc.assert(
      fc.property(anyConfig, anyWindow, fc.nat(400_000), fc.nat(400_000), (config, window, systemTokens, toolsTokens) => {
        const limits = limitsFor(config, window);
        const left = limits.hardTokens - systemTokens - toolsTokens;
        expect(windowProblem({ systemTokens, toolsTokens }, limits) === undefined).toBe(left >= Math.ceil(limits.hardTokens / 3));
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('the pressure', () => {
  test('never is hard because of tool output, and always is above the hard limit [B1, C39]', () => {
    const count = fc.record({
      tokens: fc.nat(300_000),
      systemTokens: fc.constant(0),
      toolsTokens: fc.constant(0),
      messagesTokens: fc.nat(300_000),
      toolOutputBytes: fc.nat(10_000_000),
      saidMessages: fc.nat(300),
      anchored: fc.boolean(),
    });
    fc.assert(
      fc.property(anyConfig, anyWindow, count, (config, window, counted) => {
        const limits = limitsFor(config, window);
        const { level, reasons } = judgePressure(counted, limits);
        expect(level === 'hard').toBe(counted.tokens > limits.hardTokens || counted.saidMessages > limits.maxMessages);
        expect(reasons.length === 0).toBe(level === 'none');
        if (level === 'hard') expect(reasons).not.toContain('tool_output');
        const less = judgePressure({ ...counted, toolOutputBytes: 0 }, limits);
        if (level === 'hard') expect(less).toEqual({ level, reasons });
      }),
      { numRuns: runs(100) },
    );
  });
});
