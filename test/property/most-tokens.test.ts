import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EXACT_CHARS, mostTokens } from '../../src/context/measure/count.ts';
import { judgePressure, limitsFor, limitsWithBase } from '../../src/context/measure/limits.ts';
import { createMeasure } from '../../src/context/measure/measure.ts';
import { hasAmpleRoom, tightWindowNotice, windowProblem } from '../../src/context/measure/window-problem.ts';
import { anyConfig, anyContext, anyText, anyUtf16 } from '../support/arbitrary.ts';
import { countTokens } from '../support/count-tokens.ts';
import { runs, slowRuns } from '../support/runs.ts';
import { anyActs, anyWish, rareConversations } from './conversation.ts';
import { type Played, play } from './play-conversation.ts';

const base64 = fc.uint8Array({ maxLength: 900 }).map((bytes) => Buffer.from(bytes).toString('base64'));
const anyKind = fc.oneof(
  anyUtf16,
  anyText,
  base64,
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.stringMatching(/^[\u4e00-\u9fff\uff00-\uffef\u3000-\u303f]{0,300}$/),
  fc.stringMatching(/^[a-zA-Z_$(){}[\];:'"=<> \n\t]{0,400}$/),
  fc.string({ unit: fc.constantFrom('\ud800', '\udfff', '\u0300', '\u200d', '\ufe0f', 'e', '\u{1f469}'), maxLength: 200 }),
  fc.constantFrom('<|endoftext|>', '<|im_start|>', '\u0000', '\u{10ffff}', '👩‍👩‍👧‍👦', 'ﷺ', '᠎', '\ud83d'),
);
/** The fake numbers what it signs over all conversations. */
function renumbered(played: Played): unknown {
  const seen: string[] = [];
  const renumber = (signature: string, kind: string): string => {
    if (!seen.includes(signature)) seen.push(signature);
    return `"${kind}-${seen.indexOf(signature)}"`;
  };
  return JSON.parse(JSON.stringify(played).replace(/"(signature|compaction)-\d+"/g, renumber));
}

const anyRatio = fc.double({ min: 0.8, max: 4, noNaN: true });

describe('what a text can have at most', () => {
  test('is never below what the counter finds, in any script, in code, in halves of characters [O25, C43]', () => {
    fc.assert(
      fc.property(fc.array(anyKind, { maxLength: 6 }), (parts) => {
        const text = parts.join('');
        expect(mostTokens(text)).toBeGreaterThanOrEqual(countTokens(text));
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('is not below it where a text is so long that it is sampled, wherever its heavy parts stand', () => {
    const unit = fc.constantFrom('a', '\ud83d', '\u{20000}', 'ﷺ', ' \n', '重构', '\u0e01\u0e33');
    const piece = fc.tuple(unit, fc.integer({ min: 1, max: 3_000 })).map(([one, times]) => one.repeat(times));
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), (pieces) => {
        const round = pieces.join('');
        const text = round.repeat(Math.ceil((EXACT_CHARS + 1) / round.length));
        expect(mostTokens(text)).toBeGreaterThanOrEqual(countTokens(text));
      }),
      { numRuns: slowRuns(60) },
    );
  });

  test('neither is that of a context, whatever usage it was anchored on', () => {
    const measure = createMeasure(countTokens);
    fc.assert(
      fc.property(anyContext({ open: true }), anyRatio, (context, ratio) => {
        const [count, most] = [measure.context(context, ratio), measure.most(context, ratio)];
        expect(most.tokens).toBeGreaterThanOrEqual(count.tokens);
        expect([most.toolOutputBytes, most.saidMessages]).toEqual([count.toolOutputBytes, count.saidMessages]);
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('what is decided without the counter', () => {
  const anyWindow = fc.constantFrom(1_000, 4_000, 8_192, 32_000, 128_000, 200_000, 1_000_000);

  test('is what the counter would have decided: ample room for the most is no pressure and nothing to tell, however much of it is the base', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(anyConfig, anyWindow, fc.record({ room: share, tokens: share, base: share, split: share }), (config, window, part) => {
        const limits = limitsFor(config, window);
        const rest = { messagesTokens: 0, toolOutputBytes: 0, saidMessages: 0, anchored: false };
        const most = { ...rest, tokens: Math.floor(limits.hardTokens * part.room), systemTokens: 0, toolsTokens: 0 };
        if (!hasAmpleRoom(most, limitsWithBase(limits, 0))) return;
        const tokens = Math.floor(most.tokens * part.tokens);
        const baseTokens = Math.floor(tokens * part.base);
        const systemTokens = Math.floor(baseTokens * part.split);
        const count = { ...rest, tokens, systemTokens, toolsTokens: baseTokens - systemTokens };
        const beside = limitsWithBase(limits, baseTokens);
        expect(judgePressure(count, beside)).toEqual({ level: 'none', reasons: [] });
        expect([windowProblem(count, beside), tightWindowNotice(count, beside)]).toEqual([undefined, undefined]);
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('moves no request, no event and no record of a conversation, in windows of 4,000 to 200,000 tokens', async () => {
    const anyPlace = fc.tuple(anyWish, fc.constantFrom(4_000, 12_000, 32_000, 64_000, 128_000, 200_000));
    await fc.assert(
      fc.asyncProperty(anyActs, anyPlace, async (acts, [wish, window]) => {
        const place = { ...wish, window };
        const told = renumbered(await play(acts, place));
        expect(told).toEqual(renumbered(await play(acts, place, ({ estimate }) => estimate.count())));
      }),
      { numRuns: slowRuns(60), examples: rareConversations.map(([acts, wish]) => [acts, [wish, wish.window]]) },
    );
  }, 120_000);
});
