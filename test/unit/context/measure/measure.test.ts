import { describe, expect, test } from 'vitest';
import { calibrate, createMeasure, SEED_RATIO } from '../../../../src/context/measure/measure.ts';
import type { ContentBlock, Message } from '../../../../src/domain/session/message.ts';
import { noUsage } from '../../../../src/domain/session/message.ts';
import { usageOf } from '../../../support/arbitrary.ts';
import { answers, calls, contextOf, says, user } from '../../../support/build.ts';

const measure = createMeasure((text) => text.length);
const withBlock = (block: ContentBlock): Message => ({ ...user(), content: [block] });
const raw = (message: Message): number => measure.message(message, 1);
const png = (width: number, height: number): string => {
  const header = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52];
  const number = (value: number): number[] => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
  return btoa(String.fromCharCode(...header, ...number(width), ...number(height), 8, 6, 0, 0, 0));
};
const image = (data: string): ContentBlock => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } });

describe('the price of what is not text', () => {
  test('of an image does not depend on its bytes [C45]', () => {
    expect(raw(withBlock(image('A'.repeat(4_000_000))))).toBe(1_608);
    expect(raw(withBlock(image('A'.repeat(4_000))))).toBe(1_608);
  });

  test('of an image with a known size follows the size, within what a model spends at most [C45]', () => {
    expect(raw(withBlock(image(png(750, 100))))).toBe(27 * 4 + 8);
    expect(raw(withBlock(image(png(20_000, 20_000))))).toBe(4_784 + 8);
  });

  test('of an image inside a tool result is the same as of one outside [C45]', () => {
    const inside = withBlock({ type: 'tool_result', tool_use_id: 't1', content: [image('A'.repeat(90_000))] });
    expect(raw(inside)).toBe(1_603 + 12 + 5);
  });

  test('of a PDF follows its pages as its size tells them, and a text document is text [C45, C47]', () => {
    const pdf = (bytes: number) =>
      withBlock({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'A'.repeat((bytes / 3) * 4) } });
    expect(raw(pdf(30_000))).toBe(3_008);
    expect(raw(pdf(300_000))).toBe(18_008);
    expect(raw(pdf(300_000_000))).toBe(1_800_008);
    expect(raw(withBlock({ type: 'document', title: 'ab', source: { type: 'text', data: 'x'.repeat(100) } }))).toBe(110);
    expect(raw(withBlock({ type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } }))).toBe(10_008);
  });

  test('of thinking is its text or, where that is hidden, what its seal stands for', () => {
    expect(raw(withBlock({ type: 'thinking', thinking: 'x'.repeat(50), signature: 'A'.repeat(40) }))).toBe(58);
    expect(raw(withBlock({ type: 'thinking', thinking: '', signature: 'A'.repeat(4_000) }))).toBe(1_008);
    expect(raw(withBlock({ type: 'redacted_thinking', data: 'A'.repeat(4_000) }))).toBe(1_008);
  });

  test('of a call is its input as JSON, of a block of unknown type all of it [C40]', () => {
    expect(raw(calls({ id: 't1', name: 'run', input: { command: 'ls' } }))).toBe(5 + 12 + 3 + '{"command":"ls"}'.length);
    expect(raw(withBlock({ type: 'tool_use', id: 't1', name: 'run', input: undefined }))).toBe(5 + 12 + 3);
    expect(raw(withBlock({ type: 'new_kind', words: 'abc' }))).toBe(8 + '{"type":"new_kind","words":"abc"}'.length);
  });
});

describe('the count of a context', () => {
  test('has everything that is sent in it: system, short-term summary, tools and the message still to be sent [C32, C33]', () => {
    const bare = contextOf([], { system: '' });
    const tool = { name: 'read_file', description: 'Reads.', inputSchema: {} };
    const parts = [
      contextOf([], { system: 'x'.repeat(100) }),
      contextOf([], { system: '', shortTermSummary: 'x'.repeat(100) }),
      contextOf([], { system: '', tools: [tool] }),
      contextOf([user('x'.repeat(100))], { system: '' }),
    ].map((context) => measure.context(context, 1).tokens);
    expect(measure.context(bare, 1).tokens).toBe(0);
    expect(parts).toEqual([100, 100, 380 + 20 + 9 + 6 + 2, 108]);
  });

  test('believes the last good usage and estimates only what came after it [C31, X10]', () => {
    const messages = [user('x'.repeat(9_000)), says('ok', { usage: usageOf(5_000, 20) }), answers({ id: 't', content: 'x'.repeat(200) })];
    const count = measure.context(contextOf(messages), 2);
    expect(count).toMatchObject({ tokens: 5_020 + 2 * (200 + 12 + 5), anchored: true });
    expect(count.systemTokens + count.toolsTokens + count.messagesTokens).toBe(count.tokens);
  });

  test.each<[string, Partial<Message>]>([
    ['was cut off [P31]', { stopReason: 'max_tokens' }],
    ['was empty [P31]', { content: [] }],
    ['failed', { stopReason: 'model_context_window_exceeded' }],
    ['was refused', { stopReason: 'refusal' }],
    ['has no known end', { stopReason: undefined }],
    ['reports nothing', { usage: noUsage }],
    ['reports no input', { usage: { ...noUsage, outputTokens: 40 } }],
    ['is not the model’s', { origin: 'summary' }],
  ])('does not take the usage of a reply that %s', (_, more) => {
    const reply = says('ok', { usage: usageOf(50_000), ...more });
    expect(measure.context(contextOf([user(), reply]), 1)).toMatchObject({ anchored: false });
    const before = says('first', { usage: usageOf(700, 7) });
    expect(measure.context(contextOf([user(), before, user('xx'), reply]), 1).tokens).toBeLessThan(1_000);
  });

  test('does not take usage from before a compaction or rollback [P5, C36]', () => {
    const messages = [user('compressed'), says('kept', { usage: usageOf(150_000) })];
    expect(measure.context(contextOf(messages, { anchorFloor: 2 }), 1)).toMatchObject({ anchored: false });
    expect(measure.context(contextOf(messages, { anchorFloor: 2 }), 1).tokens).toBeLessThan(100);
  });

  test('counts as said what the user said and what ended a turn, not remarks beside calls, results, summaries, notices or blanks [O15]', () => {
    const call = calls({ id: 't1' });
    const messages = [
      { ...user('history'), origin: 'summary' as const },
      user('please'),
      call,
      answers({ id: 't1' }),
      { ...user('new date'), origin: 'notice' as const },
      { ...call, content: [{ type: 'text', text: 'looking' }, ...call.content] },
      says('   '),
      says('done'),
    ];
    expect(measure.context(contextOf(messages), 1).saidMessages).toBe(2);
  });

  test('counts the bytes of results, of text only, stubs included [B4]', () => {
    const stub = { toolUseId: 't2', tool: 'read_file', body: { sha256: 'a'.repeat(64), bytes: 9, lines: 1 } };
    const messages: Message[] = [
      answers({ id: 't1', content: 'aé中😀\ud800' }),
      { ...answers({ id: 't2', content: 'Tool result is at: /x' }), stubs: [stub] },
      { ...answers(), content: [{ type: 'tool_result', tool_use_id: 't3', content: [{ type: 'text', text: 'abc' }, image('AAAA')] }] },
      user('Tool result is at: /y'),
    ];
    expect(measure.context(contextOf(messages), 1).toolOutputBytes).toBe(Buffer.byteLength('aé中😀\ud800Tool result is at: /x') + 3);
  });
});

describe('the ratio between our count and the model’s', () => {
  test('is replaced by the first figure and moved by later ones, upwards faster than downwards [X10]', () => {
    const first = calibrate(SEED_RATIO, { rawTokens: 1_000, reportedTokens: 1_800 });
    expect(first).toBeCloseTo(1.8);
    expect(calibrate(first, { rawTokens: 1_000, reportedTokens: 2_000 })).toBeCloseTo(1.92);
    expect(calibrate(first, { rawTokens: 1_000, reportedTokens: 1_600 })).toBeCloseTo(1.74);
  });

  test('is moved by an absurd figure no further than by one twice or half as large', () => {
    expect(calibrate(1.5, { rawTokens: 1_000, reportedTokens: 1_000_000 })).toBe(
      calibrate(1.5, { rawTokens: 1_000, reportedTokens: 3_000 }),
    );
    expect(calibrate(1.6, { rawTokens: 1_000, reportedTokens: 1 })).toBeCloseTo(calibrate(1.6, { rawTokens: 1_000, reportedTokens: 800 }));
  });

  test.each([
    { rawTokens: 0, reportedTokens: 10 },
    { rawTokens: 50, reportedTokens: 500 },
    { rawTokens: 1_000, reportedTokens: 0 },
    { rawTokens: Number.NaN, reportedTokens: 10 },
    { rawTokens: -1_000, reportedTokens: -1_500 },
  ])('does not learn from $rawTokens counted and $reportedTokens reported', (sample) => {
    expect(calibrate(1.7, sample)).toBe(1.7);
  });
});
