import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { fetchFacts, listModels } from '../../../../src/model/anthropic/anthropic.ts';
import { anthropicAt, fakeSleep, IDLE_MS, listen, modelConfig } from '../../../support/model-rig.ts';
import { hello, outcomeOf } from '../../../support/played-api.ts';
import { selfSigned } from '../../../support/self-signed.ts';

const opened: Pick<Server, 'close' | 'closeAllConnections'>[] = [];
afterEach(() => {
  for (const server of opened.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${portOf(server.address())}`;
}

const portOf = (address: string | AddressInfo | null): number => (typeof address === 'object' && address !== null ? address.port : 0);

describe('a request to a model follows no redirect', () => {
  test.each([301, 302, 303, 307, 308])('%i to another origin, or to the same', async (status) => {
    const reached: string[] = [];
    const elsewhere = await serve((incoming, response) => {
      reached.push(`elsewhere ${incoming.url}`);
      response.end();
    });
    for (const target of [`${elsewhere}/v1/messages?token=t`, '/here/instead']) {
      let asked = 0;
      const url = await serve((incoming, response) => {
        asked += 1;
        if (incoming.url?.startsWith('/here') === true) reached.push('here');
        response.writeHead(status, { location: target }).end();
      });
      const { sleep, slept } = fakeSleep(IDLE_MS);
      const error = await outcomeOf(anthropicAt(url, { sleep })(hello, listen()));
      expect(error).toMatchObject({ code: 'model_unreachable', message: expect.stringContaining('redirects to http://127.0.0.1') });
      expect(String(error)).not.toContain('token=t');
      expect({ asked, slept }).toEqual({ asked: 1, slept: [] });
    }
    expect(reached).toEqual([]);
  });

  test('of a list of models the good entries stay where others are none [B-41]', async () => {
    const data = [null, 5, { id: 'one' }, {}, { id: null }, [], { id: 'two' }];
    const url = await serve((_, response) => void response.setHeader('content-type', 'application/json').end(JSON.stringify({ data })));
    expect(await listModels(listOptions(url), new AbortController().signal)).toEqual(['one', 'two']);
  });

  test('nor does the question what a model can do', async () => {
    const reached: string[] = [];
    const elsewhere = await serve((incoming, response) => {
      reached.push(incoming.url ?? '');
      response.end();
    });
    const url = await serve((_, response) => void response.writeHead(307, { location: elsewhere }).end());
    expect(await fetchFacts('some-model', listOptions(url), new AbortController().signal)).toBeUndefined();
    expect(await listModels(listOptions(url), new AbortController().signal)).toEqual([]);
    expect(reached).toEqual([]);
  });
});

const listOptions = (url: string, deadline = new AbortController().signal) => ({
  ...{
    env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'key' },
    settings: modelConfig,
    modelSource: () => '--model',
    random: () => 1,
    retryCount: 0,
    log: () => undefined,
    deadline: () => deadline,
  },
  ...{ idleTimeoutMs: 0, capRetryAfterMs: 0, maxTotalRetryMs: 0, sleep: fakeSleep(IDLE_MS).sleep },
});

test('a certificate that is not trusted is told at once, and not tried again', async () => {
  const server = createTlsServer(selfSigned('localhost'), (_, response) => void response.end());
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { sleep, slept } = fakeSleep(IDLE_MS);
  const error = await outcomeOf(anthropicAt(`https://localhost:${portOf(server.address())}`, { sleep })(hello, listen()));
  expect(error).toMatchObject({ code: 'model_unreachable', hint: expect.stringContaining('NODE_EXTRA_CA_CERTS') });
  expect(slept).toEqual([]);
});

describe('an answer without an end is cut', () => {
  const megabyte = Buffer.alloc(1024 * 1024, 'x');
  const start = 'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n';
  const delta = `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"${megabyte}"}}\n\n`;

  /** Sends the same piece for ever, as fast as it is taken; says how often. */
  async function endless(
    status: number,
    type: string,
    first: string,
    piece: string | Buffer,
  ): Promise<{ url: string; sent: () => number }> {
    let sent = 0;
    const url = await serve((_, response) => {
      response.writeHead(status, { 'content-type': type });
      response.write(first);
      const next = (): void => {
        sent += 1;
        if (!response.destroyed) response.write(piece, next);
      };
      next();
    });
    return { url, sent: () => sent };
  }

  test.each([
    ['text in one part', start, delta, 'more than 16 MiB in one part'],
    ['pings', '', `event: ping\ndata: {"type":"ping","pad":"${megabyte}"}\n\n`, 'more than 64 MiB'],
    ['a line that never ends', 'data: "', megabyte, 'more than 16 MiB in one part'],
  ])('%s', async (_, first, piece, why) => {
    const server = await endless(200, 'text/event-stream', first, piece);
    const { sleep, slept } = fakeSleep(IDLE_MS);
    const error = await outcomeOf(anthropicAt(server.url, { sleep })(hello, listen()));
    expect(error).toMatchObject({ code: 'model_failed', message: expect.stringContaining(why) });
    expect(slept).toEqual([]);
    expect(server.sent()).toBeLessThan(160);
  });

  test.each([
    ['', '{"data":[{"id":"', 200],
    [', also where it is an error', '{"error":{"message":"', 400],
  ])('a list of models%s', async (_, first, status) => {
    const server = await endless(status, 'application/json', first, megabyte);
    const { signal } = new AbortController();
    expect(await fetchFacts('some-model', listOptions(server.url), signal)).toBeUndefined();
    expect(await listModels(listOptions(server.url), signal)).toEqual([]);
    expect(server.sent()).toBeLessThan(80);
  });

  test('a list of models that comes too slowly, once its time is over', async () => {
    const late = new AbortController();
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"data":[', () => late.abort());
    });
    const { signal } = new AbortController();
    expect(await fetchFacts('some-model', listOptions(url, late.signal), signal)).toBeUndefined();
    expect(await listModels(listOptions(url, late.signal), signal)).toEqual([]);
  });

  test('an error whose text never ends', async () => {
    const server = await endless(400, 'application/json', '', megabyte);
    const error = await outcomeOf(anthropicAt(server.url)(hello, listen()));
    expect(error).toMatchObject({ code: 'model_failed', message: expect.stringMatching(/^.{1,600}$/s) });
    expect(server.sent()).toBeLessThan(80);
  });
});
