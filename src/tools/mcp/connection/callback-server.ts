import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Bilingual, localize } from '../../../domain/language.ts';
import { orAborted } from '../../or-aborted.ts';
import { callbackPages } from './sign-in-text.ts';

/** What the browser brought back: a code, or why there is none. */
type CallbackAnswer = { readonly issuer: string | undefined } & ({ readonly code: string } | { readonly error: string });

export type CallbackServer = Awaited<ReturnType<typeof openCallbackServer>>;

const PATH = '/callback';
const HERE = 'http://127.0.0.1';
const ONCE = ['state', 'code', 'error', 'iss'] as const;

/** Listens on the loopback address alone, for one answer that has this `state`; whatever else comes is refused and changes nothing. */
export async function openCallbackServer(state: string, port = 0) {
  let settle: (answer: CallbackAnswer) => void = () => undefined;
  const answered = new Promise<CallbackAnswer>((resolve) => {
    settle = resolve;
  });
  const server = createServer(({ method, url = '' }, response) => {
    // Anybody on this machine can ask, for what is no address too.
    const { pathname, searchParams } = new URL(URL.canParse(url, HERE) ? url : '/', HERE);
    const issuer = searchParams.get('iss') ?? undefined;
    if (method !== 'GET' || pathname !== PATH) return reply(response, 404, callbackPages.nothing);
    // Each once: of two, another reader could take the other.
    if (searchParams.get('state') !== state || ONCE.some((name) => searchParams.getAll(name).length > 1))
      return reply(response, 400, callbackPages.anotherOne);
    const code = searchParams.get('code');
    const error = searchParams.get('error');
    if (code === null && error === null) return reply(response, 400, callbackPages.noCode);
    if (code === null) {
      reply(response, 200, callbackPages.failed);
      settle({ issuer, error: [error, searchParams.get('error_description')].filter((text) => text !== null && text !== '').join(': ') });
    } else {
      reply(response, 200, callbackPages.back);
      settle({ code, issuer });
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    /** Where a browser on this machine is sent after signing in. */
    address: `http://127.0.0.1:${portOf(server.address())}${PATH}`,
    /** Rejects with AbortedError when the signal aborts. */
    answer: (signal: AbortSignal): Promise<CallbackAnswer> => orAborted(answered, signal),
    close: (): void => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const portOf = (address: AddressInfo | string | null): number => (address === null || typeof address === 'string' ? 0 : address.port);

/** The address of the page holds the code, so it is told to nobody. */
function reply(response: ServerResponse, status: number, text: Bilingual): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  });
  response.end(`SanBot: ${localize(text)}\n`);
}
