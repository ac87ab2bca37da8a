import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterThisTest } from './clean-up.ts';

/** What a server says at "GET /path" or "POST /path"; a function is given the body. */
export type JsonAnswers = Readonly<Record<string, unknown>>;

export type AskedOfServer = { readonly line: string; readonly headers: IncomingMessage['headers']; readonly body: string };

export type JsonServer = { readonly url: string; readonly asked: readonly AskedOfServer[] };

/** A server that knows only these questions; all others are not found. A value with a `status` is sent with it, and with its headers. */
export async function startJsonServer(answers: JsonAnswers): Promise<JsonServer> {
  const asked: AskedOfServer[] = [];
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    incoming.on('end', () => {
      const line = `${incoming.method} ${incoming.url}`;
      const body = Buffer.concat(pieces).toString();
      asked.push({ line, headers: incoming.headers, body });
      const known = answers[line];
      const answer = typeof known === 'function' ? known(body) : known;
      if (answer === HANGS) return;
      const { status = 200, headers = {}, text = JSON.stringify(answer) } = answer === undefined ? notFound : isRaw(answer) ? answer : {};
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()));
  afterThisTest(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // A port was listened on, so it is one.
  return { url: `http://127.0.0.1:${port}`, asked };
}

/** An answer that never comes. */
export const HANGS = Symbol('hangs');

const notFound = { status: 404, headers: { 'content-type': 'text/plain' }, text: '404 page not found' };

type Raw = { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly text?: string };
const isRaw = (answer: unknown): answer is Raw => typeof answer === 'object' && answer !== null && ('status' in answer || 'text' in answer);
