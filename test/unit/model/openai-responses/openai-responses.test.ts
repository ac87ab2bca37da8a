import { afterEach, describe, expect, test } from 'vitest';
import { factsFor } from '../../../../src/model/catalog.ts';
import { type FakeResponses, type FakeResponsesOptions, startFakeResponses } from '../../../support/fake-responses.ts';
import { asks, listen, modelConfig, requestOf, responsesAt } from '../../../support/model-rig.ts';
import { callsTools, misbehaves, replies, type Step } from '../../../support/scenario.ts';

let api: FakeResponses | undefined;
afterEach(async () => api?.close());

const start = async (steps: readonly Step[], options: FakeResponsesOptions = {}): Promise<FakeResponses> => {
  api = await startFakeResponses(steps, options);
  return api;
};

const request = requestOf([asks('hi')], { model: 'gpt-6-sol' });

test('a request keeps nothing at the provider, asks for sealed reasoning, and says where its prefix is kept', async () => {
  const { url, bodies, headers } = await start([replies('Hello.')]);
  await responsesAt(url)(request, listen());
  expect(bodies).toEqual([
    {
      model: 'gpt-6-sol',
      instructions: 'You are SanBot.',
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] }],
      tools: [
        {
          type: 'function',
          name: 'read_file',
          description: 'Reads a file.',
          parameters: { type: 'object', properties: { path: { type: 'string' } } },
          strict: false,
        },
      ],
      parallel_tool_calls: true,
      reasoning: { summary: 'auto' },
      include: ['reasoning.encrypted_content'],
      prompt_cache_key: expect.stringMatching(/^[0-9a-f]{32}$/),
      max_output_tokens: 4_096,
      store: false,
      stream: true,
    },
  ]);
  expect(headers[0]?.authorization).toBe('Bearer key');
});

test('the key of the cache is that of the session: the same after a compaction, none for a summary of a transcript', async () => {
  const { url, bodies } = await start([replies('1'), replies('2'), replies('3'), replies('4')]);
  const ask = responsesAt(url);
  await ask(request, listen());
  await ask({ ...request, messages: [asks('[Compressed History] …')], system: [...request.system, 'Another short summary.'] }, listen());
  await ask({ ...request, purpose: 'summary', tools: [], system: ['Summarise.'] }, listen());
  await ask({ ...request, purpose: 'summary', onPrefix: true }, listen());
  const [turn, later, transcript, prefix] = bodies.map((body) => body.prompt_cache_key);
  expect(later).toBe(turn);
  expect(transcript).toBeUndefined();
  expect(prefix).toBe(turn);
});

test('parallel calls, their reasoning and their results go back and forth', async () => {
  const made = [
    { name: 'read_file', input: { path: 'a' }, id: 'call_a' },
    { name: 'read_file', input: { path: 'b "c"' }, id: 'call_b' },
  ];
  const { url, done } = await start([callsTools(made, { thinking: 'Both at once.' }), replies('Read.')]);
  const ask = responsesAt(url);
  const heard = listen();
  const answer = await ask(request, heard);
  if (answer.kind !== 'reply') throw new Error('expected a reply');
  expect(heard.thoughts.join('')).toBe('Both at once.');
  const results = made.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'x' }));
  await ask(
    { ...request, messages: [...request.messages, { role: 'assistant', content: answer.content }, { role: 'user', content: results }] },
    listen(),
  );
  done();
});

describe('a field that is refused is left out from then on', () => {
  test.each([
    ['reasoning', "Unsupported parameter: 'reasoning.summary' is not supported with this model."],
    ['reasoning', 'Your organization must be verified to generate reasoning summaries.'],
    ['include', 'Encrypted content is not supported with this model.'],
    ['prompt_cache_key', "Unknown parameter: 'prompt_cache_key'."],
    ['parallel_tool_calls', "Unsupported parameter: 'parallel_tool_calls'"],
  ])('%s: %s', async (field, words) => {
    const { url, bodies } = await start([replies('one'), replies('two')], { refuses: { [field]: words } });
    const ask = responsesAt(url);
    const heard = listen();
    expect(await ask(request, heard)).toMatchObject({ content: [{ text: 'one' }] });
    expect(await ask(request, heard)).toMatchObject({ content: [{ text: 'two' }] });
    expect(heard.retries).toEqual([]);
    expect(bodies.filter((body) => field in body)).toEqual([]);
    expect(bodies).toHaveLength(2);
  });

  test('another refusal is not taken for one', async () => {
    const { url } = await start([misbehaves({ how: 'status', status: 400, body: { error: { message: "Invalid value for 'model'." } } })]);
    await expect(responsesAt(url)(request, listen())).rejects.toMatchObject({ code: 'model_failed' });
  });
});

test('a model that is known not to reason is not asked to', async () => {
  const { url, bodies } = await start([replies('ok')]);
  await responsesAt(url, { reasons: () => false })({ ...request, model: 'gpt-4.1' }, listen());
  expect(bodies[0]).not.toHaveProperty('reasoning');
  expect(bodies[0]).not.toHaveProperty('include');
});

describe('the room for the reply', () => {
  const room = async (more: Partial<typeof request>, windowTokens: number): Promise<unknown> => {
    const { url, bodies } = await start([replies('ok')]);
    const facts = () => factsFor('x', { ...modelConfig, contextWindow: windowTokens, maxOutputTokens: 20_000 }, 'anthropic');
    await responsesAt(url, { facts })({ ...request, ...more }, listen());
    await api?.close();
    return bodies[0]?.max_output_tokens;
  };

  test('is what was asked for, within the window, and never next to nothing', async () => {
    expect(await room({ maxOutputTokens: 5_000 }, 100_000)).toBe(5_000);
    expect(await room({ maxOutputTokens: 50_000 }, 100_000)).toBe(20_000);
    expect(await room({ maxOutputTokens: 50_000 }, 8_000)).toBeLessThan(8_000);
    expect(await room({ maxOutputTokens: 50_000, messages: [asks('x '.repeat(15_000))] }, 8_000)).toBe(1_024);
  });

  test('of a summary leaves some for the reasoning before it', async () => {
    expect(await room({ purpose: 'summary', maxOutputTokens: 1_000 }, 100_000)).toBe(9_000);
  });
});

test('an error in the stream that may pass is asked for again, and an overflow in it is an answer', async () => {
  const { url } = await start([
    misbehaves({ how: 'error_event', type: 'server_error', message: 'The server had an error.' }),
    misbehaves({ how: 'premature_end' }),
    replies('whole'),
    misbehaves({
      how: 'error_event',
      type: 'context_length_exceeded',
      message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
    }),
  ]);
  const ask = responsesAt(url);
  const heard = listen();
  expect(await ask(request, heard)).toMatchObject({ content: [{ text: 'whole' }] });
  expect(heard.retries).toHaveLength(2);
  expect(await ask(request, listen())).toEqual({ kind: 'overflow', limitTokens: undefined, sentTokens: undefined });
});

test('an effort goes beside the summary of the reasoning; a level or a field that is refused is left out, and told [Responses]', async () => {
  const refuses = (message: string): Step =>
    misbehaves({ how: 'status', status: 400, body: { error: { message, type: 'invalid_request_error' } } });
  const { url, bodies } = await start([
    refuses("Unsupported value: 'xhigh' is not supported with this model. Supported values are: 'low', 'medium', and 'high'."),
    replies('a'),
    refuses("Unsupported parameter: 'reasoning.effort' is not supported with this model."),
    replies('b'),
  ]);
  const told: string[] = [];
  const ask = responsesAt(url, { warn: ({ en }) => void told.push(en) });
  for (const _ of [1, 2]) expect(await ask({ ...request, effort: 'max' }, listen())).toMatchObject({ kind: 'reply' });
  const level = (effort: string) => ({ effort, summary: 'auto' });
  expect(bodies.map((body) => Object(body).reasoning)).toEqual([level('xhigh'), level('high'), level('high'), { summary: 'auto' }]);
  expect(told).toEqual([expect.stringContaining('cannot be told how hard to think')]);
});
