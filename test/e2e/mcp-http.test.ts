import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { askModel, callsMcp, modelOf, resultsOf, worldWith } from '../support/mcp.ts';
import { type HeardRequest, listen, startHttpServer, startProxy } from '../support/mcp-http.ts';
import { replies } from '../support/scenario.ts';
import { until } from '../support/until.ts';

const echo = callsMcp('mcp__desk__echo', { text: 'x' });
const linesAbout = (err: string): readonly string[] => err.split('\n').filter((line) => line.includes('The MCP server desk'));
const isCall = ({ body }: HeardRequest): boolean => body.includes('"tools/call"');

describe('a server over HTTP', () => {
  test('on this machine is called where your settings name it, with their headers', async () => {
    const page = await startHttpServer();
    const { ran, api } = await askModel(worldWith({ desk: { url: `${page.url}/mcp`, headers: { 'x-desk': '7' } } }), [echo]);
    expect([ran.code, resultsOf(api), linesAbout(ran.err)]).toEqual([0, ['echo: x'], []]);
    expect(page.heard.map(({ headers }) => headers['x-desk'])).toEqual(page.heard.map(() => '7'));
  });

  test('that redirects within its origin is followed, and with headers of the settings it is not', async () => {
    const page = await startHttpServer({
      guard: ({ path }, url) => (path === '/old' ? { status: 307, headers: { location: `${url}/mcp` } } : undefined),
    });
    const plain = await askModel(worldWith({ desk: { url: `${page.url}/old` } }), [echo]);
    expect(resultsOf(plain.api)).toEqual(['echo: x']);
    const before = page.heard.length;
    const secret = await askModel(worldWith({ desk: { url: `${page.url}/old`, headers: { 'x-key': 'k' } } }), [echo]);
    expect(resultsOf(secret.api)[0]).toContain(`it redirects to ${page.url}/mcp, and no redirect is followed with a token`);
    expect(page.heard.slice(before).map(({ path }) => path)).not.toContain('/mcp');
  });

  test('that redirects to another one is not followed', async () => {
    const other = await startHttpServer();
    const page = await listen(() => ({ status: 307, headers: { location: `${other.url}/mcp` } }));
    const { ran, api } = await askModel(worldWith({ desk: { url: `${page.url}/mcp` } }), [echo]);
    expect(resultsOf(api)[0]).toContain(`Redirect to ${other.url}/mcp not followed`);
    expect([linesAbout(ran.err).length, other.heard]).toEqual([1, []]);
  });

  test('that drops a call is one line, and is called again by the next one', async () => {
    let dropped = 0;
    const page = await startHttpServer({ guard: (request) => (isCall(request) && dropped++ === 0 ? 'drop' : undefined) });
    const { ran, api } = await askModel(worldWith({ desk: { url: `${page.url}/mcp` } }), [echo, echo]);
    expect(resultsOf(api)).toEqual([expect.stringContaining('mcp__desk__echo: '), 'echo: x']);
    expect(linesAbout(ran.err)).toHaveLength(1);
  });

  test('that forgets its session is greeted anew by the next call', async () => {
    let session = 0;
    const page = await startHttpServer({
      guard: (request) => {
        if (request.body.includes('"initialize"')) session += 1;
        return isCall(request) && session === 1 ? { status: 404, body: 'no such session' } : undefined;
      },
    });
    const { api } = await askModel(worldWith({ desk: { url: `${page.url}/mcp` } }), [echo, echo]);
    expect(resultsOf(api)).toEqual([expect.stringContaining('no such session'), 'echo: x']);
  });

  test('that never answers a call is given up after its time, and told to stop', async () => {
    const page = await startHttpServer({ guard: (request) => (isCall(request) ? 'hang' : undefined) });
    const { api } = await askModel(worldWith({ desk: { url: `${page.url}/mcp`, timeoutMs: 300 } }), [echo]);
    expect(resultsOf(api)[0]).toContain('it gave no answer within 0.3 s');
    await until(() => page.heard.some(({ body }) => body.includes('"notifications/cancelled"')));
  });

  test.each([
    [{ status: 500, body: 'out of paper' }, 'out of paper'],
    [{ status: 200, body: 'not JSON' }, 'desk does not answer: '],
    [{ status: 200, headers: { 'content-type': 'application/json' }, body: '{"half": ' }, 'desk does not answer: '],
    [{ status: 200, body: [1, 2] }, 'desk does not answer: '],
    [{ status: 204 }, 'desk does not answer: '],
  ])('that answers %j instead of a greeting is one line', async (reply, why) => {
    const page = await listen(() => reply);
    const { ran } = await askModel(worldWith({ desk: { url: `${page.url}/mcp` } }), [echo]);
    expect(ran.code).toBe(0);
    expect(linesAbout(ran.err)).toEqual([expect.stringContaining(why)]);
  });
});

describe('behind a proxy', () => {
  const ask = async (world: ReturnType<typeof worldWith>, env: Readonly<Record<string, string>>, ...args: readonly string[]) => {
    const { api, env: toModel } = await modelOf(world, [echo, replies('done')]);
    const ran = await world.run(['-p', 'go', '--permission-mode', 'bypass', ...args], { env: { ...toModel, ...env } });
    return { ran, result: resultsOf(api)[0] };
  };

  test('a server that you name is reached through it', async () => {
    const proxy = await startProxy('desk.test');
    const { ran, result } = await ask(worldWith({ desk: { url: 'http://desk.test/mcp' } }), { HTTP_PROXY: proxy.url });
    expect([result, linesAbout(ran.err)]).toEqual(['echo: x', []]);
  });

  test("a project's server is too, never round it, and it is told that its address was not checked", async () => {
    const proxy = await startProxy('desk.test');
    const world = worldWith({});
    writeFileSync(join(world.cwd, '.mcp.json'), JSON.stringify({ mcpServers: { desk: { url: 'http://desk.test/mcp' } } }));
    const { ran, result } = await ask(world, { HTTP_PROXY: proxy.url, NO_PROXY: 'desk.test' }, '--trust');
    expect(result).toBe('echo: x');
    expect(linesAbout(ran.err)).toEqual([expect.stringContaining('is reached through the proxy, which alone knows what address that is')]);
  });

  test("a project's server at an address of the network is refused all the same", async () => {
    const proxy = await startProxy('10.0.0.1');
    const world = worldWith({});
    writeFileSync(join(world.cwd, '.mcp.json'), JSON.stringify({ mcpServers: { desk: { url: 'http://10.0.0.1/mcp' } } }));
    const { result } = await ask(world, { HTTP_PROXY: proxy.url }, '--trust');
    expect([result?.includes('10.0.0.1 is not a public address'), proxy.heard]).toEqual([true, []]);
  });
});
