import { afterEach, describe, expect, test } from 'vitest';
import type { CompactedEvent, SanbotEvent } from '../../../../src/domain/event.ts';
import { sameInBoth, setLanguage } from '../../../../src/domain/language.ts';
import { noUsage } from '../../../../src/domain/session/message.ts';
import { busyText, eventLine, initialEventState, reduceEvent } from '../../../../src/terminal/screen/event-line.ts';
import { type EventState, undoByCommand } from '../../../../src/terminal/screen/line.ts';
import { callRow } from '../../../../src/terminal/screen/tool-line.ts';
import { textWidth } from '../../../../src/terminal/text/text-width.ts';

const compacted: CompactedEvent = {
  type: 'compacted',
  trigger: 'auto',
  method: 'model',
  snapshotId: 's1-20260201T110000000Z',
  tokensBefore: 182_340,
  tokensAfter: 24_112,
  messagesBefore: 310,
  messagesKept: 20,
  bodiesRetired: 7,
  memoriesAdded: 5,
  usage: noUsage,
  costUsd: undefined,
  ms: 12_000,
};

afterEach(() => setLanguage('en'));

const lineOf = (event: SanbotEvent, memory: EventState = initialEventState) => eventLine(memory, event)?.text;
const remembered = (...events: SanbotEvent[]) => events.reduce(reduceEvent, initialEventState);

describe('the line of a compaction', () => {
  test('tells what was freed, kept, removed and learned, and how to undo it', () => {
    expect(lineOf(compacted)).toBe(
      'Compacted 182,340 -> 24,112 tokens (158,228 freed, 20 messages kept, 7 result files removed, 5 memories). Undo: sanbot rollback --snapshot s1-20260201T110000000Z',
    );
  });

  test('in a conversation says how to undo it there', () => {
    expect(eventLine(initialEventState, compacted, { undo: undoByCommand })?.text).toMatch(/\(.* 5 memories\)\. Undo: \/undo$/);
    const back = { type: 'rolled_back', snapshotId: 'a', undoId: 'b', messages: 310, tokensBefore: 24_112, tokensAfter: 182_340 } as const;
    expect(eventLine(initialEventState, back, { undo: undoByCommand })?.text).toBe(
      'Rolled back: 310 messages, 24,112 -> 182,340 tokens. Undo: /undo',
    );
  });

  test('counts one of each in the singular', () => {
    expect(lineOf({ ...compacted, messagesKept: 1, bodiesRetired: 1, memoriesAdded: 1 })).toContain(
      '1 message kept, 1 result file removed, 1 memory)',
    );
  });

  test('says when the summary is a degraded one [C87], and what it cost', () => {
    expect(
      lineOf({ ...compacted, method: 'rules_degraded', costUsd: 0.0213 })
        ?.split('\n')
        .slice(1),
    ).toEqual(['  Degraded: the summary was made by rule instead. Nothing is lost, but read it over.', '  The summary cost $0.0213.']);
    expect(lineOf({ ...compacted, method: 'rules' })).not.toContain('Degraded');
  });
});

test('that the context fills up is told once, and again when it has been below since', () => {
  const high: SanbotEvent = { type: 'context_high', reasons: ['messages'], tokens: 10, softTokens: 140_000, hardTokens: 160_000 };
  const request: SanbotEvent = { type: 'request', purpose: 'turn', tokens: 10, windowTokens: 200_000 };
  const turn: SanbotEvent = { type: 'turn_started' };
  expect(lineOf(high, remembered(turn))).toContain('filling up');
  expect(lineOf(high, remembered(turn, high, request, request, turn))).toBeUndefined();
  expect(lineOf(high, remembered(turn, high, request, turn, high, request, turn))).toBeUndefined();
  expect(lineOf(high, remembered(turn, high, request, turn, request, turn))).toContain('filling up');
  expect(lineOf(high, remembered(turn, high, request, compacted, turn))).toContain('filling up');
});

test('a failure without a reason says so once', () => {
  const ended: SanbotEvent = {
    type: 'tool_ended',
    toolUseId: 'a',
    tool: 'search',
    ok: false,
    denied: false,
    bytes: 0,
    ms: 9,
    note: sameInBoth('failed'),
  };
  expect(lineOf(ended)).toBe('✗ Search  failed');
});

describe('a line', () => {
  test.each<[string, SanbotEvent, string]>([
    [
      'an offload',
      {
        type: 'offloaded',
        when: 'pressure',
        results: [1, 2, 3].map((n) => ({ toolUseId: `t${n}`, tool: 'run_command', path: `/x${n}`, bytes: 400_000 })),
        tokensBefore: 48_211,
        tokensAfter: 9_100,
      },
      'Offloaded 3 results (1.2 MB) to files, 48,211 -> 9,100 tokens',
    ],
    [
      'a pruning',
      { type: 'pruned', trimmed: 2, cleared: 1, tokensBefore: 48_211, tokensAfter: 19_100 },
      'Cache cold: cut 2 old results to head and tail, left 1 old result out of what is sent, 48,211 -> 19,100 tokens; history and files are unchanged',
    ],
    [
      'a full context',
      { type: 'context_high', reasons: ['tokens', 'messages'], tokens: 141_000, softTokens: 140_000, hardTokens: 160_000 },
      'The context is filling up (141,000 of 160,000 tokens; a long conversation). /compact makes room.',
    ],
    ['nothing to compact', { type: 'nothing_to_compact', messages: 3, tokens: 900 }, 'Nothing to compact: 3 messages, 900 tokens.'],
    [
      'a failed compaction',
      { type: 'compaction_failed', trigger: 'auto', why: sameInBoth('the model is down') },
      'Compaction before this request failed; the history is unchanged: the model is down',
    ],
    [
      'a failed compaction that had cost something',
      { type: 'compaction_failed', trigger: 'manual', why: sameInBoth('the model is down'), usage: noUsage, costUsd: 0.02 },
      'Compaction failed; the history is unchanged: the model is down. The summary cost $0.02.',
    ],
    [
      'a cancelled compaction that had cost something',
      { type: 'compaction_cancelled', trigger: 'manual', usage: noUsage, costUsd: 0.02 },
      'Compaction cancelled; the history is unchanged. The summary cost $0.02.',
    ],
    [
      'a compaction that was shown and not wanted',
      { type: 'compaction_discarded', trigger: 'manual', usage: noUsage, costUsd: 0.5 },
      'Discarded; the context is unchanged. The summary cost $0.50.',
    ],
    [
      'a compaction that came too late',
      {
        type: 'compaction_discarded',
        trigger: 'manual',
        why: sameInBoth('the conversation has changed'),
        usage: noUsage,
        costUsd: undefined,
      },
      'Discarded because the conversation has changed. The context is unchanged.',
    ],
    [
      'a summary made beside the turn',
      { type: 'summary_prepared', messages: 24, ms: 900, usage: noUsage, costUsd: 0.5 },
      'Summarised 24 messages in the background, ready for when room is needed. The summary cost $0.50.',
    ],
    ['a cancelled compaction', { type: 'compaction_cancelled', trigger: 'manual' }, 'Compaction cancelled; the history is unchanged.'],
    [
      'a retry',
      { type: 'retrying', why: sameInBoth('overloaded'), attempt: 2, waitMs: 4_000 },
      'Trying again in 4.0 s (attempt 2): overloaded',
    ],
    ['a warning', { type: 'warning', message: sameInBoth('disk nearly full') }, 'Warning: disk nearly full'],
    [
      'a rollback',
      { type: 'rolled_back', snapshotId: 'a', undoId: 'b', messages: 310, tokensBefore: 24_112, tokensAfter: 182_340 },
      'Rolled back to a: 310 messages, 24,112 -> 182,340 tokens. Undo: sanbot rollback --snapshot b',
    ],
    [
      'a clear',
      { type: 'cleared', snapshotId: 'a', messages: 5 },
      'Cleared 5 messages from the context. Undo: sanbot rollback --snapshot a',
    ],
    [
      'a sliding window',
      { type: 'window_slid', dropped: 4, tokensBefore: 9_000, tokensAfter: 5_000, snapshotId: 'a' },
      'Left out the 4 oldest messages to fit the window, 9,000 -> 5,000 tokens. Undo: sanbot rollback --snapshot a',
    ],
    [
      'an overflow',
      { type: 'overflow', attempt: 1, limitTokens: 200_000, sentTokens: 208_310 },
      'The request of 208,310 tokens was too long for the model (its limit: 200,000); making room, attempt 1.',
    ],
    [
      'another model',
      { type: 'model_changed', model: 'm2', windowTokens: 8_000, windowAssumed: true },
      'Model: m2, window 8,000 tokens (assumed: set model.contextWindow if you know it).',
    ],
  ])('of %s', (_, event, text) => {
    expect(lineOf(event)).toBe(text);
  });

  test('of the same model with another effort names the effort', () => {
    const changed = (model: string): SanbotEvent => ({ type: 'model_changed', model, windowTokens: 8_000, windowAssumed: false });
    expect(lineOf(changed('m1:high'), remembered(changed('m1')))).toBe('Effort: high.');
    expect(lineOf(changed('m1'), remembered(changed('m1:high')))).toBe('Effort: default.');
    expect(lineOf(changed('m2:high'), remembered(changed('m1')))).toBe('Model: m2:high, window 8,000 tokens.');
  });

  test.each<[string, SanbotEvent, string]>([
    [
      'failed',
      { type: 'compaction_failed', trigger: 'auto', why: { en: 'it is down', zh: '它没有响应' }, usage: noUsage, costUsd: 0.02 },
      '本次请求前的压缩失败，历史未改变：它没有响应。摘要费用 $0.02。',
    ],
    [
      'was cancelled',
      { type: 'compaction_cancelled', trigger: 'manual', usage: noUsage, costUsd: 0.02 },
      '压缩已取消，历史未改变。摘要费用 $0.02。',
    ],
  ])('of a compaction that %s tells its cost in Chinese without a blank between sentences', (_, event, text) => {
    setLanguage('zh');
    expect(lineOf(event)).toBe(text);
  });

  test('of a call has its name and outcome, and its time on the right where it took a second', () => {
    const started: SanbotEvent = { type: 'tool_started', toolUseId: 't1', tool: 'read_file', title: 'read_file src/app.ts' };
    const ended = {
      type: 'tool_ended',
      toolUseId: 't1',
      tool: 'read_file',
      ok: true,
      denied: false,
      bytes: 900,
      ms: 12,
      note: sameInBoth('42 lines'),
    } as const;
    const memory = remembered(started);
    expect(lineOf(ended, memory)).toBe('✓ Read src/app.ts  42 lines');
    expect(lineOf({ ...ended, ok: false, note: sameInBoth('exit 1') }, memory)).toBe('✗ Read src/app.ts  exit 1');
    expect(lineOf({ ...ended, ok: false, denied: true }, memory)).toBe('✗ Read src/app.ts  not allowed');
    expect(lineOf(ended, remembered(started, ended))).toBe('✓ Read  42 lines');
    expect(eventLine(memory, { ...ended, ms: 1_200 }, { columns: 40 })?.text).toBe('✓ Read src/app.ts  42 lines        1.2 s');
  });

  test('of a turn tells what it took, not what the context holds, which is another figure [C42]', () => {
    const memory = remembered(
      { type: 'request', purpose: 'turn', tokens: 50_000, windowTokens: 200_000 },
      { type: 'request', purpose: 'summary', tokens: 180_000, windowTokens: 200_000 },
    );
    const usage = { ...noUsage, inputTokens: 1_100_000, outputTokens: 1_234 };
    const ended = { type: 'turn_ended', stopReason: 'end_turn', steps: 4, usage, costUsd: 0.31, ms: 12_300 } as const;
    expect(lineOf(ended, memory)).toBe('12.3 s · 4 steps · $0.31');
    expect(lineOf({ ...ended, stopReason: 'interrupted' })).toBe('interrupted · 12.3 s · 4 steps · $0.31');
  });

  test('of a turn tells what was missed in the cache though nobody meant it', () => {
    const found = (changed: string, missedTokens: number, planned = false): SanbotEvent => ({
      ...{ type: 'reply', text: '', stopReason: 'tool_use', usage: undefined, costUsd: undefined },
      prefix: { changed, missedTokens, planned },
    });
    const told = [found('nothing', 0), found('messages', 40_000, true), found('tools', 90_000), found('tools', 8_000)];
    const ended = { type: 'turn_ended', stopReason: 'end_turn', steps: 4, usage: noUsage, costUsd: 0, ms: 12_300 } as const;
    expect(lineOf(ended, remembered(...told))).toBe('12.3 s · 4 steps · 98,000 tokens missed: tools changed');
    expect(lineOf(ended, remembered(...told, { type: 'turn_started' }))).toBe('12.3 s · 4 steps');
    setLanguage('zh');
    expect(lineOf(ended, remembered(...told))).toContain('98,000 token 未命中缓存：工具有变化');
  });

  test('shows control characters of titles, notes and reasons [S-24]', () => {
    const evil = 'x\u001b]0;pwned\u0007\r\u202e';
    const events: SanbotEvent[] = [
      { type: 'tool_ended', toolUseId: 't', tool: evil, ok: false, denied: false, bytes: 1, ms: 1, note: sameInBoth(evil) },
      { type: 'warning', message: sameInBoth(evil) },
      { type: 'retrying', why: sameInBoth(evil), attempt: 1, waitMs: 1 },
      { type: 'compaction_failed', trigger: 'auto', why: sameInBoth(evil) },
      { type: 'model_changed', model: evil, windowTokens: 1, windowAssumed: false },
      { type: 'rolled_back', snapshotId: evil, undoId: evil, messages: 1, tokensBefore: 1, tokensAfter: 1 },
    ];
    for (const event of events) expect(lineOf(event)).not.toMatch(/[\u001b\u0007\r\u202e]/);
    expect(busyText({ type: 'tool_started', toolUseId: 't', tool: 't', title: evil })).not.toMatch(/[\u001b\u0007\r\u202e]/);
  });

  test('is not printed for what was said or thought: that streams', () => {
    expect(lineOf({ type: 'text', text: 'hello' })).toBeUndefined();
    expect(lineOf({ type: 'reply', text: 'hello', stopReason: 'end_turn', usage: undefined, costUsd: undefined })).toBeUndefined();
  });
});

test('of a turn of which nothing came no row stands above the error that says why', () => {
  const ended = { type: 'turn_ended', stopReason: 'failed', usage: noUsage, costUsd: undefined, ms: 472 } as const;
  expect(lineOf({ ...ended, steps: 0 })).toBe(undefined);
  expect(lineOf({ ...ended, steps: 2 })).toBe('failed · 472 ms · 2 steps');
});

test('a call that got a no with words shows them', () => {
  const call = { type: 'tool_ended', toolUseId: 'a', tool: 'run_command', ok: false, denied: true, bytes: 0, ms: 1 } as const;
  expect(lineOf({ ...call, note: { en: 'denied', zh: '已拒绝' } })).toMatch(/ {2}not allowed$/);
  expect(lineOf({ ...call, note: { en: 'denied: use git', zh: '已拒绝：use git' } })).toMatch(/ {2}not allowed: use git$/);
});

test.each([40, 80])('what came of a call stands below it, whole, where the title would have no room beside it: %i columns', (columns) => {
  const why = 'look first at what the tests say, since another program reads the names in them, 先看看测试里的名称';
  const { text } = callRow({ ok: false, name: `Plan ${'x'.repeat(50)}`, outcome: `not accepted: ${why}`, ms: 0, columns });
  const [head = '', ...below] = text.split('\n');
  expect([head, ...below].map(textWidth).every((width) => width <= columns)).toBe(true);
  expect(head).toMatch(columns === 40 ? /^✗ Plan x+…$/ : /^✗ Plan x+$/);
  expect(below.every((row) => row.startsWith('    '))).toBe(true);
  expect(below.join(' ').replaceAll(/\s+/g, '')).toBe(`notaccepted:${why.replaceAll(' ', '')}`);
});
