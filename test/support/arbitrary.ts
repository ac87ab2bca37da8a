import fc from 'fast-check';
import { type CompactionConfig, type Config, configSchema } from '../../src/domain/config/config.ts';
import { contradictions } from '../../src/domain/config/config-layers.ts';
import type { SessionContext } from '../../src/domain/session/context.ts';
import type { ContentBlock, Message, Usage } from '../../src/domain/session/message.ts';

/** Arbitrary conversations, for laws. Everything is built from generated values alone, so a failure shrinks and replays. */

const samples = [
  'read the file',
  '请把这个函数重构一下，不要改变行为。',
  '😀👩‍👩‍👧 done',
  '<|endoftext|>',
  'a\u2028b\r\nc\u0000',
  'Tool result is at: /etc/passwd',
  '   ',
  '',
];

/** Any UTF-16 string at all, halves of characters included. */
export const anyUtf16 = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)), maxLength: 200 });

/** Text as people and tools make it: often short, sometimes long, with and without line ends, in several scripts. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...samples) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 1, arbitrary: anyUtf16 },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom('word ', '重构', '{"key":1}\n', '😀', 'x', 'line\r\n', 'ab\n\n'), fc.nat(4_000))
      .map(([unit, times]) => unit.repeat(times)),
  },
);

export type TranscriptOptions = {
  /** Whether the last step may end with calls that have no result, or only some. */
  readonly open?: boolean;
  /** Whether a summary may come first. */
  readonly summary?: boolean;
};

type AnyCall = {
  readonly tool: string;
  readonly input: unknown;
  readonly result: string;
  readonly shape: 'text' | 'blocks' | 'image' | 'none';
  readonly ok: boolean;
  readonly readBack: boolean;
};
type AnyStep = {
  readonly thinking: boolean;
  readonly says: string;
  readonly calls: readonly AnyCall[];
  readonly together: boolean;
  readonly notice: boolean;
  readonly usage: number | undefined;
};
type AnyTurn = { readonly asks: readonly string[]; readonly steps: readonly AnyStep[]; readonly last: string };

const anyCall: fc.Arbitrary<AnyCall> = fc.record({
  tool: fc.constantFrom('read_file', 'run_command', 'search', 'mcp__db__query'),
  input: fc.oneof(
    fc.constant({}),
    fc.record({ path: anyText }),
    fc.record({
      list: fc.array(anyText, { maxLength: 2 }),
      deep: fc.record({ n: fc.double({ noNaN: true, noDefaultInfinity: true }), t: anyText }),
    }),
  ),
  result: anyText,
  shape: fc.constantFrom('text', 'text', 'text', 'blocks', 'image', 'none'),
  ok: fc.boolean(),
  readBack: fc.nat(9).map((n) => n === 0),
});

const anyStep: fc.Arbitrary<AnyStep> = fc.record({
  thinking: fc.boolean(),
  says: fc.oneof(fc.constant(''), anyText),
  calls: fc.array(anyCall, { minLength: 1, maxLength: 3 }),
  together: fc.boolean(),
  notice: fc.nat(5).map((n) => n === 0),
  usage: fc.option(fc.integer({ min: 1, max: 300_000 }), { nil: undefined }),
});

const anyTurn: fc.Arbitrary<AnyTurn> = fc.record({
  asks: fc.array(anyText, { minLength: 1, maxLength: 2 }),
  steps: fc.array(anyStep, { maxLength: 3 }),
  last: fc.oneof(fc.constant(''), anyText),
});

/** Conversations as a session can hold them: every call is answered before anything else is said, but perhaps for the last step. */
export const anyTranscript = ({ open = false, summary = true }: TranscriptOptions = {}): fc.Arbitrary<readonly Message[]> =>
  fc
    .record({
      turns: fc.array(anyTurn, { minLength: 1, maxLength: 5 }),
      starts: fc.boolean(),
      ending: fc.constantFrom('asked', 'answered', 'results', 'open'),
      answered: fc.nat(2),
    })
    .map(({ turns, starts, ending, answered }) =>
      build(turns, { summary: summary && starts, ending: !open && ending === 'open' ? 'results' : ending, answered }),
    );

type Ending = { readonly summary: boolean; readonly ending: 'asked' | 'answered' | 'results' | 'open'; readonly answered: number };

function build(turns: readonly AnyTurn[], { summary, ending, answered }: Ending): readonly Message[] {
  const messages: Message[] = [];
  const add = (message: Omit<Message, 'id' | 'at'>): void => {
    messages.push({ id: `m${messages.length}`, at: '2026-01-02T03:04:05.000Z', ...message });
  };
  if (summary) add({ role: 'user', origin: 'summary', content: [{ type: 'text', text: '[Compressed History]\nEarlier work.' }] });
  turns.forEach((turn, index) => {
    const isLast = index === turns.length - 1;
    for (const text of turn.asks)
      add({ role: 'user', origin: 'user', content: [{ type: 'text', text: text.trim() === '' ? 'go on' : text }] });
    if (isLast && ending === 'asked') return;
    turn.steps.forEach((step, at) => {
      const ids = step.calls.map((_, n) => `t${messages.length}_${n}`);
      add(assistantOf(step, ids));
      const cutShort = isLast && at === turn.steps.length - 1 && ending === 'open';
      for (const message of resultsOf(step, cutShort ? ids.slice(0, answered) : ids)) add(message);
      if (step.notice && !cutShort)
        add({ role: 'user', origin: 'notice', content: [{ type: 'text', text: 'The date is now 2026-01-03.' }] });
    });
    if (isLast && (ending === 'results' || ending === 'open')) return;
    add({
      role: 'assistant',
      origin: 'model',
      content: turn.last === '' ? [] : [{ type: 'text', text: turn.last }],
      stopReason: 'end_turn',
    });
  });
  return messages;
}

function assistantOf({ thinking, says, calls, usage }: AnyStep, ids: readonly string[]): Omit<Message, 'id' | 'at'> {
  const content: ContentBlock[] = [];
  if (thinking) content.push({ type: 'thinking', thinking: 'hm', signature: 'c2lnbmVk' });
  if (says !== '') content.push({ type: 'text', text: says });
  if (thinking) content.push({ type: 'from_the_future', payload: { kept: true } });
  calls.forEach(({ tool, input }, n) => {
    content.push({ type: 'tool_use', id: ids[n] ?? '', name: tool, input });
  });
  return { role: 'assistant', origin: 'model', content, stopReason: 'tool_use', ...(usage === undefined ? {} : { usage: usageOf(usage) }) };
}

export const usageOf = (inputTokens: number, outputTokens = 10): Usage => ({
  inputTokens,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens,
});

function resultsOf({ calls, together }: AnyStep, ids: readonly string[]): readonly Omit<Message, 'id' | 'at'>[] {
  const given = ids.map((id, n) => ({ id, call: calls[n] }));
  const blocks = given.map(
    ({ id, call }): ContentBlock => ({ type: 'tool_result', tool_use_id: id, ...contentOf(call), ...(call?.ok ? {} : { is_error: true }) }),
  );
  const readBack = given.filter(({ call }) => call?.readBack).map(({ id }) => id);
  const ours = (of: readonly string[]) => (of.length === 0 ? {} : { readBack: of });
  if (together) return blocks.length === 0 ? [] : [{ role: 'user', origin: 'tools', content: blocks, ...ours(readBack) }];
  return blocks.map((block, n) => ({ role: 'user', origin: 'tools', content: [block], ...ours(readBack.filter((id) => id === ids[n])) }));
}

const PIXEL = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ' } };

function contentOf(call: AnyCall | undefined): { readonly content?: string | readonly ContentBlock[] } {
  if (call === undefined || call.shape === 'none') return {};
  if (call.shape === 'text') return { content: call.result };
  const text: ContentBlock = { type: 'text', text: call.result };
  return { content: call.shape === 'blocks' ? [text, { type: 'text', text: 'more' }] : [text, PIXEL] };
}

/** A context around any transcript, with or without usage that measures it. */
export const anyContext = (options: TranscriptOptions = {}): fc.Arbitrary<SessionContext> =>
  fc.record({
    system: fc.constantFrom('You are SanBot.', '你是一个助手。'.repeat(50)),
    shortTermSummary: fc.constantFrom('', 'Goal: ship it.'),
    tools: fc.constantFrom(
      [],
      [{ name: 'read_file', description: 'Reads a file.', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }],
    ),
    messages: anyTranscript(options),
    anchorFloor: fc.nat(12),
  });

const ratio = fc.integer({ min: 50, max: 95 }).map((hundredths) => hundredths / 100);
const maybeTokens = fc.option(fc.integer({ min: 1, max: 3_000_000 }), { nil: null });

/** Any configuration that the schema and its relations let pass. */
export const anyConfig: fc.Arbitrary<Config> = fc
  .record({
    compaction: fc.record<Partial<CompactionConfig>>({
      preset: fc.constantFrom(null, null, 'development'),
      maxMessages: fc.integer({ min: 2, max: 500 }),
      softTokenRatio: ratio,
      maxTokenRatio: ratio,
      softThresholdTokens: maybeTokens,
      hardThresholdTokens: maybeTokens,
      maxToolOutputBytes: fc.integer({ min: 1, max: 1_000_000 }),
      softWindow: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 2_000_000 })),
      reserveTokens: fc.nat(300_000),
      keepRecentMessages: fc.nat(200),
      keepRecentTokens: fc.nat(300_000),
      targetTokens: fc.integer({ min: 1, max: 200_000 }),
      summaryMaxTokens: fc.integer({ min: 1, max: 200_000 }),
      restoreTokens: fc.option(fc.nat(300_000)),
      triggerThreshold: fc.nat(300_000),
      mode: fc.constantFrom('default', 'safeguard'),
    }),
    offload: fc.record({
      maxToolResultChars: fc.integer({ min: 500, max: 200_000 }),
      headKeepRatio: fc.double({ min: 0, max: 0.5, noNaN: true }),
      tailKeepRatio: fc.double({ min: 0, max: 0.5, noNaN: true }),
    }),
  })
  .map((given) => configSchema.parse(given))
  .filter((config) => contradictions(config).length === 0);
