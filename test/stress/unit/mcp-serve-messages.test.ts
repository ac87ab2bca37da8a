import { expect, test } from 'vitest';
import { isObject } from '../../../src/domain/value/json.ts';
import { startServer } from '../../support/mcp-serve.ts';
import { createSandbox } from '../../support/sanbot.ts';
import { isJson, requestId, wrongMessages } from '../../support/wrong-mcp-messages.ts';

const MESSAGES = 200;

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
  const texts = wrongMessages(MESSAGES);
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
