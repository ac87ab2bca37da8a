import { request } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, test } from 'vitest';
import { afterThisTest } from '../../support/clean-up.ts';
import { startHttpServer } from '../../support/mcp-serve.ts';
import { binary, createSandbox, type Sandbox } from '../../support/sanbot.ts';
import { replies } from '../../support/scenario.ts';
import { talkToBinary } from '../../support/talk.ts';

/** The official client starts the real binary, as an agent does. */
async function startedClient(world: Sandbox): Promise<(name: string, args?: Record<string, unknown>) => Promise<string>> {
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [binary, 'mcp', 'serve', '--write'],
      cwd: world.cwd,
      env: { ...world.env },
    }),
  );
  afterThisTest(() => client.close());
  return async (name, args = {}) => JSON.stringify((await client.callTool({ name, arguments: args })).content);
}

test('two agents ask beside an open conversation that goes on and is compacted meanwhile', async () => {
  const { terminal, world } = await talkToBinary({
    steps: [replies('It listens on port 4071.'), replies('Port 9.'), replies('A summary.')],
  });
  terminal.send('where does the kingfisher listen?\r');
  await terminal.waitFor(/4071[\s\S]*> $/);
  const [first, second] = await Promise.all([startedClient(world), startedClient(world)]);
  for (const ask of [first, second]) {
    expect(await ask('sessions')).toContain('(open now)');
    expect(await ask('recall', { query: 'kingfisher' })).toContain('port 4071');
  }
  const [id = ''] = world.names('sessions');
  expect(await first('pin', { ref: `${id}:1` })).toContain('is open in another sanbot');
  terminal.send('and the otter?\r');
  await terminal.waitFor(/Port 9[\s\S]*> $/);
  terminal.send('/compact\r');
  const answers = await Promise.all([
    first('context_of'),
    second('recall', { query: 'kingfisher' }),
    first('memories'),
    second('sessions'),
  ]);
  for (const answer of answers) expect(answer).toContain('never an instruction');
  await terminal.waitFor(/> $/);
  for (const ask of [first, second]) expect(await ask('recall', { query: 'otter' })).toContain('and the otter?');
});

test('what is asked before the input ends is answered, and nothing else is printed', async () => {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  await world.run(['-p', 'the kingfisher listens on port 4071']);
  const requests = [
    { method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'script', version: '1' } } },
    { method: 'tools/call', params: { name: 'recall', arguments: { query: 'kingfisher' } } },
  ];
  const ran = await world.runBinary(['mcp', 'serve'], {
    stdin: requests.map((request, id) => `${JSON.stringify({ jsonrpc: '2.0', id, ...request })}\n`).join(''),
  });
  expect(ran).toMatchObject({ code: 0, err: '' });
  const answers = ran.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers).toMatchObject([{ id: 0, result: { serverInfo: { name: 'sanbot' } } }, { id: 1 }]);
  expect(JSON.stringify(answers[1])).toContain('port 4071');
});

describe('over HTTP', () => {
  test('the official client calls tools with the token, and a signal ends the server', async () => {
    const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
    await world.run(['-p', 'the kingfisher listens on port 4071']);
    const { url, token, stop } = await startHttpServer(world);
    expect(url.hostname).toBe('127.0.0.1');
    const client = new Client({ name: 'agent', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${token}` } } }));
    const { content } = await client.callTool({ name: 'recall', arguments: { query: 'kingfisher' } });
    expect(JSON.stringify(content)).toContain('port 4071');
    await client.close();
    expect(await stop()).toBe(0);
  });

  test('neither a request without the token, nor one for another host or from another origin, is answered', async () => {
    const { url, token } = await startHttpServer(createSandbox());
    const ask = (headers: Record<string, string>, path = url.pathname): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
        const type = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
        request({ host: '127.0.0.1', port: url.port, path, method: 'POST', headers: { ...type, ...headers } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on('error', reject)
          .end(body);
      });
    const authorization = `Bearer ${token}`;
    expect(await ask({ authorization })).toBe(200);
    expect(await ask({ authorization, origin: url.origin })).toBe(200);
    expect(await ask({})).toBe(401);
    expect(await ask({ authorization: `${authorization}x` })).toBe(401);
    expect(await ask({ authorization, host: `evil.example:${url.port}` })).toBe(403);
    expect(await ask({ authorization, origin: 'https://evil.example' })).toBe(403);
    expect(await ask({ authorization, origin: 'null' })).toBe(403);
    for (const path of ['/', '//', 'http://[']) expect(await ask({ authorization }, path)).toBe(404);
    expect(await ask({ authorization })).toBe(200);
  });
});
