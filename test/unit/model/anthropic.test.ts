import { createServer } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { AbortedError, SanbotError } from '../../../src/domain/errors.ts';
import { createAnthropic } from '../../../src/model/anthropic.ts';
import { INVALID_JSON } from '../../../src/model/reply.ts';
import { type FakeApi, type FakeApiOptions, startFakeApi } from '../../support/fake-api.ts';
import { anthropicAt, asks, fakeSleep, IDLE_MS, listen, modelConfig, requestOf } from '../../support/model-rig.ts';
import { answersWith, callsTool, type Mischief, misbehaves, replies, type Step, status } from '../../support/scenario.ts';

const opened: FakeApi[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((api) => api.close()));
});

const api = async (steps: readonly Step[], options: FakeApiOptions = {}): Promise<FakeApi> => {
  const started = await startFakeApi(steps, options);
  opened.push(started);
  return started;
};

const hello = requestOf([asks('hi')]);
const said = (text: string) => ({ kind: 'reply', content: [{ type: 'text', text }] });
const failureOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => 'answered',
    (error: unknown) => error,
  );

/** Answers with the steps in turn; tells what was waited and said. */
const played = async (steps: readonly Step[], more: Parameters<typeof anthropicAt>[1] = {}) => {
  const server = await api(steps);
  const { sleep, slept } = fakeSleep(IDLE_MS);
  const heard = listen();
  const outcome = await failureOf(anthropicAt(server.url, { sleep, ...more })(hello, heard).then((answer) => Promise.reject(answer)));
  return { outcome, slept, heard, server };
};

describe('what may pass by itself is tried again', () => {
  test.each([408, 409, 429, 500, 502, 503, 504, 529])('status %i', async (code) => {
    const { outcome, slept, heard, server } = await played([status(code, 'api_error', 'busy'), replies('ok')]);
    expect(outcome).toMatchObject(said('ok'));
    expect(slept).toEqual([500]);
    expect(heard.retries).toMatchObject([{ attempt: 1, waitMs: 500 }]);
    server.done();
  });

  const broken: readonly Mischief[] = [
    { how: 'reset' },
    { how: 'premature_end' },
    { how: 'bad_json' },
    { how: 'error_event', type: 'overloaded_error', message: 'Overloaded' },
    { how: 'error_event', type: 'api_error', message: 'Internal server error' },
    { how: 'status', status: 502, body: '<html><h1>Bad gateway</h1></html>' },
    // No word on why it ended.
    { how: 'cut_tool_json', name: 'read_file', json: '{}', stopReason: '' },
  ];
  test.each(broken)('a stream that ends by $how is not half a reply [B-28]', async (mischief) => {
    const { outcome, heard, server } = await played([misbehaves(mischief), replies('whole')]);
    expect(outcome).toEqual(expect.objectContaining(said('whole')));
    expect(heard.retries).toHaveLength(1);
    server.done();
  });

  test.each(['stall', 'hang'] as const)('a stream that falls silent (%s) is given up after the idle time', async (how) => {
    const server = await api([misbehaves({ how }), replies('awake')]);
    const { sleep, passIdle } = fakeSleep(IDLE_MS);
    const heard = listen();
    const asked = anthropicAt(server.url, { sleep })(hello, heard);
    await server.stalled();
    passIdle();
    expect(await asked).toMatchObject(said('awake'));
    expect(heard.retries).toMatchObject([{ why: 'nothing came for 40 s', attempt: 1 }]);
  });

  test('the waits double, and are drawn from their upper half', async () => {
    const { slept } = await played([...Array(3).fill(status(500, 'api_error', 'no')), replies('ok')], { random: () => 0 });
    expect(slept).toEqual([250, 500, 1000]);
  });

  test('retry-after is honoured, in seconds, in milliseconds and as a date', async () => {
    const date = 'Wed, 21 Oct 2026 07:28:00 GMT';
    const { slept } = await played([
      status(429, 'rate_limit_error', 'slow', { 'retry-after': '7' }),
      status(529, 'overloaded_error', 'busy', { 'retry-after-ms': '1234' }),
      status(503, 'api_error', 'later', { 'retry-after': 'Wed, 21 Oct 2026 07:28:09 GMT', date }),
      replies('ok'),
    ]);
    expect(slept).toEqual([7_000, 1_234, 9_000]);
  });

  test('a retry-after of an hour is cut to the cap', async () => {
    const { slept, outcome } = await played([status(429, 'rate_limit_error', 'slow', { 'retry-after': '3600' }), replies('ok')]);
    expect(slept).toEqual([60_000]);
    expect(outcome).toMatchObject(said('ok'));
  });

  test('the last failure is told when the retries are used up', async () => {
    const { outcome, slept, server } = await played(Array(4).fill(status(529, 'overloaded_error', 'Overloaded')));
    expect(outcome).toMatchObject({ code: 'model_failed', message: expect.stringContaining('529: Overloaded') });
    expect(slept).toEqual([500, 1000, 2000]);
    server.done();
  });

  test('all waits together have a bound', async () => {
    const slow = status(429, 'rate_limit_error', 'slow', { 'retry-after': '50' });
    const { outcome, slept } = await played([slow, slow, slow], { maxTotalRetryMs: 110_000, retryCount: 9 });
    expect(slept).toEqual([50_000, 50_000]);
    expect(outcome).toMatchObject({ code: 'model_failed' });
  });

  test('the answer’s own word on retrying is followed', async () => {
    const no = await played([status(500, 'api_error', 'never', { 'x-should-retry': 'false' })]);
    expect(no.outcome).toMatchObject({ code: 'model_failed' });
    const yes = await played([status(400, 'invalid_request_error', 'once more', { 'x-should-retry': 'true' }), replies('ok')]);
    expect(yes.outcome).toMatchObject(said('ok'));
  });

  test('an abort during the wait ends it', async () => {
    const server = await api([status(500, 'api_error', 'no')]);
    const heard = listen();
    const idle = fakeSleep(IDLE_MS).sleep;
    const sleep: typeof idle = (ms, signal) => {
      if (ms === IDLE_MS / 4) return idle(ms, signal);
      heard.abort();
      return Promise.reject(new AbortedError());
    };
    await expect(anthropicAt(server.url, { sleep })(hello, heard)).rejects.toBeInstanceOf(AbortedError);
    server.done();
  });

  test.each(['stall', 'hang'] as const)('an abort during a %s ends it at once', async (how) => {
    const server = await api([misbehaves({ how })]);
    const heard = listen();
    const asked = failureOf(anthropicAt(server.url)(hello, heard));
    await server.stalled();
    heard.abort();
    expect(await asked).toBeInstanceOf(AbortedError);
  });
});

describe('what will not pass by itself', () => {
  const final: readonly (readonly [step: Step, expected: object])[] = [
    [
      status(401, 'authentication_error', 'invalid x-api-key'),
      { code: 'model_key', message: expect.stringContaining('ANTHROPIC_API_KEY') },
    ],
    [status(403, 'permission_error', 'not yours'), { code: 'model_key', message: expect.stringContaining('not yours') }],
    [status(402, 'billing_error', 'pay first'), { code: 'model_failed', message: expect.stringContaining('pay first') }],
    [
      status(404, 'not_found_error', 'model: claude-sonnet-5-5'),
      { code: 'model_failed', message: expect.stringContaining(`no model "claude-sonnet-5-5", set by SanBot's default`) },
    ],
    [
      misbehaves({ how: 'status', status: 404, body: '<html>nginx</html>' }),
      { code: 'model_failed', hint: expect.stringContaining('ANTHROPIC_BASE_URL') },
    ],
    [
      status(400, 'invalid_request_error', 'max_tokens: 250000 > 128000, which is the maximum allowed number of output tokens'),
      { code: 'model_failed', message: expect.stringContaining('maximum allowed') },
    ],
    [status(400, 'invalid_request_error', 'messages.3: `tool_use` ids were found without `tool_result` blocks'), { code: 'model_failed' }],
    [
      misbehaves({ how: 'status', status: 429, body: { error: { type: 'insufficient_quota', message: 'quota' } } }),
      { code: 'model_failed' },
    ],
    [misbehaves({ how: 'error_event', type: 'invalid_request_error', message: 'no' }), { code: 'model_failed' }],
    [
      misbehaves({ how: 'status', status: 200, body: '<html>Log in to the hotel</html>' }),
      { code: 'model_failed', message: expect.stringContaining('text/html') },
    ],
  ];
  test.each(final)('$answer.mischief ends the request at the first answer [O3]', async (step, expected) => {
    const { outcome, slept } = await played([step]);
    expect(outcome).toBeInstanceOf(SanbotError);
    expect(outcome).toMatchObject(expected);
    expect(slept).toEqual([]);
  });

  test('a 413 without a body is an overflow, once [C22]', async () => {
    const { outcome, server } = await played([misbehaves({ how: 'status', status: 413 })]);
    expect(outcome).toEqual({ kind: 'overflow', limitTokens: undefined, sentTokens: undefined });
    server.done();
  });

  test('a rate limit that speaks of tokens is no overflow [P6]', async () => {
    const { outcome } = await played(Array(4).fill(status(429, 'rate_limit_error', 'prompt is too long: 30000 tokens > 20000 maximum')));
    expect(outcome).toMatchObject({ code: 'model_failed' });
  });

  test('a refused connection names the host', async () => {
    const server = await api([]);
    const host = new URL(server.url).host;
    await server.close();
    const outcome = await failureOf(anthropicAt(server.url)(hello, listen()));
    expect(outcome).toMatchObject({ code: 'model_unreachable', message: `No connection to ${host}: connection refused.` });
  });

  test('a body too large for the API is an overflow without being sent [C22, C46]', async () => {
    const ask = createAnthropic({ ...offTheNet, env: { ANTHROPIC_API_KEY: 'key' } });
    const answer = await ask(requestOf([asks('x'.repeat(33 * 1024 * 1024))]), listen());
    expect(answer).toEqual({ kind: 'overflow', limitTokens: undefined, sentTokens: undefined });
  });

  test.each([{}, { ANTHROPIC_API_KEY: ' ' }])('no key is told before anything is sent', async (env) => {
    const outcome = await failureOf(createAnthropic({ ...offTheNet, env })(hello, listen()));
    expect(outcome).toMatchObject({ code: 'model_key', message: 'No API key is set for api.anthropic.com.' });
  });
});

const offTheNet = {
  config: modelConfig,
  sleep: fakeSleep(IDLE_MS).sleep,
  random: () => 0,
  retryCount: 0,
  idleTimeoutMs: IDLE_MS,
  capRetryAfterMs: 0,
  maxTotalRetryMs: 0,
  log: () => undefined,
};

describe('a reply that cannot be taken as it is', () => {
  test('arguments that were cut off are kept as text, under a stop reason that is not tool_use [P16, B-11]', async () => {
    const json = '{"path":"a.txt","content":"half of i';
    const { outcome } = await played([misbehaves({ how: 'cut_tool_json', name: 'write_file', json, stopReason: 'max_tokens' })]);
    expect(outcome).toMatchObject({
      content: [{ type: 'tool_use', name: 'write_file', input: { [INVALID_JSON]: json } }],
      stopReason: 'max_tokens',
    });
  });

  test.each(['null', '[1]', '"{}"', '{'])(
    'arguments that are %s are kept as text, so that the history can be sent again [P16]',
    async (json) => {
      const { outcome } = await played([misbehaves({ how: 'cut_tool_json', name: 'read_file', json, stopReason: 'tool_use' })]);
      expect(outcome).toMatchObject({ content: [{ type: 'tool_use', input: { [INVALID_JSON]: json } }] });
    },
  );

  test('a window that is full before a word was said is an overflow', async () => {
    const usage = { inputTokens: 10, cacheReadTokens: 5, cacheWriteTokens: 0, outputTokens: 1 };
    const { outcome } = await played([answersWith([], 'model_context_window_exceeded', { usage })]);
    expect(outcome).toEqual({ kind: 'overflow', limitTokens: undefined, sentTokens: 15 });
    const begun = await played([answersWith([{ type: 'text', text: 'It is' }], 'model_context_window_exceeded')]);
    expect(begun.outcome).toMatchObject({ kind: 'reply', stopReason: 'model_context_window_exceeded' });
  });

  test('a call id that was used before is replaced [B-11, F7]', async () => {
    const server = await api([callsTool('read_file', {}, 'call_0')]);
    const earlier = [
      asks('hi'),
      { role: 'assistant' as const, content: [{ type: 'tool_use', id: 'call_0', name: 'read_file', input: {} }] },
      { role: 'user' as const, content: [{ type: 'tool_result', tool_use_id: 'call_0', content: 'x' }] },
    ];
    const answer = await anthropicAt(server.url)(requestOf(earlier), listen());
    expect(answer).toMatchObject({ content: [{ type: 'tool_use', id: 'call_0_2' }] });
  });
});

describe('what is sent', () => {
  test('the key as the API wants it, and as other servers want it', async () => {
    const { server } = await played([replies('ok')]);
    expect(server.requests[0]?.headers).toMatchObject({ authorization: 'Bearer key', 'x-api-key': 'key' });
  });

  test('a token, alone', async () => {
    const server = await api([replies('ok')]);
    await anthropicAt(server.url, { env: { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_AUTH_TOKEN: 'token' } })(hello, listen());
    expect(server.requests[0]?.headers.authorization).toBe('Bearer token');
    expect(server.requests[0]?.headers).not.toHaveProperty('x-api-key');
  });

  test('no key at all to an endpoint of one’s own that has none', async () => {
    const server = await api([replies('ok')]);
    await anthropicAt(server.url, { env: {}, config: { ...modelConfig, baseUrl: `${server.url}/v1/` } })(hello, listen());
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(server.requests[0]?.headers).not.toHaveProperty('x-api-key');
  });

  test('streaming, and no sampling parameters', async () => {
    const { server } = await played([replies('ok')]);
    expect(server.requests[0]?.body).toMatchObject({
      stream: true,
      model: 'claude-sonnet-5-5',
      thinking: { type: 'adaptive', display: 'summarized' },
    });
    server.done();
  });
});

test('what the SDK says goes where it is told to, and only when asked for', async () => {
  const lines: string[] = [];
  const server = await api([replies('ok'), replies('ok')]);
  const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'secret-key' };
  const log = (line: string): void => void lines.push(line);
  await anthropicAt(server.url, { env, log })(hello, listen());
  expect(lines).toEqual([]);
  await anthropicAt(server.url, { env: { ...env, ANTHROPIC_LOG: 'debug' }, log })(hello, listen());
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join('\n')).not.toContain('secret-key');
});

test('huge headers and a server that hangs up are failures like any other [B-28]', async () => {
  const rude = createServer((_, response) => response.writeHead(200, { 'x-huge': 'h'.repeat(100_000) }).end());
  await new Promise<void>((resolve) => rude.listen(0, '127.0.0.1', resolve));
  const address = rude.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const outcome = await failureOf(anthropicAt(`http://127.0.0.1:${port}`, { retryCount: 1 })(hello, listen()));
  expect(outcome).toMatchObject({ code: 'model_unreachable' });
  rude.close();
});
