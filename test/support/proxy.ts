import { createServer, request as httpRequest, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Server as NetServer } from 'node:net';
import { afterThisTest } from './clean-up.ts';
import { selfSigned } from './self-signed.ts';

/** Listens until the test is over; resolves with the port. */
export const listening = async (server: Server | NetServer): Promise<number> => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()));
  afterThisTest(() => {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
  const address = server.address() as AddressInfo; // A port was listened on, so it is one.
  return address.port;
};

type Onward = { readonly port: number; readonly path: string; readonly headers: IncomingMessage['headers'] };
const relay = (incoming: IncomingMessage, response: ServerResponse, { port, path, headers }: Onward): void => {
  const onward = httpRequest({ port, path, headers, method: incoming.method ?? 'GET' });
  onward.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  incoming.pipe(onward);
};

/** Whatever is asked for, it is had from one port; tells what was asked. */
export const startProxy = async (port: number, refuse = false) => {
  const asked: { readonly line: string; readonly auth: string | undefined }[] = [];
  const note = ({ method, url, headers }: IncomingMessage) =>
    asked.push({ line: `${method} ${url}`, auth: headers['proxy-authorization'] });
  const proxy = createServer((incoming, response) => {
    note(incoming);
    // What is meant for the proxy goes no further.
    const { 'proxy-authorization': _, ...headers } = incoming.headers;
    relay(incoming, response, { port, path: new URL(incoming.url ?? '').pathname, headers });
  });
  proxy.on('connect', (incoming, socket) => {
    note(incoming);
    if (refuse) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  return { asked, url: `http://user:p%40ss@127.0.0.1:${await listening(proxy)}` };
};

/** The fake API behind TLS, under a certificate that nobody trusts but the test. */
export const startTls = async (apiUrl: string, host = 'api.test'): Promise<number> => {
  const rejected = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  afterThisTest(() => {
    if (rejected === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = rejected;
  });
  const port = Number(new URL(apiUrl).port);
  const server = createTlsServer(selfSigned(host), (incoming, response) =>
    relay(incoming, response, { port, path: incoming.url ?? '', headers: incoming.headers }),
  );
  return listening(server);
};
