import { methods } from '@agentclientprotocol/sdk';
import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { isObject } from '../../../../../src/domain/value/json.ts';
import { startAcp } from '../../../../support/acp.ts';
import { until } from '../../../../support/until.ts';

const { session } = methods.agent;

/** The protocol's own client tells of each answer to what it did not ask itself. */
beforeEach(() => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  return () => told.mockRestore();
});
const known = [
  ...[methods.agent.initialize, methods.agent.authenticate, methods.agent.logout, session.new, session.load, session.resume, session.list],
  ...[session.close, session.delete, session.prompt, session.setMode, session.setConfigOption, session.cancel, '$/cancel_request'],
];
const fields = ['sessionId', 'cwd', 'mcpServers', 'prompt', 'modeId', 'configId', 'value', 'methodId', 'protocolVersion', 'cursor'];

const method = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: fc.string() });
const params = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...fields), fc.jsonValue()));
const request = fc.record({ jsonrpc: fc.constantFrom('2.0', '2.0', '1.0'), method, params });
const wrong = fc.oneof(
  { weight: 6, arbitrary: request.map((each) => ({ kind: 'request', each }) as const) },
  { weight: 1, arbitrary: fc.jsonValue().map((each) => ({ kind: 'text', each: JSON.stringify(each) }) as const) },
  { weight: 1, arbitrary: fc.string().map((each) => ({ kind: 'text', each: each.replaceAll('\n', ' ') }) as const) },
  { weight: 1, arbitrary: request.map((each) => ({ kind: 'text', each: JSON.stringify(each).slice(0, -3) }) as const) },
);

test('200 wrong messages end nothing: each that asks is answered, once, and the next that is in order is served', {
  timeout: 300_000,
}, async () => {
  const { world, agent, send, lines } = await startAcp();
  const { sessionId } = await agent.request(session.new, { cwd: world.cwd, mcpServers: [] });
  const messages = fc.sample(wrong, 200);
  const asked: string[] = [];
  for (const [at, { kind, each }] of messages.entries()) {
    if (kind === 'text') send(`${each}\n`);
    else {
      // What is no JSON-RPC of this version cannot be answered as one; it ends nothing all the same.
      if (each.jsonrpc === '2.0') asked.push(`wrong-${at}`);
      const aimed = isObject(each.params) && at % 2 === 0 ? Object.assign({}, each.params, { sessionId }) : each.params;
      send(`${JSON.stringify({ ...each, params: aimed, id: `wrong-${at}` })}\n`);
    }
  }
  const answers = (id: string): number => lines.filter((line) => isObject(line) && line.id === id && !('method' in line)).length;
  await until(() => asked.every((id) => answers(id) > 0));
  expect(asked.filter((id) => answers(id) !== 1)).toEqual([]);
  const other = await agent.request(session.new, { cwd: world.cwd, mcpServers: [] });
  const { stopReason } = await agent.request(session.prompt, { sessionId: other.sessionId, prompt: [{ type: 'text', text: 'status' }] });
  expect(stopReason).toBe('end_turn');
});

test('a message that is too long is told, is not kept, and ends nothing', { timeout: 120_000 }, async () => {
  const { agent, send, lines, err } = await startAcp();
  const before = process.memoryUsage().rss;
  send('{"jsonrpc":"2.0","id":"long","method":"session/list","params":{"cwd":"');
  for (let sent = 0; sent < 100; sent += 1) send('x'.repeat(1024 * 1024));
  send('"}}\n');
  expect(await agent.request(session.list, {})).toEqual({ sessions: [] });
  expect(err()).toContain('32 MB');
  expect(lines.filter((line) => isObject(line) && isObject(line.error))).toMatchObject([{ id: null, error: { code: -32_700 } }]);
  expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
});

test('half a message before the end is no message, and the agent leaves in order', async () => {
  const { send, leave, lines } = await startAcp();
  send('{"jsonrpc":"2.0","id":"half","method":"session/li');
  expect(await leave()).toBe(0);
  expect(lines.at(-1)).toMatchObject({ id: null, error: { code: -32_700 } });
});
