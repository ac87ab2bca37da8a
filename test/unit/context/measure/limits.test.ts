import { describe, expect, test } from 'vitest';
import { judgePressure, limitsFor, limitsWithBase, safeguardLimits } from '../../../../src/context/measure/limits.ts';
import { tightWindowNotice, windowProblem } from '../../../../src/context/measure/window-problem.ts';
import { configSchema, presets } from '../../../../src/domain/config/config.ts';

const limitsOf = (compaction: object, windowTokens: number) => limitsFor(configSchema.parse({ compaction }), windowTokens);

const count = { tokens: 0, systemTokens: 0, toolsTokens: 0, messagesTokens: 0, toolOutputBytes: 0, saidMessages: 0, anchored: false };

describe('limits', () => {
  test('of the defaults in a window of 200,000', () => {
    expect(limitsOf({}, 200_000)).toEqual({
      modelWindowTokens: 200_000,
      windowTokens: 100_000,
      reserveTokens: 16_384,
      ceilingTokens: 80_000,
      hardTokens: 80_000,
      softTokens: 70_000,
      batchTokens: 60_000,
      ofMessagesOnly: false,
      lowWaterTokens: 40_000,
      keepMessages: 20,
      keepTokens: 8_000,
      maxMessages: 80,
      softMessages: 70,
      maxToolOutputBytes: 100_000,
      softToolOutputBytes: 87_500,
      minMessages: 10,
      triggerTokens: 25_000,
      summaryTokens: 2_000,
      summaryRoomTokens: 9_600,
      ledgerTokens: 4_000,
      shortSummaryTokens: 500,
      restoreTokens: 10_000,
      stubTokens: 3_000,
      smallStubTokens: 250,
      resultChars: 10_000,
      headRatio: 0.3,
      tailRatio: 0.3,
    });
  });

  test('fit an 8k window, where reserve, tail and summary of the defaults would fill it three times over [O21, P34]', () => {
    expect(limitsOf({}, 8_192)).toMatchObject({
      reserveTokens: 2_048,
      hardTokens: 6_144,
      softTokens: 5_375,
      keepTokens: 1_228,
      summaryTokens: 576,
      ledgerTokens: 768,
      resultChars: 2_048,
    });
  });

  test('of a million tokens apply to the soft window, and to all of it when that is 0 [C39, P33, F11, B20]', () => {
    expect(limitsOf({}, 1_000_000)).toMatchObject({ modelWindowTokens: 1_000_000, windowTokens: 100_000, hardTokens: 80_000 });
    expect(limitsOf({ softWindow: 0 }, 1_000_000)).toMatchObject({ windowTokens: 1_000_000, hardTokens: 800_000 });
  });

  test('of the preset "roomy" apply to twice that, the prompt included', () => {
    const roomy = limitsOf({ preset: 'roomy', ...presets.roomy }, 1_000_000);
    expect(roomy).toMatchObject({ windowTokens: 200_000, hardTokens: 160_000, softTokens: 140_000, ofMessagesOnly: false });
    expect(limitsWithBase(roomy, 7_000)).toMatchObject({ hardTokens: 160_000 });
  });

  test('of results grow with the window, and are as they are set where they are set', () => {
    const results = (window: number, config: object = {}) => {
      const { maxToolOutputBytes, resultChars } = limitsFor(configSchema.parse(config), window);
      return [maxToolOutputBytes, resultChars];
    };
    const wide = { compaction: { softWindow: 0 } };
    expect([32_000, 64_000, 200_000].map((window) => results(window))).toEqual([
      [51_200, 8_000],
      [64_000, 10_000],
      [100_000, 10_000],
    ]);
    expect([200_000, 1_000_000].map((window) => results(window, wide))).toEqual([
      [200_000, 20_000],
      [1_000_000, 100_000],
    ]);
    const set = { compaction: { softWindow: 0, maxToolOutputBytes: 51_200 }, offload: { maxToolResultChars: 10_000 } };
    expect(results(1_000_000, set)).toEqual([51_200, 10_000]);
  });

  test('take absolute thresholds as they are set, below what the window allows [B7, X9]', () => {
    const thresholds = (compaction: object) => limitsOf({ softWindow: 0, ...compaction }, 200_000);
    expect(thresholds({ softThresholdTokens: 30_000, hardThresholdTokens: 50_000 })).toMatchObject({
      softTokens: 30_000,
      hardTokens: 50_000,
      lowWaterTokens: 25_000,
    });
    expect(thresholds({ hardThresholdTokens: 900_000 })).toMatchObject({ softTokens: 140_000, hardTokens: 160_000 });
    expect(thresholds({ softThresholdTokens: 900_000 })).toMatchObject({ softTokens: 159_999, hardTokens: 160_000 });
  });

  test('respect an explicit zero [N6]', () => {
    expect(limitsOf({ reserveTokens: 0, keepRecentMessages: 0, keepRecentTokens: 0, triggerThreshold: 0 }, 200_000)).toMatchObject({
      reserveTokens: 0,
      keepMessages: 0,
      keepTokens: 0,
      triggerTokens: 0,
    });
  });

  test('in safeguard mode keep five messages and aim at half', () => {
    const limits = limitsOf({}, 200_000);
    expect(safeguardLimits(limits)).toEqual({
      ...limits,
      keepMessages: 5,
      keepTokens: 4_000,
      summaryTokens: 1_000,
      ledgerTokens: 2_000,
      summaryRoomTokens: 4_800,
      shortSummaryTokens: 250,
      lowWaterTokens: 20_000,
    });
    expect(limitsOf({ mode: 'safeguard' }, 200_000)).toEqual(safeguardLimits(limits));
  });

  test('of a preset are for the messages, so that the prompt does not use them up [B7]', () => {
    const preset = { preset: 'development', softThresholdTokens: 5_000, hardThresholdTokens: 8_000, reserveTokens: 2_000 };
    expect(limitsWithBase(limitsOf(preset, 200_000), 7_000)).toMatchObject({
      softTokens: 12_000,
      hardTokens: 15_000,
      lowWaterTokens: 11_000,
      keepTokens: 1_600,
    });
    expect(limitsWithBase(limitsOf({ ...preset, preset: null }, 200_000), 7_000)).toMatchObject({
      // Below what the prompt alone takes it would be told at every turn.
      softTokens: 7_250,
      hardTokens: 8_000,
      keepTokens: 125,
    });
    expect(limitsWithBase(limitsOf(preset, 10_000), 7_000)).toMatchObject({ hardTokens: 8_000 });
  });

  test('in a small window shorten the tail first, so that a compaction goes down to where an offload goes [C5, C6]', () => {
    const small = limitsWithBase(limitsOf({}, 16_000), 1_800);
    expect(small).toMatchObject({
      hardTokens: 12_000,
      lowWaterTokens: 6_000,
      keepTokens: 1_275,
      summaryTokens: 1_125,
      ledgerTokens: 1_500,
    });
    const usual = limitsWithBase(limitsOf({}, 32_000), 2_000);
    expect(usual).toMatchObject({ lowWaterTokens: 12_000, keepTokens: 4_000, summaryTokens: 2_000, ledgerTokens: 3_000 });
    expect(limitsWithBase(limitsOf({}, 64_000), 2_000)).toMatchObject({ keepTokens: 8_000, summaryTokens: 2_000, ledgerTokens: 4_000 });
  });

  test('beside a large prompt in a small window leave room to go on after a compaction [C5, C6]', () => {
    const beside = limitsWithBase(limitsOf({}, 8_192), 4_644);
    expect(beside).toMatchObject({
      hardTokens: 6_144,
      keepTokens: 187,
      summaryTokens: 187,
      ledgerTokens: 250,
      shortSummaryTokens: 62,
      lowWaterTokens: 5_019,
    });
  });
});

describe('a window that cannot hold the system prompt and the tools', () => {
  test('is told with all figures, the largest part first [P34, C5]', () => {
    expect(windowProblem({ systemTokens: 2_000, toolsTokens: 14_500 }, limitsOf({}, 8_192))?.en).toBe(
      'The window is too small for this session: of its 8,192 tokens a request may have 6,144 (2,048 are kept for the reply). Of these the tool descriptions take 14,500, the system prompt takes 2,000, and the conversation needs at least 2,048. A window of about 33,000 tokens would do.',
    );
  });

  test('is one with less than a third of the hard limit left [P34]', () => {
    const limits = limitsOf({}, 8_192);
    expect(windowProblem({ systemTokens: 4_096, toolsTokens: 0 }, limits)).toBeUndefined();
    expect(windowProblem({ systemTokens: 4_096, toolsTokens: 1 }, limits)?.en).toMatch(
      /system prompt takes 4,096, the tool descriptions take 1, and/,
    );
  });
});

test.each([
  [4_000, true],
  [8_000, true],
  [10_000, false],
  [100_000, false],
])('a window of %i tokens is called small beside a prompt of 2,000: %s', (windowTokens, isTold) => {
  const notice = tightWindowNotice({ systemTokens: 1_400, toolsTokens: 600 }, limitsOf({}, windowTokens))?.en;
  expect(notice !== undefined).toBe(isTold);
  if (isTold)
    expect(notice).toContain(`window of ${windowTokens.toLocaleString('en-US')} tokens is small: a compaction is due every few steps`);
});

describe('pressure', () => {
  const limits = limitsOf({ softWindow: 0, maxToolOutputBytes: 51_200 }, 200_000);

  test.each([
    ['nothing special', {}, 'none', []],
    ['just at every soft limit', { tokens: 140_000, saidMessages: 70, toolOutputBytes: 44_800 }, 'none', []],
    [
      'over every soft limit',
      { tokens: 140_001, saidMessages: 71, toolOutputBytes: 44_801 },
      'soft',
      ['messages', 'tokens', 'tool_output'],
    ],
    ['just at every hard limit', { tokens: 160_000, saidMessages: 80 }, 'soft', ['messages', 'tokens']],
    ['over the tokens', { tokens: 160_001 }, 'hard', ['tokens']],
    ['over the messages', { saidMessages: 81, toolOutputBytes: 10_000_000 }, 'hard', ['messages']],
    ['any amount of tool output [B1]', { toolOutputBytes: 10_000_000 }, 'soft', ['tool_output']],
    ['few but huge messages [F3]', { tokens: 170_000, saidMessages: 2 }, 'hard', ['tokens']],
  ] as const)('of %s', (_, given, level, reasons) => {
    expect(judgePressure({ ...count, ...given }, limits)).toEqual({ level, reasons });
  });
});
