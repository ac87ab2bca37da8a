import { afterEach, describe, expect, test } from 'vitest';
import { AbortedError } from '../../../../src/domain/errors.ts';
import { anthropicAt, fakeSleep, IDLE_MS, listen } from '../../../support/model-rig.ts';
import { fakeApis, hello, outcomeOf, said } from '../../../support/played-api.ts';
import { type Mischief, misbehaves, replies, status } from '../../../support/scenario.ts';

const { api, played, close } = fakeApis();
afterEach(close);

describe('what may pass by itself is tried again', () => {
  test.each([408, 409, 429, 500, 502, 503, 504, 529])('status %i', async (code) => {
    const { outcome, slept, heard, server } = await played([status(code, 'api_error', 'busy'), replies('ok')]);
    expect(outcome).toMatchObject(said('ok'));
    expect(slept).toEqual([500]);
    expect(heard.retries).toMatchObject([{ attempt: 1, waitMs: 500 }]);
    server.done();
  });

  test('as often as the request says, when it says so', async () => {
    const server = await api([status(529, 'overloaded_error', 'busy')]);
    expect(await outcomeOf(anthropicAt(server.url)({ ...hello, retryCount: 0 }, listen()))).toMatchObject({ code: 'model_failed' });
    server.done();
  });

  const broken: readonly (readonly [why: string, mischief: Mischief])[] = [
    ['the connection was ', { how: 'reset' }],
    ['the stream ended before the reply did', { how: 'premature_end' }],
    ['the stream holds something that is not JSON', { how: 'bad_json' }],
    ['overloaded', { how: 'error_event', type: 'overloaded_error', message: 'Overloaded' }],
    ['Internal server error', { how: 'error_event', type: 'api_error', message: 'Internal server error' }],
    ['server error (502)', { how: 'status', status: 502, body: '<html><h1>Bad gateway</h1></html>' }],
  ];
  test.each(broken)('%s: that is not half a reply [B-28]', async (why, mischief) => {
    const { outcome, heard, server } = await played([misbehaves(mischief), replies('whole')]);
    expect(outcome).toEqual(expect.objectContaining(said('whole')));
    expect(heard.retries).toMatchObject([{ why: { en: expect.stringContaining(why) } }]);
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
    expect(heard.retries).toMatchObject([{ why: { en: 'nothing arrived for 40 s' }, attempt: 1 }]);
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
    const asked = outcomeOf(anthropicAt(server.url)(hello, heard));
    await server.stalled();
    heard.abort();
    expect(await asked).toBeInstanceOf(AbortedError);
    expect(heard.retries).toEqual([]);
    await server.abandoned();
  });
});
