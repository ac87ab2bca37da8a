import { describe, expect, test } from 'vitest';
import type { ContentBlock, WireMessage } from '../../../../src/domain/session/message.ts';
import { afterThisTest } from '../../../support/clean-up.ts';
import { startFakeApi } from '../../../support/fake-api.ts';
import { chatWire } from '../../../support/fake-chat.ts';
import { asks, listen, openAiChatAt, requestOf } from '../../../support/model-rig.ts';
import { callsTools, misbehaves, replies, type Step } from '../../../support/scenario.ts';

const refusal = (message: string, status = 400): Step =>
  misbehaves({ how: 'status', status, body: { error: { message, type: 'invalid_request_error' } } });

async function ask(messages: readonly WireMessage[], steps: readonly Step[], times = 1) {
  const api = await startFakeApi(steps, { wire: chatWire() });
  afterThisTest(() => api.close());
  const warnings: string[] = [];
  const slept: number[] = [];
  const client = openAiChatAt(api.url, {
    warn: (line) => void warnings.push(line.en),
    sleep: (ms, signal) =>
      ms >= 10_000
        ? new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        : Promise.resolve(void slept.push(ms)),
  });
  const answers = [];
  for (let n = 0; n < times; n++) answers.push(await client(requestOf(messages), listen()));
  const sent = api.requests.map(({ body }) => (Array.isArray(body.messages) ? body.messages.slice(1) : []));
  api.done();
  return { answers, warnings, slept, sent, bodies: api.requests.map(({ body }) => body) };
}

const image: ContentBlock = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
const url = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
const calls = (...ids: readonly string[]): WireMessage => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool_use', id, name: 'read_file', input: { path: id } })),
});
const results = (...content: readonly ContentBlock[]): WireMessage => ({ role: 'user', content });
const result = (id: string, content: string | readonly ContentBlock[], more: object = {}): ContentBlock => ({
  ...{ type: 'tool_result', tool_use_id: id, content },
  ...more,
});

describe('images', () => {
  test('of the user are parts of what the user says', async () => {
    const { sent } = await ask([{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] }], [replies('A cat.')]);
    expect(sent[0]).toEqual([{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, url] }]);
  });

  test('of a result follow it, since the API takes none in it', async () => {
    const { sent } = await ask([asks('look'), calls('a'), results(result('a', [image]))], [replies('A cat.')]);
    expect(sent[0]?.slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: '(an image, which follows)' },
      { role: 'user', content: [url] },
    ]);
  });

  test.each([
    'This model does not support image input',
    'mm is not a multimodal model',
    'messages[1].content must be a string: invalid type',
  ])('are left out where they are refused (%s), which is told once', async (message) => {
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] }] as const;
    const { sent, warnings } = await ask(messages, [refusal(message), replies('I see nothing.'), replies('Nothing.')], 2);
    const without = [{ role: 'user', content: 'What is this?\n\n[image: not sent, since this model takes none]' }];
    expect(sent.slice(1)).toEqual([without, without]);
    expect(warnings).toEqual([expect.stringContaining('takes no images')]);
  });
});

test('the system prompt has the role developer where the older one is refused', async () => {
  const message = "Unsupported value: 'messages[0].role' does not support 'system' with this model. Use 'developer' instead.";
  const { bodies } = await ask([asks('hi')], [refusal(message), replies('one'), replies('two')], 2);
  expect(bodies.map(({ messages }) => Object(messages)[0].role)).toEqual(['system', 'developer', 'developer']);
});

test('ids of calls are made short where the server takes no others, alike in call and result', async () => {
  const message = 'Tool call id was toolu_01 but must be a-z, A-Z, 0-9, with a length of 9.';
  const history = [asks('read'), calls('toolu_01', 'toolu_02'), results(result('toolu_01', 'one'), result('toolu_02', 'two'))];
  const { sent } = await ask(history, [refusal(message), replies('Done.')]);
  const [, reply, ...answered] = sent[1] ?? [];
  const ids: readonly string[] = reply.tool_calls.map(({ id }: { readonly id: string }) => id);
  expect(ids).toEqual([expect.stringMatching(/^[a-zA-Z0-9]{9}$/), expect.stringMatching(/^[a-zA-Z0-9]{9}$/)]);
  expect(new Set(ids).size).toBe(2);
  expect(answered.map(({ tool_call_id: id }) => id)).toEqual(ids);
});

test('parallel calls come in pieces and go back each with its own result, failures marked', async () => {
  const inputs = [{ path: 'a.txt' }, { path: '文件 b.txt' }];
  const { answers } = await ask([asks('read both')], [callsTools(inputs.map((input) => ({ name: 'read_file', input })))]);
  expect(answers[0]).toMatchObject({
    stopReason: 'tool_use',
    content: inputs.map((input) => ({ type: 'tool_use', name: 'read_file', input })),
  });
  const { sent } = await ask(
    [asks('go'), calls('a', 'b'), results(result('a', 'text'), result('b', 'no such file', { is_error: true }))],
    [replies('ok')],
  );
  expect(sent[0]?.slice(2)).toEqual([
    { role: 'tool', tool_call_id: 'a', content: 'text' },
    { role: 'tool', tool_call_id: 'b', content: 'Error: no such file' },
  ]);
});

test.each([
  [{ 'retry-after': '2' }, 2_000],
  [{ 'retry-after-ms': '150' }, 150],
])('a rate limit is waited for as long as the server says (%j), and nothing is learned from it', async (headers, waited) => {
  const limit = misbehaves({
    how: 'status',
    status: 429,
    headers,
    body: { error: { message: 'Rate limit reached for max_tokens. This model does not support tools at this rate.' } },
  });
  const { slept, bodies, warnings } = await ask([asks('hi')], [limit, replies('At last.')]);
  expect(slept).toContain(waited);
  expect(bodies[1]).toEqual(bodies[0]);
  expect(warnings).toEqual([]);
});

test('what is used up for good is not waited for', async () => {
  const spent = misbehaves({
    how: 'status',
    status: 429,
    body: { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } },
  });
  await expect(ask([asks('hi')], [spent])).rejects.toMatchObject({ name: 'SanbotError' });
});

test('a server that does not stream, or reports no usage, is answered all the same', async () => {
  const { answers, bodies } = await ask(
    [asks('hi')],
    [refusal('Streaming is not supported'), replies('whole', { usage: null }), replies('again')],
    2,
  );
  expect(bodies.map(({ stream }) => stream)).toEqual([true, false, false]);
  expect(answers).toMatchObject([
    { content: [{ text: 'whole' }], usage: undefined },
    { content: [{ text: 'again' }], usage: { outputTokens: expect.any(Number) } },
  ]);
});

test('where tools are refused, calls and results that were made before are told as text', async () => {
  const history = [asks('read'), calls('a'), results(result('a', 'forty-two'), { type: 'text', text: 'And?' })];
  const { sent, warnings, bodies } = await ask(history, [refusal('m does not support tools'), replies('Forty-two.'), replies('Yes.')], 2);
  expect(sent[1]).toEqual([
    { role: 'user', content: 'read' },
    { role: 'assistant', content: 'Call of read_file: {"path":"a"}' },
    { role: 'user', content: 'Result of the call:\nforty-two\n\nAnd?' },
  ]);
  expect(bodies.slice(1).some((body) => 'tools' in body)).toBe(false);
  expect(warnings).toEqual([expect.stringContaining('takes no tools')]);
});
