import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { INVALID_JSON } from '../../../../src/domain/session/admit-reply.ts';
import type { ContentBlock } from '../../../../src/domain/session/message.ts';
import type { ModelReply } from '../../../../src/domain/session/model-answer.ts';
import { collectReply } from '../../../../src/model/anthropic/reply.ts';
import { BrokenStream, ReplyTooLarge } from '../../../../src/model/http/reply-bounds.ts';
import { replyEvents } from '../../../support/fake-sse.ts';

const quiet = { onText: () => undefined, onThinking: () => undefined };
const collect = (events: readonly object[]): ModelReply | undefined => {
  const collector = collectReply({ model: 'asked-model' }, quiet);
  for (const event of events) collector.push({ data: JSON.stringify(event), event: undefined, id: undefined });
  const answer = collector.finish();
  return answer?.kind === 'reply' ? answer : undefined;
};
const events = (content: readonly ContentBlock[], deltaChars = 3, stopReason = 'tool_use') =>
  replyEvents({ model: 'm', content, stopReason, usage: undefined }, deltaChars);

/** JSON has no negative zero. */
const asJson = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value> => value.map((each) => JSON.parse(JSON.stringify(each)));
const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const block: fc.Arbitrary<ContentBlock> = fc.oneof(
  text.filter((one) => one.trim() !== '').map((one) => ({ type: 'text', text: one })),
  fc.tuple(text, fc.uuid()).map(([thinking, signature]) => ({ type: 'thinking', thinking, signature })),
  asJson(fc.dictionary(text, fc.jsonValue())).map((input) => ({ type: 'tool_use', id: '', name: 'read_file', input })),
  asJson(fc.jsonValue()).map((payload) => ({ type: 'something_new', payload })),
);
const reply = fc
  .array(block, { maxLength: 6 })
  .map((blocks) => blocks.map((one, i) => (one.type === 'tool_use' ? { ...one, id: `toolu_${i}` } : one)))
  // A block that comes twice in a row is one that was sent twice.
  .filter((blocks) => blocks.every((one, at) => JSON.stringify(one) !== JSON.stringify(blocks[at - 1])));

describe('a reply put together from its stream', () => {
  test('is what was sent, however it was cut into pieces', () => {
    fc.assert(
      fc.property(reply, fc.integer({ min: 1, max: 9 }), (content, deltaChars) => {
        expect(collect(events(content, deltaChars))?.content).toEqual(content);
      }),
    );
  });

  test('is no reply before the stream says that it ended', () => {
    const all = events([{ type: 'text', text: 'a whole reply' }]);
    for (let kept = 0; kept < all.length - 1; kept++) expect(collect(all.slice(0, kept))).toBeUndefined();
    expect(collect(all)).toBeDefined();
  });

  test('takes its usage from the start and the end, and reports none when the server counts nothing', () => {
    const start = {
      type: 'message_start',
      message: { model: 'm', usage: { input_tokens: 5, cache_read_input_tokens: 7, output_tokens: 1 } },
    };
    const end = (usage: unknown) => [{ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage }, { type: 'message_stop' }];
    expect(collect([start, ...end({ output_tokens: 9, input_tokens: null })])?.usage).toEqual({
      inputTokens: 5,
      cacheReadTokens: 7,
      cacheWriteTokens: 0,
      outputTokens: 9,
    });
    expect(collect(end({ output_tokens: 9, input_tokens: 0 }))?.usage).toBeUndefined();
    expect(collect(end('many'))?.usage).toBeUndefined();
  });

  test('knows what of the tokens written to the cache stays there for an hour, and believes no more than was written', () => {
    const written = (ephemeral_1h_input_tokens: unknown) =>
      collect([
        {
          type: 'message_start',
          message: { model: 'm', usage: { cache_creation_input_tokens: 90, cache_creation: { ephemeral_1h_input_tokens } } },
        },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
        { type: 'message_stop' },
      ])?.usage;
    expect(written(60)).toEqual({ inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 90, cacheWrite1hTokens: 60, outputTokens: 1 });
    expect(written(1_000)).toMatchObject({ cacheWrite1hTokens: 90 });
    for (const none of [0, -1, 'many', undefined]) expect(written(none)).not.toHaveProperty('cacheWrite1hTokens');
  });

  test('names the model that answered, or the one that was asked', () => {
    expect(collect(events([]))?.model).toBe('m');
    expect(collect([{ type: 'message_delta', delta: { stop_reason: 'end_turn' } }, { type: 'message_stop' }])?.model).toBe('asked-model');
  });

  test('has no text without text, since the API refuses to take it back', () => {
    const blank = { type: 'text', text: ' \n' };
    const signed = { type: 'thinking', thinking: '', signature: 's' };
    const word = { type: 'text', text: 'x' };
    expect(collect(events([{ type: 'text', text: '' }, blank, word]))?.content).toEqual([word]);
    // What a signature may be bound to stays.
    expect(collect(events([blank, signed, blank]))?.content).toEqual([blank, signed]);
  });

  test('keeps arguments that are no JSON object as text [P16]', () => {
    const start = { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'a', name: 'n', input: {} } };
    const part = (json: string) => ({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: json } });
    const end = [{ type: 'message_delta', delta: { stop_reason: 'max_tokens' } }, { type: 'message_stop' }];
    expect(collect([start, part('{"a":'), part('"tr'), ...end])?.content[0]).toMatchObject({ input: { [INVALID_JSON]: '{"a":"tr' } });
    expect(collect([start, part(''), ...end])?.content[0]).toMatchObject({ input: {} });
  });

  test.each([
    ['no message_stop', [{ type: 'message_delta', delta: { stop_reason: 'tool_use' } }], 'tool_use'],
    ['null for a reason', [{ type: 'message_delta', delta: { stop_reason: null } }, { type: 'message_stop' }], 'tool_use'],
    ['an empty reason', [{ type: 'message_delta', delta: { stop_reason: '' } }, { type: 'message_stop' }], 'tool_use'],
    ['message_stop alone', [{ type: 'message_stop' }], 'tool_use'],
    ['a reason in other words', [{ type: 'message_delta', delta: { stop_reason: 'tool_calls' } }], 'tool_use'],
    ['the reason end_turn', [{ type: 'message_delta', delta: { stop_reason: 'end_turn' } }, { type: 'message_stop' }], 'end_turn'],
  ])('that ends with %s is whole', (_, end, stopReason) => {
    const call = { type: 'tool_use', id: 'a', name: 'n', input: { path: 'x' } };
    expect(collect([{ type: 'content_block_start', index: 0, content_block: call }, ...end])).toMatchObject({
      content: [call],
      stopReason,
    });
  });

  test('takes a server tool’s arguments and citations as they come', () => {
    const content = collect([
      { type: 'content_block_start', index: 0, content_block: { type: 'server_tool_use', id: 's', name: 'web_search', input: {} } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"q":"x"}' } },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: 'so', citations: [] } },
      { type: 'content_block_delta', index: 1, delta: { type: 'citations_delta', citation: { url: 'u' } } },
      { type: 'content_block_delta', index: 1, delta: { type: 'delta_of_2031', extra: 1 } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ])?.content;
    expect(content).toEqual([
      { type: 'server_tool_use', id: 's', name: 'web_search', input: { q: 'x' } },
      { type: 'text', text: 'so', citations: [{ url: 'u' }] },
    ]);
  });

  test.each([
    [[{ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{}' } }]],
    [[{ type: 'content_block_start', index: 0, content_block: null }]],
  ])('an event that fits nothing before it breaks the stream: %j', (broken) => {
    expect(() => collect(broken)).toThrow(BrokenStream);
  });

  const startOf = (index: number, type = 'text') => ({ type: 'content_block_start', index, content_block: { type, text: '', id: 'a' } });

  test('of more than 4,096 parts is cut', () => {
    expect(() => collect(Array.from({ length: 4_096 }, (_, index) => startOf(index)))).not.toThrow();
    expect(() => collect(Array.from({ length: 4_097 }, (_, index) => startOf(index)))).toThrow(ReplyTooLarge);
  });

  test.each([
    ['text_delta', 'text', 'text'],
    ['thinking_delta', 'thinking', 'thinking'],
    ['input_json_delta', 'partial_json', 'tool_use'],
  ])('with a part of more than 16 MiB of %s is cut', (type, field, block) => {
    const megabyte = { type: 'content_block_delta', index: 0, delta: { type, [field]: 'x'.repeat(1024 * 1024) } };
    expect(() => collect([startOf(0, block), ...Array.from({ length: 16 }, () => megabyte)])).not.toThrow();
    expect(() => collect([startOf(0, block), ...Array.from({ length: 17 }, () => megabyte)])).toThrow(ReplyTooLarge);
  });

  test('has no figures of usage that could not be stored, and no name of a megabyte', () => {
    const long = 'x'.repeat(1024 * 1024);
    const reply = collect([
      { type: 'message_start', message: { model: long, usage: { input_tokens: 1e300, cache_read_input_tokens: 5, output_tokens: -1 } } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 ** 53 } },
      { type: 'message_delta', delta: { stop_reason: long } },
      { type: 'message_stop' },
    ]);
    expect(reply).toMatchObject({
      model: 'asked-model',
      stopReason: 'end_turn',
      usage: { inputTokens: 0, cacheReadTokens: 5, cacheWriteTokens: 0, outputTokens: 0 },
    });
  });
});
