import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Bilingual } from '../../src/domain/language.ts';
import { connectAddress, connectProgram } from '../../src/tools/mcp/connection/client.ts';
import type { ServerProgram } from '../../src/tools/mcp/connection/stdio-transport.ts';
import { outcomeOf } from '../../src/tools/mcp/result-text.ts';
import { createServer } from '../../src/tools/mcp/server.ts';
import { fewRuns } from '../support/runs.ts';
import { answerTo, dressed, type Served, type ServedResult, servers } from './mcp-servers.ts';

/** How the answer stands in the body: one JSON text, or events with these ends of lines, in pieces of so many bytes. */
type Wire = { readonly end: '\n' | '\r\n' | '\r' | undefined; readonly piece: number; readonly isClosed: boolean };

const wires: fc.Arbitrary<Wire> = fc.record({
  end: fc.constantFrom(undefined, '\n', '\r\n', '\r'),
  piece: fc.constantFrom(1, 7, 10_000),
  isClosed: fc.boolean(),
});

function respond(body: string, served: Served, { end, piece, isClosed }: Wire): Response {
  const answer = answerTo(JSON.parse(body), served);
  if (answer === undefined) return new Response(null, { status: 202 });
  const messages = dressed(served.dressing, answer);
  const isOne = end === undefined && messages.length === 1;
  const event = (message: unknown): string =>
    `event: message${end}id: 1${end}${message === null ? 'data: noise' : `data: ${JSON.stringify(message)}`}${end}`;
  const text = isOne ? JSON.stringify(messages[0]) : messages.map((each) => `${event(each)}${end}`).join('');
  const cut = isClosed || isOne ? text : text.slice(0, -(end?.length ?? 0));
  const bytes = new TextEncoder().encode(
    end === undefined && !isOne ? JSON.stringify(messages.filter((each) => each !== null).flat()) : cut,
  );
  const pieces = Array.from({ length: Math.ceil(bytes.length / piece) }, (_, at) => bytes.slice(at * piece, (at + 1) * piece));
  const type = end === undefined ? 'application/json; charset=utf-8' : 'text/event-stream';
  return new Response(ReadableStream.from(pieces), { headers: { 'content-type': type } });
}

const serverParts = (lines: Bilingual[]) => ({
  name: 'desk',
  known: { read: () => undefined, write: () => undefined },
  tell: (line: Bilingual): void => void lines.push(line),
});

const openServer = (served: Served, wire: Wire, lines: Bilingual[]) =>
  createServer({
    ...serverParts(lines),
    connect: (events, signal) =>
      connectAddress(
        {
          ...{ url: new URL('http://127.0.0.1:1/mcp'), headers: {}, signInMs: 0, auth: { token: async () => undefined } },
          fetch: async (_, init) =>
            init?.method === 'POST' ? respond(String(init.body), served, wire) : new Response(null, { status: 405 }),
        },
        events,
        { version: '1', signal },
      ),
  });

test('whatever a server lists and however it speaks, each good tool is there and each bad one is named [B-41, B-42]', async () => {
  await fc.assert(
    fc.asyncProperty(servers, wires, async (served, wire) => {
      const lines: Bilingual[] = [];
      const server = openServer(served, wire, lines);
      const { signal } = new AbortController();
      await server.connect(signal);
      expectTools(server, served);
      expect(lines).toHaveLength(served.served.bad.length === 0 ? 0 : 1);
      const [first] = served.served.good;
      if (first !== undefined) await expectCall(server, first, served.result);
      await server.close();
    }),
    { numRuns: fewRuns(1_000) },
  );
});

/** In the place of the number of a request. */
const NUMBER = 424_242;

/** Plays what is written for each request, line by line, behind a mark of the byte order, and ends where nothing more is. */
const PLAYER = `
const lines = JSON.parse(process.argv[1]);
let mark = '\ufeff';
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  for (const each of lines[[method, params?.cursor].join(' ').trim()] ?? []) {
    if (each === null) process.exit(3);
    process.stdout.write(mark + each.replaceAll('${NUMBER}', id) + '\\n');
    mark = '';
  }
});`;

function programFor(served: Served, dies: boolean): ServerProgram {
  const cursors = served.served.entries.map((_, at) => String(at));
  const requests = [['initialize'], ['tools/call'], ['tools/list'], ...cursors.map((cursor) => ['tools/list', cursor])];
  const lines = requests.map(([method = '', cursor]) => {
    const params = { protocolVersion: '2025-06-18', ...(cursor !== undefined && { cursor }) };
    const answer = answerTo({ id: NUMBER, method, params }, served) ?? {};
    const texts = dressed(served.dressing, answer).map((each) => (each === null ? 'Listening…\u001b[0m' : JSON.stringify(each)));
    return [[method, cursor].join(' ').trim(), dies && method === 'tools/call' ? ['{"jsonrpc":"2.0","id":', null] : texts];
  });
  return {
    ...{ command: process.execPath, args: ['-e', PLAYER, JSON.stringify(Object.fromEntries(lines))], cwd: '/', env: {} },
    ...{ mark: ['MCP_SERVER_ID', `world-${process.pid}`], platform: process.platform, kill: process.kill },
  };
}

test('and so it is through the pipes of a program, where a call of one that ends in the middle says so [B-41, B-42]', async () => {
  await fc.assert(
    fc.asyncProperty(servers, fc.boolean(), async (served, dies) => {
      const server = createServer({
        ...serverParts([]),
        connect: (events, signal) => connectProgram(programFor(served, dies), events, { version: '1', signal }),
      });
      await server.connect(new AbortController().signal);
      expectTools(server, served);
      const [first] = served.served.good;
      const fails = dies || served.result.fails;
      if (first !== undefined) await expectCall(server, first, { ...served.result, fails, texts: fails ? [] : served.result.texts });
      await server.close();
    }),
    { numRuns: fewRuns(40) },
  );
});

function expectTools(server: ReturnType<typeof createServer>, { served }: Served): void {
  const { status, problem, tools, leftOut } = server.view();
  expect([status, problem]).toEqual(['connected', undefined]);
  expect(tools.map(({ tool }) => tool.name)).toEqual(served.good);
  expect(leftOut.map(({ name }) => name).toSorted()).toEqual(served.bad.toSorted());
}

/** A call ends, with each text of the result, or with a reason. */
async function expectCall(server: ReturnType<typeof createServer>, tool: string, result: ServedResult): Promise<void> {
  const limits = { signal: new AbortController().signal, timeoutMs: 60_000, onProgress: () => undefined };
  const outcome = await server.call(tool, { text: 'x' }, limits).then(
    (given) => outcomeOf(given, { sees: true }),
    (error: unknown) => error,
  );
  if (result.fails) expect(outcome).toMatchObject({ message: expect.stringMatching(/./) });
  else expect(outcome).toMatchObject({ ok: true });
  for (const text of result.texts) expect(outcome).toMatchObject({ content: expect.stringContaining(text) });
}

const answeringOver = (results: Readonly<Record<string, unknown>>) =>
  connectAddress(
    {
      ...{ url: new URL('http://127.0.0.1:1/mcp'), headers: {}, signInMs: 0, auth: { token: async () => undefined } },
      fetch: async (_, init) => {
        const { id, method } = JSON.parse(String(init?.body ?? '{}'));
        if (id === undefined) return new Response(null, { status: init?.method === 'POST' ? 202 : 405 });
        return Response.json({ jsonrpc: '2.0', id, result: results[method] });
      },
    },
    { onToolsChanged: () => undefined, onLost: () => undefined },
    { version: '1', signal: new AbortController().signal },
  );
const greets = (protocolVersion: unknown) => ({ initialize: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x' } } });

test('a result that asks for more than the call had says that the call is not done [B-41]', async () => {
  const asks = { resultType: 'input_required', inputRequests: { q: { method: 'elicitation/create', params: { message: 'hi' } } } };
  const connection = await answeringOver({ ...greets('2025-06-18'), 'tools/call': asks });
  const limits = { signal: new AbortController().signal, timeoutMs: 60_000, onProgress: () => undefined };
  await expect(connection.callTool('a', {}, limits)).rejects.toMatchObject({
    reason: { en: expect.stringMatching(/not done.*input_required/), zh: expect.stringMatching(/没有完成.*input_required/) },
  });
});

test.each([undefined, null, 5, [], '2077-01-01', ''])('a greeting of the version %j is told in plain words [B-41]', async (version) => {
  const words = { en: expect.stringMatching(/Model Context Protocol/), zh: expect.stringMatching(/Model Context Protocol：/) };
  await expect(answeringOver(greets(version))).rejects.toMatchObject({ reason: words });
  await expect(answeringOver(greets(version))).rejects.not.toMatchObject({ reason: { en: expect.stringMatching(/[{\n]|\\n|zod/) } });
});
