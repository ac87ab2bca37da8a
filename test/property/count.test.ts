import fc from 'fast-check';
import { countTokens as wholeText } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { calibrate, createMeasure, SEED_RATIO } from '../../src/context/measure/measure.ts';
import { type Message, usageTotal } from '../../src/domain/session/message.ts';
import { anyContext, anyText, anyUtf16 } from '../support/arbitrary.ts';
import { countTokens } from '../support/count-tokens.ts';
import { runs } from '../support/runs.ts';

const oracle = (text: string): number => wholeText(text, { disallowedSpecial: new Set<string>() });
const byLength = (text: string): number => Math.ceil(text.length / 3);

describe('the count of a text', () => {
  test('is a whole number for any UTF-16 string, never 0 but for nothing, never above its bytes [O25, B-03, C43]', () => {
    fc.assert(
      fc.property(fc.oneof(anyUtf16, anyText), (text) => {
        const tokens = countTokens(text);
        expect(Number.isInteger(tokens)).toBe(true);
        expect(tokens).toBeGreaterThanOrEqual(text === '' ? 0 : 1);
        expect(tokens).toBeLessThanOrEqual(text.length * 3);
      }),
      { numRuns: runs(100) },
    );
  });

  test('is within 3 % and a few tokens of the tokenizer that reads the text in one piece', () => {
    const piece = fc.constantFrom(
      'const x = f(a, b);\n',
      'The quick brown fox. ',
      '压缩上下文，保留约束。',
      '{"id": 12345, "ok": true},',
      '2026-01-02 ERROR at /srv/app.ts:12\n',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 300 }), (pieces) => {
        const text = pieces.join('');
        expect(Math.abs(countTokens(text) - oracle(text))).toBeLessThanOrEqual(3 + oracle(text) * 0.03);
      }),
      { numRuns: runs(50) },
    );
  });

  test('hardly changes with where a text is parted: the parts weigh at least the whole, and little more', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        const whole = countTokens(a + b);
        const parts = countTokens(a) + countTokens(b);
        expect(parts).toBeGreaterThanOrEqual(whole * 0.97 - 12);
        expect(parts).toBeLessThanOrEqual(whole * 1.03 + 12);
      }),
      { numRuns: runs(100) },
    );
  });

  test('of a long text is the same however often it is asked for, and near what its parts say', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('重构模块，', 'let y = g(x);\n', 'aGVsbG8gd29ybGQ+', '😀 ok '),
        fc.integer({ min: 110_000, max: 400_000 }),
        (unit, chars) => {
          const text = unit.repeat(Math.ceil(chars / unit.length));
          expect(countTokens(text)).toBe(countTokens(text));
          const scaled = (countTokens(unit.repeat(1_000)) * text.length) / (unit.length * 1_000);
          expect(Math.abs(countTokens(text) / scaled - 1)).toBeLessThan(0.05);
        },
      ),
      { numRuns: runs(20) },
    );
  });
});

describe('the count of a context', () => {
  test('is the sum of its parts, whole and never negative, and system and tools are always in it [C32]', () => {
    const measure = createMeasure(byLength);
    fc.assert(
      fc.property(anyContext({ open: true }), fc.double({ min: 0.8, max: 4, noNaN: true }), (context, ratio) => {
        const count = measure.context(context, ratio);
        expect(count.tokens).toBe(count.systemTokens + count.toolsTokens + count.messagesTokens);
        for (const value of [count.systemTokens, count.toolsTokens, count.messagesTokens, count.toolOutputBytes, count.saidMessages]) {
          expect(Number.isInteger(value) && value >= 0).toBe(true);
        }
      }),
      { numRuns: runs(100) },
    );
  });

  test('starts from the last good usage of this very past and adds what came after it [C31, P5, P31]', () => {
    const measure = createMeasure(byLength);
    fc.assert(
      fc.property(anyContext({ open: true }), fc.double({ min: 0.8, max: 4, noNaN: true }), (context, ratio) => {
        const good = (message: Message, index: number): boolean =>
          index >= context.anchorFloor &&
          message.usage !== undefined &&
          message.content.length > 0 &&
          ['end_turn', 'tool_use'].includes(message.stopReason ?? '');
        const anchors = context.messages.map((message, index) => (good(message, index) ? index : -1)).filter((index) => index >= 0);
        const anchor = anchors.at(-1);
        const count = measure.context(context, ratio);
        expect(count.anchored).toBe(anchor !== undefined);
        const bare = { ...context, system: '', shortTermSummary: '', tools: [] };
        const rest = { ...bare, messages: context.messages.slice((anchor ?? -1) + 1) };
        // Images are counted in the model's own tokens: the ratio is for text alone.
        const media = measure.media(rest);
        const after = Math.ceil(ratio * (measure.raw(rest) - media)) + media;
        const usage = anchor === undefined ? undefined : context.messages[anchor]?.usage;
        const base = count.systemTokens + count.toolsTokens;
        const expected = usage === undefined ? base + after : Math.max(base, usageTotal(usage) + after);
        expect(count.tokens).toBe(expected);
      }),
      { numRuns: runs(100) },
    );
  });

  test('does not depend on what was counted before [C36]', () => {
    fc.assert(
      fc.property(fc.array(anyContext({ open: true }), { minLength: 1, maxLength: 4 }), fc.nat(20), (contexts, part) => {
        const shared = createMeasure(byLength);
        for (const context of contexts) {
          const shorter = { ...context, messages: context.messages.slice(0, part) };
          for (const asked of [context, shorter, context])
            expect(shared.context(asked, 1.5)).toEqual(createMeasure(byLength).context(asked, 1.5));
        }
      }),
      { numRuns: runs(100) },
    );
  });

  test('costs what a step adds, not what the session holds [F12]', () => {
    fc.assert(
      fc.property(anyContext({ open: true }), (context) => {
        let asked = 0;
        const measure = createMeasure((text) => {
          asked += text.length;
          return byLength(text);
        });
        let growing: readonly Message[] = [];
        for (const message of context.messages) {
          growing = [...growing, message];
          measure.context({ ...context, messages: growing }, 1.5);
          measure.raw({ ...context, messages: growing });
        }
        const stepByStep = asked;
        asked = 0;
        createMeasure((text) => {
          asked += text.length;
          return byLength(text);
        }).raw(context);
        expect(stepByStep).toBe(asked);
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('the ratio', () => {
  test('stays between 0.8 and 4 whatever is reported [X10]', () => {
    const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(0, -1, Number.NaN, Number.POSITIVE_INFINITY));
    fc.assert(
      fc.property(fc.array(fc.record({ rawTokens: number, reportedTokens: number })), (heard) => {
        const ratio = heard.reduce((known, sample) => calibrate(known, sample), SEED_RATIO);
        expect(ratio).toBeGreaterThanOrEqual(0.8);
        expect(ratio).toBeLessThanOrEqual(4);
      }),
      { numRuns: runs(100) },
    );
  });

  test('comes to what a model really counts, from any start [X10]', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.8, max: 4, noNaN: true }), fc.double({ min: 0.8, max: 4, noNaN: true }), (start, truth) => {
        let ratio = start;
        for (let step = 0; step < 60; step++) ratio = calibrate(ratio, { rawTokens: 10_000, reportedTokens: truth * 10_000 });
        expect(Math.abs(ratio - truth)).toBeLessThan(0.01);
      }),
      { numRuns: runs(100) },
    );
  });
});
