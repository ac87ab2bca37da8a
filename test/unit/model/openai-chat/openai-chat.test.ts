import { afterEach, describe, expect, test } from 'vitest';
import { INVALID_JSON } from '../../../../src/domain/session/admit-reply.ts';
import { readArguments } from '../../../../src/model/http/answer-fields.ts';
import { collectChatReply } from '../../../../src/model/openai-chat/reply.ts';
import { type FakeApi, startFakeApi } from '../../../support/fake-api.ts';
import { chatWire } from '../../../support/fake-chat.ts';
import { asks, listen, openAiChatAt, requestOf } from '../../../support/model-rig.ts';
import { misbehaves, replies, type Step } from '../../../support/scenario.ts';

const apis: FakeApi[] = [];
afterEach(async () => {
  await Promise.all(apis.splice(0).map((api) => api.close()));
});

const refusal = (message: string, status = 400): Step =>
  misbehaves({ how: 'status', status, body: { error: { message, type: 'invalid_request_error' } } });

const ask = async (steps: readonly Step[], more: Parameters<typeof requestOf>[1] = {}) => {
  const api = await startFakeApi(steps, { wire: chatWire() });
  apis.push(api);
  const warnings: string[] = [];
  const client = openAiChatAt(api.url, { warn: (line) => void warnings.push(line.en) });
  const request = requestOf([asks('hi')], more);
  const answers = [await client(request, listen()), await client(request, listen())];
  return { answers, warnings, bodies: api.requests.map(({ body }) => body) };
};

describe('what a server refuses is left out from then on, and the request goes on', () => {
  test.each([
    ['registry.example/gemma:2b does not support tools', 'tools'],
    ['"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', 'tools'],
    ['`tool calling` is not supported with this model', 'tools'],
    ['Unrecognized request argument supplied: stream_options', 'stream_options'],
  ])('%s', async (message, field) => {
    const { answers, warnings, bodies } = await ask([refusal(message), replies('one'), replies('two')]);
    expect(answers).toMatchObject([{ content: [{ text: 'one' }] }, { content: [{ text: 'two' }] }]);
    expect(bodies.map((body) => field in body)).toEqual([true, false, false]);
    expect(warnings).toHaveLength(field === 'tools' ? 1 : 0);
  });

  test('the highest effort by the next lower word, and any effort where there is none, which is told once', async () => {
    const unknownLevel = refusal("Unsupported value: 'reasoning_effort' does not support 'xhigh' with this model.");
    const none = refusal('Unrecognized request argument supplied: reasoning_effort');
    const { bodies, warnings } = await ask([unknownLevel, replies('a'), none, replies('b')], { effort: 'max' });
    expect(bodies.map(({ reasoning_effort: effort }) => effort)).toEqual(['xhigh', 'high', 'high', undefined]);
    expect(warnings).toEqual([expect.stringContaining('cannot be told how hard to think')]);
    expect((await ask([replies('a'), replies('b')])).bodies[0]).not.toHaveProperty('reasoning_effort');
  });

  test('a limit that is too high for the model, or for what the window leaves', async () => {
    const cap = await ask([
      refusal('max_tokens is too large: 4096. This model supports at most 512 completion tokens.'),
      replies('a'),
      replies('b'),
    ]);
    expect(cap.bodies.map(({ max_tokens: limit }) => limit)).toEqual([4_096, 512, 512]);
    const room = await ask([
      refusal(
        "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context length is 2048 tokens and your request has 1000 input tokens",
      ),
      replies('a'),
      replies('b'),
    ]);
    expect(room.bodies.map(({ max_tokens: limit }) => limit)).toEqual([4_096, 1_048, 1_048]);
  });

  test('a system prompt that a template has no place for stands before the first words of the user', async () => {
    const api = await startFakeApi([refusal('System role not supported', 500), replies('one')], { wire: chatWire() });
    apis.push(api);
    await openAiChatAt(api.url)(requestOf([asks('hi')]), listen());
    expect(api.requests[1]?.body.messages).toEqual([{ role: 'user', content: 'You are SanBot.\n\nhi' }]);
  });

  test.each([
    'The messages are not to our taste',
    // A limit of what is asked, not of the reply.
    'prompt_tokens must be less than or equal to 2000',
  ])('a refusal that says nothing of a field ends the request: %s', async (message) => {
    const api = await startFakeApi([refusal(message)], { wire: chatWire() });
    apis.push(api);
    await expect(openAiChatAt(api.url)(requestOf([asks('hi')]), listen())).rejects.toMatchObject({ code: 'model_failed' });
    expect(api.requests).toHaveLength(1);
  });
});

describe('a reply', () => {
  const read = (...chunks: readonly unknown[]) => {
    const thoughts: string[] = [];
    const collector = collectChatReply(requestOf([]), { onText: () => undefined, onThinking: (text) => void thoughts.push(text) });
    for (const chunk of chunks)
      collector.push({ data: typeof chunk === 'string' ? chunk : JSON.stringify(chunk), id: undefined, event: undefined });
    return { answer: collector.finish(), thoughts };
  };
  const delta = (fields: object, finish: string | null = null) => ({ choices: [{ index: 0, delta: fields, finish_reason: finish }] });
  const call = (fields: object) => delta({ tool_calls: [fields] });

  test('has each of several calls that all came under one number', () => {
    const { answer } = read(
      call({ index: 0, id: 'a', function: { name: 'read_file', arguments: '{"path":"a"}' } }),
      call({ index: 0, id: 'b', function: { name: 'read_file', arguments: '{"path":"b"}' } }),
      delta({}, 'stop'),
    );
    expect(answer).toMatchObject({
      stopReason: 'tool_use',
      content: [
        { id: 'a', input: { path: 'a' } },
        { id: 'b', input: { path: 'b' } },
      ],
    });
  });

  test('has calls without numbers, and arguments that are an object', () => {
    const { answer } = read(
      call({ id: 'a', function: { name: 'x', arguments: { n: 1 } } }),
      call({ id: 'b', function: { name: 'y', arguments: '{}' } }),
      '[DONE]',
    );
    expect(answer).toMatchObject({
      content: [
        { id: 'a', name: 'x', input: { n: 1 } },
        { id: 'b', name: 'y', input: {} },
      ],
    });
  });

  test.each(['reasoning_content', 'reasoning'])('keeps what was thought in the field %s, to be sent back in it', (field) => {
    const { answer, thoughts } = read(delta({ [field]: 'Hm' }), delta({ [field]: '.' }), delta({ content: 'Yes' }), delta({}, 'stop'));
    expect(thoughts.join('')).toBe('Hm.');
    expect(answer).toMatchObject({
      content: [
        { type: 'thinking', thinking: 'Hm.', field },
        { type: 'text', text: 'Yes' },
      ],
    });
  });

  test('counts what was read from a cache apart, by whichever name', () => {
    const usage = (raw: object) =>
      read(delta({ content: 'a' }, 'stop'), { choices: [], usage: { prompt_tokens: 100, completion_tokens: 5, ...raw } }).answer;
    expect(usage({ prompt_tokens_details: { cached_tokens: 60 } })).toMatchObject({
      usage: { inputTokens: 40, cacheReadTokens: 60, outputTokens: 5 },
    });
    expect(usage({ prompt_cache_hit_tokens: 60 })).toMatchObject({ usage: { inputTokens: 40, cacheReadTokens: 60 } });
    expect(usage({ prompt_tokens: 0 })).toMatchObject({ usage: undefined });
  });

  test.each([
    ['stop', 'end_turn'],
    ['eos', 'end_turn'],
    ['length', 'max_tokens'],
    ['content_filter', 'refusal'],
    ['model_length', 'model_context_window_exceeded'],
    ['tool_calls', 'end_turn'],
    ['of_2031', 'of_2031'],
  ])('that ends with %s and without a call has the stop reason %s', (finish, stopReason) => {
    expect(read(delta({ content: 'a' }, finish)).answer).toMatchObject({ stopReason });
  });

  test.each([['stop'], ['tool_calls'], ['function_call']])('that ends with %s and has a call calls a tool', (finish) => {
    expect(read(call({ index: 0, id: 'a', function: { name: 'x', arguments: '{}' } }), delta({}, finish)).answer).toMatchObject({
      stopReason: 'tool_use',
    });
  });

  test('with a refusal says it, as one', () => {
    expect(read(delta({ refusal: 'I will not.' }), delta({}, 'stop')).answer).toMatchObject({
      stopReason: 'refusal',
      content: [{ text: 'I will not.' }],
    });
  });

  test('is none until the server says that it ended, and none that the server gave up', () => {
    expect(read(delta({ content: 'half' })).answer).toBeUndefined();
    expect(() => read(delta({ content: 'half' }), delta({}, 'insufficient_system_resource'))).toThrow('the server gave the reply up');
    expect(() => read({ error: { message: 'Overloaded' } })).toThrow('Overloaded');
  });
});

describe('arguments', () => {
  test.each([
    ['{"a":1}', { a: 1 }],
    ['', {}],
    ['```json\n{"a":1}\n```', { a: 1 }],
    ['"{\\"a\\":1}"', { a: 1 }],
    ['{"a":[1,2,],}', { a: [1, 2] }],
    ['{"text":"one\ntwo"}', { text: 'one\ntwo' }],
    ['{"a":1} I have called it.', { a: 1 }],
  ])('%s are read', (text, expected) => {
    expect(readArguments(text, { mends: true })).toEqual(expected);
  });

  test.each(['{"a":', 'read a.txt', '[1]'])('%s are kept as text, for the model to write again', (text) => {
    expect(readArguments(text, { mends: true })).toEqual({ [INVALID_JSON]: text });
  });

  test('that were cut off are not repaired', () => {
    expect(readArguments('{"path":"a",}')).toEqual({ [INVALID_JSON]: '{"path":"a",}' });
  });
});
