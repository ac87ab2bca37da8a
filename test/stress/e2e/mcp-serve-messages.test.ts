import { type IncomingHttpHeaders, type RequestOptions, request } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { isObject } from '../../../src/domain/value/json.ts';
import { startHttpServer } from '../../support/mcp-serve.ts';
import { createSandbox } from '../../support/sanbot.ts';
import { isJson, requestId, wrongMessages } from '../../support/wrong-mcp-messages.ts';

type Answer = { readonly status: number; readonly type: string; readonly text: string };

/** A server of its own, and a way to send it any body with any headers. */
async function talk() {
  const { url, token, stop } = await startHttpServer(createSandbox());
  const headers: IncomingHttpHeaders = {
    ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  };
  const send = (body: string | Uint8Array, more: RequestOptions = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const given = {
        host: url.hostname,
        port: url.port,
        path: url.pathname,
        method: 'POST',
        ...more,
        headers: { ...headers, ...more.headers },
      };
      const asked = request(given, (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'] ?? '',
            text: Buffer.concat(pieces).toString(),
          }),
        );
      });
      asked.on('error', reject);
      asked.end(body);
    });
  const ping = async (id: string): Promise<void> => {
    const { status, text } = await send(JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }));
    expect({ status, message: messagesOf(text) }).toMatchObject({ status: 200, message: [{ id, result: {} }] });
  };
  return { url, token, stop, send, ping };
}

/** What is said in a body: one message or a list as JSON, or events. */
function messagesOf(text: string): readonly unknown[] {
  if (isJson(text)) return [JSON.parse(text)].flat();
  return [...text.matchAll(/^data: (.+)$/gm)].flatMap(([, data = '']) => (isJson(data) ? [JSON.parse(data)] : []));
}

test('200 wrong messages over HTTP: each is answered as the protocol says, and the server goes on', async () => {
  const { send, ping, stop } = await talk();
  for (const [at, text] of wrongMessages(200).entries()) {
    const { status, text: body } = await send(text);
    const messages = messagesOf(body);
    const about = { at, text: text.slice(0, 300), status, body: body.slice(0, 300) };
    // Accepted without an answer, answered, or refused with a reason; never a failure of the server's own.
    expect(about, JSON.stringify(about)).toMatchObject({
      status: expect.toSatisfy((code: number) => [200, 202, 400, 404, 413].includes(code)),
    });
    if (!isJson(text)) expect({ ...about, messages }).toMatchObject({ status: 400, messages: [{ id: null, error: { code: -32_700 } }] });
    const id = requestId(text);
    if (id !== undefined)
      expect(
        messages.map((message) => isObject(message) && message.id),
        JSON.stringify(about),
      ).toContainEqual(id);
    await ping(`after ${at}`);
  }
  expect(await stop()).toBe(0);
});

test('what is no request of the protocol is refused, and what breaks off is let go', async () => {
  const { url, token, send, ping, stop } = await talk();
  const initialize = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD']) expect((await send('', { method })).status).toBe(405);
  expect((await send(initialize, { headers: { 'content-type': 'text/plain' } })).status).toBe(415);
  expect((await send(initialize, { headers: { accept: 'text/html' } })).status).toBe(406);
  expect((await send(initialize, { headers: { 'mcp-protocol-version': 'none' } })).status).toBe(400);
  expect((await send(Buffer.alloc(5 * 1024 * 1024, 'x'))).status).toBe(413);
  const head = `POST ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
  for (const raw of [
    '\0\u0001\u0002\r\n\r\n',
    'GET\r\n\r\n',
    `${head}Content-Length: 1000\r\n\r\n{"jsonrpc"`,
    `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
  ]) {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(url.port), url.hostname, () => socket.end(raw));
      socket.on('error', () => undefined);
      socket.on('close', () => resolve());
      socket.resume();
    });
    await ping('then');
  }
  expect(await stop()).toBe(0);
});
