import { createServer } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { SanbotError } from '../../../../src/domain/errors.ts';
import { createAnthropic } from '../../../../src/model/anthropic/anthropic.ts';
import { anthropicAt, asks, fakeSleep, IDLE_MS, listen, modelConfig, requestOf } from '../../../support/model-rig.ts';
import { fakeApis, hello, outcomeOf } from '../../../support/played-api.ts';
import { misbehaves, type Step, status } from '../../../support/scenario.ts';

const { api, played, close } = fakeApis();
afterEach(close);

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
    const outcome = await outcomeOf(anthropicAt(server.url)(hello, listen()));
    expect(outcome).toMatchObject({ code: 'model_unreachable', message: `No connection to ${host}: connection refused.` });
  });

  test('a body too large for the API is an overflow without being sent [C22, C46]', async () => {
    const ask = createAnthropic({ ...offTheNet, env: { ANTHROPIC_API_KEY: 'key' } });
    const answer = await ask(requestOf([asks('x'.repeat(33 * 1024 * 1024))]), listen());
    expect(answer).toEqual({ kind: 'overflow', limitTokens: undefined, sentTokens: undefined });
  });

  test.each([{}, { ANTHROPIC_API_KEY: ' ' }])('no key is told before anything is sent', async (env) => {
    const outcome = await outcomeOf(createAnthropic({ ...offTheNet, env })(hello, listen()));
    expect(outcome).toMatchObject({ code: 'model_key', message: 'No API key is set for api.anthropic.com.' });
  });
});

const offTheNet = {
  settings: modelConfig,
  modelSource: () => '--model',
  sleep: fakeSleep(IDLE_MS).sleep,
  random: () => 0,
  retryCount: 0,
  idleTimeoutMs: IDLE_MS,
  capRetryAfterMs: 0,
  maxTotalRetryMs: 0,
  log: () => undefined,
};

test('huge headers and a server that hangs up are failures like any other [B-28]', async () => {
  const rude = createServer((_, response) => response.writeHead(200, { 'x-huge': 'h'.repeat(100_000) }).end());
  await new Promise<void>((resolve) => rude.listen(0, '127.0.0.1', resolve));
  const address = rude.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const outcome = await outcomeOf(anthropicAt(`http://127.0.0.1:${port}`, { retryCount: 1 })(hello, listen()));
  expect(outcome).toMatchObject({ code: 'model_unreachable' });
  rude.close();
});
