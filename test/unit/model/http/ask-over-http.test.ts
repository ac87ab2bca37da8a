import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { valueAt } from '../../../../src/domain/value/json.ts';
import { askOverHttp, type Wire } from '../../../../src/model/http/ask-over-http.ts';
import type { AnswerCollector } from '../../../../src/model/http/read-answer.ts';
import { streamedRefusal } from '../../../../src/model/http/streamed-error.ts';
import { asks, fakeSleep, IDLE_MS, listen, requestOf } from '../../../support/model-rig.ts';
import { selfSigned } from '../../../support/self-signed.ts';

const servers: Pick<Server, 'close'>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const startServer = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // A port was listened on, so it is one.
  return `http://127.0.0.1:${port}`;
};

/** A wire of words: each event is one, "end" ends the reply. */
const words = (more: Partial<Wire> = {}): Wire => ({
  path: '/words',
  list: 'messages',
  body: ({ model }) => ({ model }),
  collect: (request, { onText }): AnswerCollector => {
    const said: string[] = [];
    let isEnded = false;
    return {
      push: ({ data }) => {
        if (data === 'broken') throw streamedRefusal({ error: { type: 'server_error', message: 'The engine stopped' } });
        if (data === 'end') isEnded = true;
        else onText(said[said.push(data) - 1] ?? '');
      },
      whole: (body) => {
        said.push(String(valueAt(body, ['said'])));
        isEnded = true;
      },
      isSaid: () => false,
      isOver: () => isEnded,
      finish: () =>
        isEnded
          ? {
              kind: 'reply',
              content: [{ type: 'text', text: said.join(' ') }],
              stopReason: 'end_turn',
              model: request.model,
              usage: undefined,
            }
          : undefined,
    };
  },
  ...more,
});

const askAt = (url: string, wire = words(), headers: Readonly<Record<string, string>> = {}) => {
  const { sleep, slept } = fakeSleep(IDLE_MS);
  const endpoint = () => ({
    baseUrl: url,
    host: new URL(url).host,
    key: { kind: 'api_key', value: 'secret', from: 'model.apiKey' } as const,
    headers,
    api: 'words API',
    addressSettings: 'model.baseUrl',
  });
  const ask = askOverHttp(wire, {
    ...{
      endpoint,
      env: {},
      sleep,
      random: () => 1,
      retryCount: 2,
      idleTimeoutMs: IDLE_MS,
      capRetryAfterMs: 60_000,
      maxTotalRetryMs: 300_000,
    },
    modelSource: () => '--model',
  });
  return { ask: () => ask(requestOf([asks('hi')]), listen()), slept };
};

const event = (data: string): string => `data: ${data}\n\n`;

test('a stream that breaks off or reports an error is asked for again, and only a whole reply is given out', async () => {
  const bodies = [event('half'), event('half') + event('broken'), event('a') + event('whole') + event('end')];
  const seen: unknown[] = [];
  const url = await startServer((request, response) => {
    seen.push([request.method, request.url, request.headers.authorization]);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(bodies.shift());
  });
  const { ask, slept } = askAt(url);
  expect(await ask()).toMatchObject({ kind: 'reply', content: [{ text: 'a whole' }] });
  expect(slept).toEqual([500, 1_000]);
  expect(seen).toEqual(Array(3).fill(['POST', '/words', 'Bearer secret']));
});

test('an answer in JSON is one that was not streamed', async () => {
  const url = await startServer(
    (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"said":"said at once"}'),
  );
  expect(await askAt(url).ask()).toMatchObject({ content: [{ text: 'said at once' }] });
});

test.each([301, 302, 303, 307, 308])('a redirect (%s) is not followed: neither key nor body goes elsewhere', async (status) => {
  const reached: string[] = [];
  const elsewhere = await startServer((request, response) => {
    reached.push(request.url ?? '');
    response.end();
  });
  const url = await startServer((_, response) => void response.writeHead(status, { location: `${elsewhere}/taken?key=1` }).end());
  await expect(askAt(url).ask()).rejects.toMatchObject({
    code: 'model_unreachable',
    message: `${new URL(url).host} redirects to ${elsewhere}/taken, and a request with a key is never sent on.`,
    hint: 'If that is the right address, set it as model.baseUrl.',
  });
  expect(reached).toEqual([]);
});

test('a certificate that is not trusted is told at once, and not tried again', async () => {
  const server = createTlsServer(selfSigned('localhost'), (_, response) => void response.end());
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // A port was listened on, so it is one.
  const { ask, slept } = askAt(`https://localhost:${port}`);
  await expect(ask()).rejects.toMatchObject({ code: 'model_unreachable', hint: expect.stringContaining('NODE_EXTRA_CA_CERTS') });
  expect(slept).toEqual([]);
});

test('a page instead of an answer is told with the name of the API', async () => {
  const url = await startServer((_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'));
  await expect(askAt(url).ask()).rejects.toThrow(`${url} answers with text/html, not with a stream of the words API.`);
});

test.each([
  ['{"error":{"message":"Bad thing.","type":"invalid_request_error"}}', 'Bad thing'],
  ['{"error":"model requires more memory"}', 'model requires more memory'],
  ['{"detail":"Not allowed"}', 'Not allowed'],
  ['{"message":"Unprocessable"}', 'Unprocessable'],
  ['[{"error":{"message":"In a list"}}]', 'In a list'],
  ['plain words', 'plain words'],
  ['<html><body>no</body></html>', undefined],
])('the words of a refusal are found in %s', async (body, words) => {
  const url = await startServer((_, response) => void response.writeHead(400).end(body));
  await expect(askAt(url).ask()).rejects.toThrow(`refused the request (400${words === undefined ? '' : `: ${words}`}).`);
});

test('a wire that learns from a refusal asks again at once, and not for ever', async () => {
  let asked = 0;
  const url = await startServer((_, response) => {
    asked += 1;
    response.writeHead(400).end('no');
  });
  const { ask, slept } = askAt(url, words({ adapt: () => true }));
  await expect(ask()).rejects.toMatchObject({ code: 'model_failed' });
  expect({ asked, slept }).toEqual({ asked: 9, slept: [] });
});

test('headers that are set for an endpoint are sent, and one named authorization stands for the key', async () => {
  const seen: unknown[] = [];
  const url = await startServer(({ headers }, response) => {
    seen.push([headers.authorization, headers['x-title']]);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(event('end'));
  });
  await askAt(url, words(), { 'X-Title': 'SanBot', Authorization: 'Token t' }).ask();
  expect(seen).toEqual([['Token t', 'SanBot']]);
});
