import { createServer, type RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { resolveName } from '../../../../src/net/addresses.ts';
import { createDirectFetch, refusingRedirects } from '../../../../src/tools/mcp/connection/direct-fetch.ts';
import { listening, startProxy } from '../../../support/proxy.ts';

const serve = async (answer: RequestListener) => ({ port: await listening(createServer(answer)) });

describe('a server that a project names is reached at a public address only', () => {
  const fetchPublic = createDirectFetch({ named: [], resolve: resolveName, proxyFor: () => undefined });

  test.each([
    'http://127.0.0.1:1/',
    'http://2130706433:1/',
    'http://0x7f.1:1/',
    'http://0177.0.0.1:1/',
    'http://[::1]:1/',
    'http://[::ffff:127.0.0.1]:1/',
    'http://[::7f00:1]:1/',
    'http://[64:ff9b::7f00:1]:1/',
    'http://[fe80::1]:1/',
    'http://[fd00::1]:1/',
    'http://[2002:7f00:1::]:1/',
    'http://[2001:0:7f00:1::]:1/',
    'http://[2001:20::1]:1/',
    'http://[3fff::1]:1/',
    'http://169.254.169.254/latest/meta-data',
    'http://localhost:1/',
  ])('not %s', async (url) => {
    await expect(fetchPublic(url)).rejects.toThrow('not a public address');
  });

  test('nothing but http and https is asked', async () => {
    await expect(fetchPublic('file:///etc/passwd')).rejects.toThrow('not the address of a server');
  });
});

describe('behind a proxy', () => {
  const start = async () => {
    const { port } = await serve((_, response) => response.end('answered'));
    const proxy = await startProxy(port);
    const asked: string[] = [];
    const fetch = createDirectFetch({
      named: ['desk.internal'],
      resolve: async (host) => expect.fail(`${host} was resolved`),
      proxyFor: ({ href }, isNamed) => {
        asked.push(`${href}${isNamed ? ' of the user' : ''}`);
        return new URL(proxy.url);
      },
    });
    return { proxy, asked, fetch };
  };

  test('names go through it, and it is told which of them the user names', async () => {
    const { proxy, asked, fetch } = await start();
    const urls = ['http://desk.internal/mcp', 'http://desk.example/mcp'];
    for (const url of urls) expect(await (await fetch(url)).text()).toBe('answered');
    expect(asked).toEqual(['http://desk.internal/mcp of the user', 'http://desk.example/mcp']);
    expect(proxy.asked.map(({ line }) => line)).toEqual(urls.map((url) => `GET ${url}`));
  });

  test('an address that is not public is refused all the same', async () => {
    const { proxy, fetch } = await start();
    await expect(fetch('http://10.0.0.1/')).rejects.toThrow('not a public address');
    expect(proxy.asked).toEqual([]);
  });
});

describe('a name', () => {
  test('that leads elsewhere the next time is judged anew for each connection', async () => {
    const answers = [['192.168.0.1'], ['127.0.0.1', '::1'], ['93.184.215.14', '10.0.0.1'], []];
    const asked: string[] = [];
    const fetch = createDirectFetch({
      named: [],
      resolve: async (host) => {
        asked.push(host);
        return answers[asked.length - 1] ?? [];
      },
      proxyFor: () => undefined,
    });
    for (const told of ['192.168.0.1', '127.0.0.1', '10.0.0.1', 'nowhere'])
      await expect(fetch('http://desk.test:1/')).rejects.toThrow(`desk.test (${told}) is not a public address`);
    expect(asked).toEqual(answers.map(() => 'desk.test'));
  });

  test('that the user names leads anywhere, and what its server says is bounded', async () => {
    const { port } = await serve((_, response) => {
      const more = (): void => {
        while (response.write('b'.repeat(1024 * 1024)));
        response.once('drain', more);
      };
      more();
    });
    const fetch = createDirectFetch({ named: ['127.0.0.1'], resolve: resolveName, proxyFor: () => undefined });
    const response = await fetch(`http://127.0.0.1:${port}/`);
    await expect(response.text()).rejects.toThrow('it answered with more than 67108864 bytes');
  });
});

describe('a redirect', () => {
  const redirects = async (): Promise<Response> => new Response(null, { status: 307, headers: { location: 'https://other.example/' } });
  const fetch = refusingRedirects(redirects, (init) => new Headers(init.headers).has('authorization'));

  test('is an error where the request carries a secret, and the answer where it does not', async () => {
    await expect(fetch('https://desk.example/', { headers: { authorization: 'Bearer x' } })).rejects.toThrow('no redirect is followed');
    expect((await fetch('https://desk.example/')).status).toBe(307);
  });
});
