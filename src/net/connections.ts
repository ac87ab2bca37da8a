import type { Agent, ClientRequestArgs } from 'node:http';
import type { LookupFunction, Socket } from 'node:net';
import { proxyAuthorization, proxyRefuses, proxyUnreached } from './proxy.ts';

/** Where a connection goes: to one of these addresses. */
export type Target = { readonly addresses: readonly string[]; readonly port: number };

/** Says where a connection to a host, without brackets and the dot at its end, may go; called for each of them, names and addresses alike. Throws where it may not. */
export type Reach = (host: string, port: number) => Promise<Target>;

/** How connections are made: through a proxy, to what `reach` gives, or wherever a name leads. */
export type Way = { readonly proxy?: URL | undefined; readonly reach?: Reach | undefined };

export const CONNECT_MS = 10_000;

export const noAnswerInTime = (): Error => Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' });

/** As long as Node keeps connections of its own. */
const KEEP_MS = 5_000;

/** What makes the connections of a way, and keeps them; undefined where Node's own will do. */
export async function agentFor(protocol: string, way: Way): Promise<Agent | undefined> {
  if (way.proxy === undefined && way.reach === undefined) return undefined;
  const { Agent } = protocol === 'https:' ? await import('node:https') : await import('node:http');
  const { PassThrough } = await import('node:stream');
  const agent: Agent = new Agent({ keepAlive: true, timeout: KEEP_MS });
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, done) => {
    const opened = changesFor(options, protocol === 'https:', way);
    const socket = opened.then((changes) => ('connected' in changes ? changes.connected : connect({ ...options, ...changes })));
    socket.then(
      (each) => done?.(null, each ?? new PassThrough()),
      // The type wants a stream beside the error.
      (error: Error) => done?.(error, new PassThrough()),
    );
    return undefined;
  };
  return agent;
}

/** What is different about a connection; or one that is made already. */
async function changesFor({ host, port }: ClientRequestArgs, isEncrypted: boolean, { proxy, reach }: Way) {
  const name = (host ?? '').replace(/^\[|\]$|\.$/g, '');
  if (proxy === undefined) {
    const target = await reach?.(name, Number(port));
    return target === undefined ? {} : { lookup: pinned(target.addresses), port: target.port };
  }
  const socket = await connectTo(proxy);
  if (!isEncrypted) return { connected: socket };
  return { socket: await tunnelTo(`${name.includes(':') ? `[${name}]` : name}:${port}`, socket, proxy), path: null };
}

/** What was checked is what is connected to: nobody is asked again. */
const pinned =
  (addresses: readonly string[]): LookupFunction =>
  (_host, options, done) => {
    const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    const [first = { address: '', family: 4 }] = all;
    if (options.all === true) done(null, all);
    else done(null, first.address, first.family);
  };

async function connectTo(proxy: URL): Promise<Socket> {
  const [{ connect }, tls] = await Promise.all([import('node:net'), import('node:tls')]);
  const host = proxy.hostname.replace(/^\[|\]$/g, '');
  const isEncrypted = proxy.protocol === 'https:';
  const port = Number(proxy.port) || (isEncrypted ? 443 : 80);
  return new Promise((resolve, reject) => {
    const servername = /^[\d.]+$|:/.test(host) ? '' : host;
    const socket = isEncrypted ? tls.connect({ host, port, servername }) : connect({ host, port });
    const fail = (error: Error): void => reject(proxyUnreached(proxy, error));
    socket.setTimeout(CONNECT_MS, () => socket.destroy(noAnswerInTime()));
    socket.once('error', fail);
    socket.once(isEncrypted ? 'secureConnect' : 'connect', () => {
      socket.setTimeout(0).off('error', fail);
      resolve(socket);
    });
  });
}

/** A connection through the proxy in which it sees nothing. */
async function tunnelTo(authority: string, connection: Socket, proxy: URL): Promise<Socket> {
  const { request } = await import('node:http');
  const headers = { host: authority, ...proxyAuthorization(proxy) };
  return new Promise((resolve, reject) => {
    const asked = request({ method: 'CONNECT', path: authority, headers, createConnection: () => connection, timeout: CONNECT_MS });
    asked.once('timeout', () => asked.destroy(noAnswerInTime()));
    asked.once('error', (error) => reject(proxyUnreached(proxy, error)));
    asked.once('connect', ({ statusCode = 0 }, socket: Socket) => {
      if (statusCode >= 200 && statusCode < 300) return resolve(socket.setTimeout(0));
      socket.destroy();
      reject(proxyRefuses(proxy, 'tunnel', statusCode));
    });
    asked.end();
  });
}
