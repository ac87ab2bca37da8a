import dns from 'node:dns';
import { describe, expect, test, vi } from 'vitest';
import { AbortedError } from '../../../src/domain/errors.ts';
import { proxyFor } from '../../../src/net/proxy.ts';
import { createSend } from '../../../src/net/send.ts';
import { afterThisTest } from '../../support/clean-up.ts';
import { startFakeApi } from '../../support/fake-api.ts';
import { anthropicAt, asks, listen, requestOf } from '../../support/model-rig.ts';
import { startProxy, startTls } from '../../support/proxy.ts';
import { misbehaves, replies, type Step } from '../../support/scenario.ts';

const api = async (steps: readonly Step[]) => {
  const server = await startFakeApi(steps, { chunkBytes: 7 });
  afterThisTest(() => server.close());
  return server;
};

const hello = requestOf([asks('你好')]);
const key = { ANTHROPIC_API_KEY: 'key' };
const whole = { kind: 'reply', content: [{ type: 'text', text: 'Through, 穿过了.' }] };

describe('through a proxy', () => {
  test('an http address is asked for whole', async () => {
    const server = await api([replies('Through, 穿过了.')]);
    const proxy = await startProxy(Number(new URL(server.url).port));
    const ask = anthropicAt('', { env: { ...key, ANTHROPIC_BASE_URL: 'http://api.test', http_proxy: proxy.url } });
    expect(await ask(hello, listen())).toMatchObject(whole);
    expect(proxy.asked).toEqual([{ line: 'POST http://api.test/v1/messages', auth: `Basic ${btoa('user:p@ss')}` }]);
    expect(server.requests[0]?.headers).toMatchObject({ host: 'api.test', authorization: 'Bearer key' });
    expect(server.requests[0]?.headers).not.toHaveProperty('proxy-authorization');
  });

  test('an https address is reached by a tunnel, in which the proxy sees nothing', async () => {
    const server = await api([replies('Through, 穿过了.')]);
    const proxy = await startProxy(await startTls(server.url));
    const ask = anthropicAt('', { env: { ...key, ANTHROPIC_BASE_URL: 'https://api.test', HTTPS_PROXY: proxy.url } });
    const heard = listen();
    expect(await ask(hello, heard)).toMatchObject(whole);
    expect(heard.texts.length).toBeGreaterThan(1);
    expect(proxy.asked).toEqual([{ line: 'CONNECT api.test:443', auth: `Basic ${btoa('user:p@ss')}` }]);
    expect(server.requests[0]?.request.messages).toMatchObject([asks('你好')]);
  });

  test('whoever answers at its other end must show the certificate of the host, and so must an address that was checked', async () => {
    const tls = await startTls((await api([])).url);
    const proxy = await startProxy(tls);
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '1';
    const { signal } = new AbortController();
    const reach = async () => ({ addresses: ['127.0.0.1'], port: tls });
    for (const way of [{ proxy: new URL(proxy.url) }, { reach }])
      await expect(createSend(way)('https://api.test/', { signal })).rejects.toThrow('self-signed certificate');
    expect(proxy.asked).toHaveLength(1);
  });

  test('an abort ends a stream that came through it', async () => {
    const server = await api([misbehaves({ how: 'stall' })]);
    const proxy = await startProxy(await startTls(server.url));
    const ask = anthropicAt('', { env: { ...key, ANTHROPIC_BASE_URL: 'https://api.test', HTTPS_PROXY: proxy.url } });
    const heard = listen();
    const asked = ask(hello, heard).catch((error: unknown) => error);
    await server.stalled();
    heard.abort();
    expect(await asked).toBeInstanceOf(AbortedError);
    await server.abandoned();
  });

  test('a proxy that refuses is named, without its password', async () => {
    const server = await api([]);
    const proxy = await startProxy(Number(new URL(server.url).port), true);
    const ask = anthropicAt('', { retryCount: 0, env: { ...key, ANTHROPIC_BASE_URL: 'https://api.test', HTTPS_PROXY: proxy.url } });
    const error: unknown = await ask(hello, listen()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'model_unreachable',
      message: `No connection to api.test: the proxy ${new URL(proxy.url).host} refused the tunnel (407).`,
    });
  });

  test('a proxy that is not there is named', async () => {
    const env = { ...key, ANTHROPIC_BASE_URL: 'https://api.test', HTTPS_PROXY: 'http://127.0.0.1:1' };
    const error: unknown = await anthropicAt('', { retryCount: 0, env })(hello, listen()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'model_unreachable',
      message: 'No connection to api.test: the proxy 127.0.0.1:1 cannot be reached (connect ECONNREFUSED 127.0.0.1:1).',
    });
  });

  test.each(['socks5://127.0.0.1:9', 'http://'])('%s is no proxy that we can use, and that is said', async (HTTPS_PROXY) => {
    const env = { ...key, ANTHROPIC_BASE_URL: 'https://api.test', HTTPS_PROXY };
    await expect(anthropicAt('', { env })(hello, listen())).rejects.toMatchObject({
      code: 'model_unreachable',
      message: expect.stringContaining('proxy'),
    });
  });
});

describe('NO_PROXY', () => {
  /** Asks nobody: every name is unknown. */
  const namesAsked = (): readonly string[] => {
    const asked: string[] = [];
    const lookup = vi.spyOn(dns, 'lookup').mockImplementation((name: string, ...rest: readonly unknown[]) => {
      asked.push(name);
      const done = rest.at(-1);
      if (typeof done === 'function') done(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
    });
    afterThisTest(() => lookup.mockRestore());
    return asked;
  };

  test.each([
    ['x.example', true],
    ['.x.example', true],
    ['*.x.example', true],
    ['example', true],
    ['ample', false],
    ['other.example, x.example', true],
    ['api.x.example:443', true],
    ['api.x.example:8443', false],
    ['*', true],
    ['', false],
  ])('NO_PROXY=%s spares https://api.x.example: %s', async (NO_PROXY, spared) => {
    const proxy = await startProxy(1, true);
    const names = namesAsked();
    const env = { ...key, ANTHROPIC_BASE_URL: 'https://api.x.example', HTTPS_PROXY: proxy.url, NO_PROXY };
    const error: unknown = await anthropicAt('', { retryCount: 0, env })(hello, listen()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: expect.stringContaining(spared ? 'no such host' : 'refused the tunnel') });
    expect(proxy.asked).toHaveLength(spared ? 0 : 1);
    expect(names).toEqual(spared ? ['api.x.example'] : []);
  });
});

describe('the proxy for an address', () => {
  const proxy = (address: string, env: Readonly<Record<string, string>>) => proxyFor(new URL(address), env)?.host;

  test('goes by the address’s scheme, lower case first, then ALL_PROXY', () => {
    const env = { https_proxy: 'http://a:1', HTTPS_PROXY: 'http://b:2', HTTP_PROXY: 'c:3', ALL_PROXY: 'http://d:4' };
    expect(proxy('https://x.example', env)).toBe('a:1');
    expect(proxy('http://x.example', env)).toBe('c:3');
    expect(proxy('https://x.example', { ALL_PROXY: 'http://d:4' })).toBe('d:4');
    expect(proxy('https://x.example', { HTTP_PROXY: 'http://c:3' })).toBeUndefined();
  });

  test.each(['http://localhost:11434', 'http://127.0.0.1:8080', 'http://[::1]:1'])(
    'the machine itself (%s) is never behind one',
    (address) => {
      expect(proxy(address, { ALL_PROXY: 'http://a:1', HTTP_PROXY: 'http://a:1' })).toBeUndefined();
    },
  );
});
