import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObject } from '../../../src/domain/value/json.ts';
import { startServer } from '../../support/mcp-serve.ts';
import { createSandbox } from '../../support/sanbot.ts';

const MESSAGES = 200;

const methods = [
  ...['initialize', 'ping', 'tools/list', 'tools/call', 'resources/list', 'resources/read', 'resources/templates/list', 'prompts/list'],
  ...['prompts/get', 'completion/complete', 'logging/setLevel', 'subscriptions/listen', 'server/discover', 'notifications/cancelled'],
];
const tools = ['recall', 'show', 'sessions', 'memories', 'context_of', 'remember', '__proto__', 'none'];

const anything = fc.jsonValue({ maxDepth: 3 });
const args = fc.oneof(
  anything,
  fc.dictionary(fc.constantFrom('query', 'ref', 'offset', 'char_offset', 'session', 'kind', 'limit', 'since', '__proto__'), anything),
);
const params = fc.oneof(
  anything,
  fc.record({ name: fc.constantFrom(...tools), arguments: args }),
  fc.record({ uri: fc.oneof(fc.string(), fc.constant('sanbot://memory/../facts'), fc.constant('sanbot://sessions/../../etc/passwd')) }),
  fc.record({ cursor: anything, requestId: anything, _meta: anything }),
);
const message = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 4, arbitrary: fc.constant('2.0') }, anything),
    id: fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 1_000, max: 9_999 }) }, fc.string(), anything),
    method: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...methods) }, fc.string(), anything),
    params,
    result: anything,
  },
  { requiredKeys: ['jsonrpc'] },
);
/** Whole, cut off, in a list, deep, or no JSON at all; always one line. */
const line = fc.oneof(
  { weight: 6, arbitrary: message.map((value) => JSON.stringify(value)) },
  fc.tuple(message, fc.nat(60)).map(([value, at]) => JSON.stringify(value).slice(0, at)),
  fc.array(message, { maxLength: 3 }).map((list) => JSON.stringify(list)),
  fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', ' ')),
  fc.constant(`${'['.repeat(20_000)}${']'.repeat(20_000)}`),
  fc.constant(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`),
);

const initialize = {
  ...{ jsonrpc: '2.0', id: 'start', method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'wrong', version: '1' } },
};

/** A server that is asked and waited for by the id of a request. */
function talk() {
  const server = startServer(createSandbox());
  const waiting = new Map<unknown, (answer: unknown) => void>();
  server.onLine((value) => {
    if (isObject(value)) waiting.get(value.id)?.(value);
  });
  const ask = (request: { readonly id: unknown }): Promise<unknown> =>
    new Promise((resolve) => {
      waiting.set(request.id, resolve);
      server.send(`${JSON.stringify(request)}\n`);
    });
  return { ...server, ask };
}

test.each([
  ['greeted', true],
  ['not greeted', false],
])(`${MESSAGES} wrong messages to a server that was %s: it answers each that can be answered, and goes on`, async (_, isGreeted) => {
  const { ask, send, lines, leave } = talk();
  if (isGreeted) await ask(initialize);
  const texts = fc.sample(line, { numRuns: MESSAGES, seed: 38 });
  for (const [at, text] of texts.entries()) {
    const before = lines.length;
    send(`${text}\n`);
    // Whatever it is, the next request is answered, so it neither crashed nor hangs.
    expect(await ask({ ...{ jsonrpc: '2.0', id: `after ${at}`, method: 'ping' } })).toMatchObject({ id: `after ${at}` });
    if (text.trim() !== '' && !isJson(text))
      expect(lines.slice(before)).toContainEqual({ jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Parse error' } });
  }
  if (!isGreeted) await ask(initialize);
  expect(
    await ask({ ...{ jsonrpc: '2.0', id: 'last', method: 'tools/call' }, ...{ params: { name: 'sessions', arguments: {} } } }),
  ).toMatchObject({
    result: { isError: false },
  });
  expect(await leave()).toBe(0);
  const answered = new Set(lines.map((value) => isObject(value) && value.id));
  expect(texts.map(requestId).filter((id) => id !== undefined && !answered.has(id))).toEqual([]);
});

test('a line that is longer than any message is refused, without being held, and the next is answered', async () => {
  const { ask, send, lines } = talk();
  await ask(initialize);
  for (let sent = 0; sent < 40; sent++) send(Buffer.alloc(1024 * 1024, 'x'));
  send('\n');
  expect(await ask({ ...{ jsonrpc: '2.0', id: 2, method: 'ping' } })).toMatchObject({ result: {} });
  expect(lines).toContainEqual({ jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'The message is too long' } });
});

/** Of what is a request in the form of the protocol, whatever it asks. */
function requestId(text: string): unknown {
  const value: unknown = isJson(text) ? JSON.parse(text) : undefined;
  if (!isObject(value) || value.jsonrpc !== '2.0' || typeof value.method !== 'string') return undefined;
  return typeof value.id === 'string' || Number.isSafeInteger(value.id) ? value.id : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
