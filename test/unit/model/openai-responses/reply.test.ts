import { describe, expect, test } from 'vitest';
import type { ModelAnswer } from '../../../../src/domain/session/model-answer.ts';
import { ApiRefusal } from '../../../../src/model/http/describe-error.ts';
import { collectResponse } from '../../../../src/model/openai-responses/reply.ts';

type Events = readonly Readonly<Record<string, unknown>>[];

const collect = (events: Events): { readonly answer: ModelAnswer | undefined; readonly texts: string; readonly thoughts: string } => {
  const texts: string[] = [];
  const thoughts: string[] = [];
  const collector = collectResponse('asked', { onText: (text) => texts.push(text), onThinking: (text) => thoughts.push(text) });
  for (const event of events) collector.push({ data: JSON.stringify(event), event: undefined, id: undefined });
  return { answer: collector.finish(), texts: texts.join(''), thoughts: thoughts.join('') };
};

const completed = (more: Readonly<Record<string, unknown>> = {}) => ({
  type: 'response.completed',
  response: { model: 'gpt-6-sol-2026-09-22', status: 'completed', output: [], ...more },
});

const reasoning = { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'Look first.' }], encrypted_content: 'gAAA' };
const call = { id: 'fc_1', type: 'function_call', status: 'completed', call_id: 'call_1', name: 'read_file', arguments: '{"path":"a"}' };
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  phase: 'commentary',
  content: [{ type: 'output_text', text: 'Reading.' }],
};

test('reasoning, text and calls become blocks in their order; the item stays with its reasoning, its seal apart', () => {
  const { answer } = collect([completed({ output: [reasoning, message, call] })]);
  expect(answer).toEqual({
    kind: 'reply',
    model: 'gpt-6-sol-2026-09-22',
    stopReason: 'tool_use',
    usage: undefined,
    content: [
      {
        type: 'thinking',
        thinking: 'Look first.',
        signature: 'gAAA',
        reasoning: { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'Look first.' }] },
      },
      { type: 'text', text: 'Reading.', phase: 'commentary' },
      { type: 'tool_use', id: 'call_1', name: 'read_file', input: { path: 'a' } },
    ],
  });
});

test('text and thoughts are heard as they come, parts of thoughts apart', () => {
  const at = { output_index: 0, item_id: 'x' };
  const { texts, thoughts } = collect([
    { type: 'response.created', response: { model: 'm' } },
    { type: 'response.reasoning_summary_part.added', ...at, summary_index: 0 },
    { type: 'response.reasoning_summary_text.delta', ...at, delta: 'One.' },
    { type: 'response.reasoning_summary_part.added', ...at, summary_index: 1 },
    { type: 'response.reasoning_summary_text.delta', ...at, delta: 'Two.' },
    { type: 'response.output_text.delta', output_index: 1, delta: 'Hel' },
    { type: 'response.output_text.delta', output_index: 1, delta: 'lo' },
    { type: 'response.event_of_2031', output_index: 1, delta: '!' },
    completed({ output: [reasoning, message] }),
  ]);
  expect([texts, thoughts]).toEqual(['Hello', 'One.\n\nTwo.']);
});

test('a server that ends its stream without the items, or never says that one is done, is read from the pieces', () => {
  const pieces: Events = [
    { type: 'response.output_item.added', output_index: 0, item: { type: 'message', role: 'assistant', content: [] } },
    { type: 'response.output_text.delta', output_index: 0, delta: 'Hel' },
    { type: 'response.output_text.delta', output_index: 0, delta: 'lo' },
    { type: 'response.output_item.added', output_index: 1, item: { ...call, arguments: '' } },
    { type: 'response.function_call_arguments.delta', output_index: 1, delta: '{"pa' },
    { type: 'response.function_call_arguments.delta', output_index: 1, delta: 'th":"b"}' },
  ];
  const { answer } = collect([...pieces, completed()]);
  expect(answer).toMatchObject({
    content: [
      { type: 'text', text: 'Hello' },
      { type: 'tool_use', id: 'call_1', input: { path: 'b' } },
    ],
    stopReason: 'tool_use',
  });
  expect(collect(pieces).answer).toBeUndefined();
});

describe('what is cached is part of the input', () => {
  const usageOf = (usage: unknown) => {
    const { answer } = collect([completed({ usage })]);
    return answer?.kind === 'reply' ? answer.usage : 'no reply';
  };

  test('reads and writes are taken out of it', () => {
    const details = { cached_tokens: 1_024, cache_write_tokens: 300 };
    expect(usageOf({ input_tokens: 2_000, input_tokens_details: details, output_tokens: 7 })).toEqual({
      inputTokens: 676,
      cacheReadTokens: 1_024,
      cacheWriteTokens: 300,
      outputTokens: 7,
    });
  });

  test.each([
    [{ input_tokens: 10, input_tokens_details: { cached_tokens: 50 }, output_tokens: 1 }, [0, 10, 0, 1]],
    [{ input_tokens: 10, output_tokens: 1 }, [10, 0, 0, 1]],
    [{ input_tokens: 10, input_tokens_details: { cached_tokens: -5, cache_write_tokens: 'x' } }, [10, 0, 0, 0]],
  ])(
    'no figure is below zero, nor the parts more than the whole: %j',
    (usage, [inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens]) => {
      expect(usageOf(usage)).toEqual({ inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens });
    },
  );

  test.each([undefined, null, {}, { input_tokens: 0, output_tokens: 5 }, { input_tokens: 1e12 }])('none is told by %j', (usage) => {
    expect(usageOf(usage)).toBeUndefined();
  });
});

describe('the stop reason', () => {
  const incomplete = (reason: string, output: Events = [message, { ...call, status: 'incomplete', arguments: '{"pa' }]) => ({
    type: 'response.incomplete',
    response: { status: 'incomplete', incomplete_details: { reason }, output },
  });

  test('a response cut off by its limit is not a call, whatever it holds', () => {
    expect(collect([incomplete('max_output_tokens')]).answer).toMatchObject({
      stopReason: 'max_tokens',
      content: [{ type: 'text' }, { type: 'tool_use', input: { INVALID_JSON: '{"pa' } }],
    });
  });

  test('a filter, and a refusal, are refusals', () => {
    expect(collect([incomplete('content_filter', [message])]).answer).toMatchObject({ stopReason: 'refusal' });
    const refusal = { ...message, content: [{ type: 'refusal', refusal: 'I cannot.' }] };
    expect(collect([completed({ output: [refusal] })]).answer).toMatchObject({
      stopReason: 'refusal',
      content: [{ type: 'text', text: 'I cannot.' }],
    });
  });
});

describe('an error inside the stream', () => {
  const thrownBy = (event: Readonly<Record<string, unknown>>): unknown => {
    try {
      return collect([event]);
    } catch (error) {
      return error instanceof ApiRefusal ? error.failure : error;
    }
  };

  test.each([
    [
      'response.failed',
      { type: 'response.failed', response: { status: 'failed', error: { code: 'server_error', message: 'Try later.' } } },
    ],
    ['error', { type: 'error', code: 'server_error', message: 'Try later.', param: null }],
  ])('%s that may pass has a type of its own', (_, event) => {
    expect(thrownBy(event)).toMatchObject({ origin: 'stream_error', type: 'server_error', message: 'Try later' });
  });

  test('one about the request is final', () => {
    const error = { code: 'invalid_prompt', message: 'Invalid prompt.' };
    expect(thrownBy({ type: 'response.failed', response: { status: 'failed', error } })).toMatchObject({
      type: 'invalid_request_error',
      code: 'invalid_prompt',
    });
  });
});

test('an answer that came whole says its text at once', () => {
  const texts: string[] = [];
  const collector = collectResponse('asked', { onText: (text) => texts.push(text), onThinking: () => undefined });
  collector.whole({ status: 'completed', output: [message] });
  expect(collector.finish()).toMatchObject({ content: [{ type: 'text', text: 'Reading.' }], model: 'asked' });
  expect(texts).toEqual(['Reading.']);
});

test('items of other types are kept to be sent back', () => {
  const item = { type: 'item_of_2031', id: 'x', payload: [1, null] };
  expect(collect([completed({ output: [item] })]).answer).toMatchObject({ content: [{ type: 'openai_item', item }] });
});

test('an event without the number of its item is about the newest', () => {
  expect(collect([{ type: 'response.output_text.delta', delta: 'x' }, completed()]).answer).toMatchObject({ content: [{ text: 'x' }] });
});
