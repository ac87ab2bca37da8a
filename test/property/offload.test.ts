import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withoutThinking } from '../../src/context/history/apply-record.ts';
import { toWire } from '../../src/context/history/pairing.ts';
import { limitsFor } from '../../src/context/measure/limits.ts';
import { createMeasure } from '../../src/context/measure/measure.ts';
import { type OffloadCandidate, planOffload, withStubs } from '../../src/context/offload/offload.ts';
import { smallStubText, stubText, unitsOf } from '../../src/context/offload/stub.ts';
import { configSchema } from '../../src/domain/config/config.ts';
import type { BodyRef, Message } from '../../src/domain/session/message.ts';
import { anyConfig, anyContext, anyText, anyUtf16 } from '../support/arbitrary.ts';
import { user } from '../support/build.ts';
import { apiRefusals } from '../support/pairing-oracle.ts';
import { runs } from '../support/runs.ts';

const measure = createMeasure((text) => Math.ceil(text.length / 3));
const ratio = 1.5;
const refOf = (body: string): BodyRef => ({
  sha256: createHash('sha256').update(body).digest('hex'),
  bytes: Buffer.byteLength(body),
  lines: body.split('\n').length,
});

const anyBody = fc.oneof(
  anyText,
  anyUtf16,
  fc
    .tuple(fc.constantFrom('a line of output\n', '中文输出', '😀', 'x', '\r\n', 'tab\tled,'), fc.integer({ min: 1, max: 20_000 }))
    .map(([unit, times]) => unit.repeat(times)),
);

const anyStub = fc.record({
  path: fc.constantFrom('/home/me/.sanbot/sessions/s1/offloaded/ab12.txt', '/home/我/会话/ab12.txt'),
  tool: fc.constantFrom('run_command', 'read_file'),
  ok: fc.boolean(),
  body: anyBody,
  source: fc.constantFrom(undefined, '/srv/app.ts', '/srv/odd\nname\u2028.ts'),
});

type AnyStub = { path: string; tool: string; ok: boolean; body: string; source: string | undefined };
const make = ({ source, ...stub }: AnyStub) => ({ ...stub, ref: refOf(stub.body), ...(source === undefined ? {} : { source }) });

const anyLimits = fc.tuple(anyConfig, fc.integer({ min: 1_000, max: 1_000_000 })).map(([config, window]) => limitsFor(config, window));

describe('a stub', () => {
  test('names its body and says what was cut; with the body nothing is lost [C54, C55, S4]', () => {
    fc.assert(
      fc.property(anyStub, anyLimits, (given, limits) => {
        const text = stubText(make(given), limits);
        if (text === undefined) return;
        const { body } = given;
        const [first, second, third = ''] = text.split('\n');
        expect(first).toBe(`Tool result is at: ${given.path}`);
        expect(second).toContain(refOf(body).sha256.slice(0, 16));
        const charsOf = (part: RegExp): number => Number(part.exec(third)?.[1] ?? 0);
        const [head, tail] = [charsOf(/the first (\d+) /), charsOf(/the last (\d+) /)];
        expect(third).not.toMatch(/\b(first|last) 0\b/);
        if (head + tail === 0) {
          expect(third).toBe('Nothing of it is shown here. Read it with read_file (this path, offset: 1), or search in it.');
          expect(text.split('\n').slice(3)).toEqual(['']);
          return;
        }
        expect(third).toContain(` of ${body.length} characters are below. `);
        expect(head + tail).toBeLessThan(body.length);
        if (head > 0) expect(text).toContain(`--- head\n${body.slice(0, head).toWellFormed()}`);
        const end = body.slice(body.length - tail).toWellFormed();
        if (tail > 0) expect(text.endsWith(`--- tail\n${end}${end.endsWith('\n') ? '' : '\n'}`)).toBe(true);
        expect(text).toContain(`--- ${body.length - head - tail} characters left out`);
        const line = /, offset: (\d+)/.exec(third)?.[1];
        const char = /char_offset: (\d+)/.exec(third)?.[1];
        if (line !== undefined)
          expect(
            body
              .split('\n')
              .slice(Number(line) - 1)
              .join('\n'),
          ).toBe(body.slice(head));
        else expect(Number(char)).toBe(head);
      }),
      { numRuns: runs(100) },
    );
  });

  test('is smaller than its body, at most its share of the window beside its first lines, and the same for the same body [S4, C58]', () => {
    fc.assert(
      fc.property(anyStub, anyLimits, (given, limits) => {
        const text = stubText(make(given), limits);
        if (text === undefined) return;
        expect(text.length).toBeLessThan(given.body.length);
        expect(stubText(make(given), limits)).toBe(text);
        const fixed = unitsOf(text.split('\n').slice(0, 3).join('\n')) + 100;
        expect(unitsOf(text)).toBeLessThanOrEqual(Math.max(fixed, limits.stubTokens * 2 + 100));
        expect(text.length).toBeLessThanOrEqual(fixed + limits.resultChars * (limits.headRatio + limits.tailRatio));
      }),
      { numRuns: runs(100) },
    );
  });

  test('never holds half a character, and never more lines above its head than three [C68, B-03, C56d]', () => {
    fc.assert(
      fc.property(anyStub, anyLimits, (given, limits) => {
        const text = stubText(make(given), limits);
        if (text === undefined) return;
        expect(text.isWellFormed()).toBe(true);
        if (given.body.isWellFormed()) expect(text).not.toContain('\ufffd');
        expect(text.split('\n')[3]).toMatch(/^--- |^$/);
      }),
      { numRuns: runs(300) },
    );
  });
});

const config = configSchema.parse({}).offload;

const anyPlan = fc
  .record({
    context: anyContext(),
    window: fc.constantFrom(8_192, 32_000, 200_000),
    keepFrom: fc.nat(30),
    targetTokens: fc.oneof(fc.constant(0), fc.nat(20_000)),
    deny: fc.constantFrom<string[]>([], ['mcp__*'], ['*']),
  })
  .map(({ context, window, keepFrom, targetTokens, deny }) => ({
    context,
    plan: {
      ...{ measure, ratio, keepFrom, targetTokens },
      stubTokens: limitsFor(configSchema.parse({}), window).smallStubTokens,
      config: { ...config, deny },
    },
  }));

function offload(messages: readonly Message[], chosen: readonly OffloadCandidate[], stubTokens: number): readonly Message[] {
  const stubs = chosen.flatMap(({ toolUseId, tool, ok, content, media }) => {
    if (media !== undefined) return [];
    const body = refOf(content);
    const path = `/home/me/.sanbot/sessions/s1/offloaded/${body.sha256}.txt`;
    const text = smallStubText({ path, tool, ok, ref: body, body: content }, content, { tokens: stubTokens });
    return text === undefined ? [] : [{ ref: { toolUseId, tool, body, shownTokens: stubTokens }, text }];
  });
  return withStubs(messages, stubs);
}

describe('offloading under pressure', () => {
  test('chooses only text results that may leave, stubs that show much among them: nothing read back, no denied tool, no image [C52, C53, C56d]', () => {
    fc.assert(
      fc.property(anyPlan, ({ context, plan }) => {
        for (const { messageIndex, toolUseId, tool, content } of planOffload(context, plan)) {
          const message = context.messages[messageIndex];
          const block = message?.content.find((found) => found.tool_use_id === toolUseId);
          expect(message?.readBack ?? []).not.toContain(toolUseId);
          expect(plan.config.deny).not.toContain('*');
          if (plan.config.deny.length > 0) expect(tool).not.toMatch(/^mcp__/);
          const text = Array.isArray(block?.content)
            ? block.content.map((inner: { text?: string }) => inner.text).join('\n')
            : block?.content;
          expect(text).toBe(content);
        }
      }),
      { numRuns: runs(100) },
    );
  });

  test('takes all that stands before the newest part, largest first, then inside it oldest first until the target is met [S9, C49, C58]', () => {
    fc.assert(
      fc.property(anyPlan, ({ context, plan }) => {
        const chosen = planOffload(context, plan);
        const before = chosen.filter((one) => one.messageIndex < plan.keepFrom);
        const within = chosen.filter((one) => one.messageIndex >= plan.keepFrom);
        expect(chosen).toEqual([...before, ...within]);
        expect(before.map((one) => one.content.length)).toEqual(before.map((one) => one.content.length).sort((a, b) => b - a));
        expect(within.map((one) => one.messageIndex)).toEqual(within.map((one) => one.messageIndex).sort((a, b) => a - b));
        const estimate = measure.context({ ...context, anchorFloor: context.messages.length }, ratio).tokens;
        const start = Math.max(estimate, measure.context(context, ratio).tokens);
        const allButLast = chosen.slice(0, -1).reduce((sum, one) => sum + one.savesTokens, 0);
        if (within.length > 0) expect(start - allButLast).toBeGreaterThan(plan.targetTokens);
        expect(before).toEqual(planOffload(context, { ...plan, targetTokens: Number.POSITIVE_INFINITY }));
        expect(chosen.every(({ savesTokens }) => savesTokens >= 50)).toBe(true);
      }),
      { numRuns: runs(100) },
    );
  });

  test('makes the context smaller by about what was promised, keeps every pair, and finds nothing to do a second time [O1, C20, C52]', () => {
    fc.assert(
      fc.property(anyPlan, ({ context, plan }) => {
        const everything = { ...plan, targetTokens: 0 };
        const chosen = planOffload(context, everything);
        const messages = offload(context.messages, chosen, plan.stubTokens);
        const raw = (of: readonly Message[]): number => measure.raw({ ...context, messages: of });
        if (chosen.length > 0) expect(raw(messages)).toBeLessThan(raw(context.messages));
        expect(apiRefusals(toWire([...messages, user()]))).toEqual([]);
        expect(planOffload({ ...context, messages }, everything)).toEqual([]);
        expect(offload(messages, chosen, plan.stubTokens)).toEqual(messages);
      }),
      { numRuns: runs(100) },
    );
  });

  test('leaves every message it does not touch the very same, and every block in its place [C57, O22]', () => {
    fc.assert(
      fc.property(anyPlan, ({ context, plan }) => {
        const chosen = planOffload(context, plan);
        const messages = offload(context.messages, chosen, plan.stubTokens);
        const touched = new Set(chosen.map((one) => one.messageIndex));
        context.messages.forEach((message, index) => {
          const after = messages[index];
          if (!touched.has(index)) expect(after).toBe(message);
          expect(after?.content.map((block) => [block.type, block.tool_use_id, block.is_error])).toEqual(
            message.content.map((block) => [block.type, block.tool_use_id, block.is_error]),
          );
        });
        expect(withoutThinking(messages).length).toBeLessThanOrEqual(messages.length);
      }),
      { numRuns: runs(100) },
    );
  });
});
