import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SanbotError } from '../../../domain/errors.ts';
import { createMcpHandler, type McpServer } from './protocol.ts';

/** Where requests are answered. */
const PATH = '/mcp';
const HEADERS_MS = 10_000;

type HttpOptions = { readonly port: number; readonly token: string };

/**
 * Answers requests over HTTP on the loopback address alone. Each must bear the token and name this address as its host and, where a browser
 * sends it, as its origin: else a page on the web could ask through a name that leads here. Throws `usage` where the port is taken.
 */
export async function openHttp(makeServer: () => McpServer, { port, token }: HttpOptions) {
  const handler = createMcpHandler(makeServer);
  const hosts = (at: number): readonly string[] => ['127.0.0.1', 'localhost'].map((name) => `${name}:${at}`);
  const server = createServer({ headersTimeout: HEADERS_MS }, (request, response) => {
    const refused = statusFor(request, hosts(request.socket.localPort ?? 0), token);
    if (refused !== undefined) {
      response.writeHead(refused, { 'www-authenticate': 'Bearer', connection: 'close' }).end();
      return;
    }
    // Whoever asked has gone.
    answer(request, response, handler.fetch).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  }).catch((error: unknown) => {
    throw new SanbotError('usage', { en: `Port ${port} cannot be used`, zh: `无法使用端口 ${port}` }, undefined, error);
  });
  const place = server.address();
  return {
    address: `http://127.0.0.1:${typeof place === 'object' && place !== null ? place.port : port}${PATH}`,
    close: async (): Promise<void> => {
      server.close();
      server.closeAllConnections();
      await handler.close();
    },
  };
}

/** Undefined for a request that may be answered. */
function statusFor({ headers, url = '' }: IncomingMessage, hosts: readonly string[], token: string): number | undefined {
  const { host = '', origin, authorization = '' } = headers;
  if (!hosts.includes(host) || (origin !== undefined && !hosts.some((each) => origin === `http://${each}`))) return 403;
  if (!isSame(authorization, `Bearer ${token}`)) return 401;
  return url.split('?')[0] === PATH ? undefined : 404;
}

/** Takes as long whatever is in them. */
const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

async function answer(request: IncomingMessage, response: ServerResponse, fetch: (request: Request) => Promise<Response>): Promise<void> {
  const { method = 'GET', headers, url = '' } = request;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const stop = new AbortController();
  response.once('close', () => stop.abort());
  const pairs = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as [string, string]] : []));
  const {
    status,
    headers: sent,
    body,
  } = await fetch(
    new Request(new URL(url, `http://${headers.host}`), {
      ...{ method, headers: pairs, signal: stop.signal },
      ...(hasBody && { body: Readable.toWeb(request), duplex: 'half' }),
    }),
  );
  response.writeHead(status, Object.fromEntries(sent));
  if (body === null) response.end();
  else await pipeline(Readable.fromWeb(body), response);
}
