import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { describeError } from '../../../src/model/http/describe-error.ts';
import { TooManyBytes } from '../../../src/net/body.ts';
import { createSend } from '../../../src/net/send.ts';
import { afterThisTest } from '../../support/clean-up.ts';

type Seen = {
  readonly method: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly port: number;
};

/** A server, and how it is asked without a proxy. */
async function serve(answer: (response: ServerResponse, request: IncomingMessage) => void) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, headers, socket } = request;
    seen.push({ method, headers, body: Buffer.concat(chunks).toString(), port: socket.remotePort ?? 0 });
    answer(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterThisTest(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1?a=b`;
  const send = createSend();
  const ask = (signal = new AbortController().signal, headers: Parameters<typeof send>[1]['headers'] = {}) =>
    send(url, { headers, body: [Buffer.from('{"a":"'), Buffer.from('中"}')], signal });
  return { seen, ask, url };
}

const neverAborted = () => new AbortController().signal;

test('a body goes out whole with its length, and headers as they were set', async () => {
  const { seen, ask } = await serve((response) => response.writeHead(201, { 'X-Way': ['a', 'b'] }).end('done'));
  const answer = await ask(neverAborted(), { 'X-Api-Key': 'k', 'user-agent': 'mine' });
  expect([answer.status, answer.ok, answer.headers.get('X-WAY'), await answer.text()]).toEqual([201, true, 'a, b', 'done']);
  expect(seen).toEqual([
    expect.objectContaining({
      method: 'POST',
      body: '{"a":"中"}',
      headers: expect.objectContaining({ 'x-api-key': 'k', 'user-agent': 'mine', accept: '*/*', 'content-length': '11' }),
    }),
  ]);
  expect([...answer.headers.entries()]).toContainEqual(['x-way', 'a, b']);
});

test('headers may come as pairs, and one connection serves request after request', async () => {
  const { seen, ask } = await serve((response) => response.end('done'));
  for (const key of ['one', 'two']) await (await ask(neverAborted(), [['x-key', key]])).text();
  expect(seen.map(({ headers }) => headers['x-key'])).toEqual(['one', 'two']);
  expect(new Set(seen.map(({ port }) => port)).size).toBe(1);
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
] as const)('an answer that comes as %s all the same is read', async (encoding, compress) => {
  const { seen, ask } = await serve((response) =>
    response.writeHead(200, { 'content-encoding': encoding }).end(compress('词词词'.repeat(99))),
  );
  expect(await (await ask()).text()).toBe('词词词'.repeat(99));
  expect(seen[0]?.headers['accept-encoding']).toBeUndefined();
});

test('a redirect is not followed', async () => {
  const { seen, ask } = await serve((response) => response.writeHead(307, { location: '/elsewhere' }).end());
  expect(await ask()).toMatchObject({ status: 307, ok: false });
  expect(seen).toHaveLength(1);
});

test('an abort ends the wait for an answer, and the reading of one', async () => {
  const waiting = new AbortController();
  const { ask } = await serve((response, request) => {
    if (request.headers['x-answer'] === undefined) waiting.abort();
    else response.writeHead(200).write('begun');
  });
  await expect(ask(waiting.signal)).rejects.toThrow();
  await expect(ask(waiting.signal)).rejects.toThrow();
  const reading = new AbortController();
  const answer = await ask(reading.signal, { 'x-answer': '1' });
  const read = async () => {
    for await (const _ of answer.body) reading.abort();
  };
  await expect(read()).rejects.toThrow('aborted');
});

test('an abort after the answer has come whole, but before it is read, raises nothing', async () => {
  const { ask } = await serve((response) => response.end('whole'));
  const controller = new AbortController();
  await ask(controller.signal);
  controller.abort();
  expect(await (await ask()).text()).toBe('whole');
});

test('an answer that is cut off is no whole one, and is told as a connection that was closed', async () => {
  const { ask } = await serve((response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half', () => response.destroy());
  });
  const error = await (await ask()).text().catch((failure: unknown) => failure);
  expect(describeError(error)).toMatchObject({ origin: 'broken', message: 'the connection was closed' });
});

test('headers without an end are told as such', async () => {
  const { ask } = await serve((response) => response.writeHead(200, { 'x-long': 'a'.repeat(40_000) }).end());
  const error = await ask().catch((failure: unknown) => failure);
  expect(describeError(error).message).toBe('the headers of the answer are too large');
});

describe('a way that checks addresses', () => {
  const { signal } = new AbortController();

  test('connects to what was judged, whatever the name is elsewhere, once for each connection', async () => {
    const { seen, url } = await serve((response) => response.end('done'));
    const port = Number(new URL(url).port);
    const asked: unknown[] = [];
    const send = createSend({
      reach: async (...target) => {
        asked.push(target);
        if (target[0] !== 'pages.test') throw new Error('not there');
        return { addresses: ['127.0.0.1'], port };
      },
    });
    for (const _ of ['first', 'kept']) expect(await (await send('http://pages.test:81/', { signal })).text()).toBe('done');
    await expect(send('http://[2001:db8::1]:81/', { signal })).rejects.toThrow('not there');
    expect(asked).toEqual([
      ['pages.test', 81],
      ['2001:db8::1', 81],
    ]);
    expect(seen.map(({ headers }) => headers.host)).toEqual(['pages.test:81', 'pages.test:81']);
  });

  test('shares no connection with one that does not', async () => {
    const { seen, url, ask } = await serve((response) => response.end('done'));
    await (await ask()).text();
    const checked = createSend({ reach: async (host) => expect.fail(`no way to ${host}`) });
    await expect(checked(url, { signal })).rejects.toThrow('no way to 127.0.0.1');
    expect(seen).toHaveLength(1);
  });
});

test.each([
  ['as it comes', { received: 1_000, decoded: 9_000_000 }, 'identity', 'x'.repeat(2_000)],
  ['decoded', { received: 9_000_000, decoded: 100_000 }, 'gzip', gzipSync('x'.repeat(9_000_000))],
  [
    'empty blocks',
    { received: 1_000, decoded: 100_000 },
    'deflate',
    Buffer.concat([Buffer.from([0x78, 0x9c]), Buffer.alloc(9_000, Buffer.from([0, 0, 0, 0xff, 0xff]))]),
  ],
] as const)('a body beyond its bounds ends: %s', async (_, bounds, encoding, body) => {
  const { url } = await serve((response) => response.writeHead(200, { 'content-encoding': encoding }).end(body));
  const answer = await createSend()(url, { signal: neverAborted(), bounds });
  await expect(answer.text()).rejects.toThrow(TooManyBytes);
});
