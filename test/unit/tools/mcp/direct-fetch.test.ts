import { describe, expect, test } from 'vitest';
import { createDirectFetch, refusingRedirects } from '../../../../src/tools/mcp/connection/direct-fetch.ts';

describe('a server that a project names is reached at a public address only', () => {
  const fetchPublic = createDirectFetch({ named: [], proxied: () => undefined });

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
    await expect(fetchPublic(url)).rejects.toThrow('no public address');
  });

  test('nothing but http and https is asked', async () => {
    await expect(fetchPublic('file:///etc/passwd')).rejects.toThrow('no address of a server');
  });
});

describe('behind a proxy', () => {
  const asked: string[] = [];
  const fetchProxied = createDirectFetch({
    named: ['desk.internal'],
    proxied: (_, isNamed) => async (url) => {
      asked.push(`${new URL(url).href}${isNamed ? ' of the user' : ''}`);
      return new Response('answered');
    },
  });

  test('names go through it, and it is told which of them the user names', async () => {
    for (const url of ['https://desk.internal/mcp', 'https://desk.example/mcp'])
      expect(await (await fetchProxied(url)).text()).toBe('answered');
    expect(asked.splice(0)).toEqual(['https://desk.internal/mcp of the user', 'https://desk.example/mcp']);
  });

  test('an address that is not public is refused all the same', async () => {
    await expect(fetchProxied('http://10.0.0.1/')).rejects.toThrow('no public address');
    expect(asked).toEqual([]);
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
