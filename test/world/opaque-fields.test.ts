import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compact } from '../../src/agent/compaction/compact.ts';
import { limitsOf } from '../../src/agent/deps.ts';
import { runTurn } from '../../src/agent/turn/turn.ts';
import { parseJson } from '../../src/domain/value/json.ts';
import { convertHistory } from '../../src/model/convert-history.ts';
import { createAgentWorld, tool } from '../support/agent-world.ts';
import { type Answer, streamed } from '../support/bad-answers.ts';
import { listen, openAiChatAt } from '../support/model-rig.ts';

const bodies: string[] = [];
let answers: Answer[] = [];
const server = createServer((incoming, response) => {
  const parts: Buffer[] = [];
  incoming.on('data', (part: Buffer) => void parts.push(part));
  incoming.on('end', () => {
    bodies.push(Buffer.concat(parts).toString());
    (answers.shift() ?? said('done'))(response);
  });
});
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
afterAll(() => void server.close());
const urlOf = (path: string): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

const chunk = (delta: object, finish: string | null = null) => ({ choices: [{ index: 0, delta, finish_reason: finish }] });
const said = (content: string): Answer => streamed(chunk({ content }, 'stop'), '[DONE]');
const signed = { google: { thought_signature: 'c2lnbmVk' } };
const details = [{ type: 'reasoning.encrypted', data: 'sealed', index: 0 }];
const call = { index: 0, id: 'x1', type: 'function', function: { name: 'look', arguments: '{}' }, extra_content: signed };

const repliesIn = (body: string | undefined): readonly unknown[] => {
  const { messages } = parseJson(body ?? '') as { readonly messages: readonly { readonly role: string }[] };
  return messages.filter(({ role }) => role === 'assistant');
};

test('what a server signs goes back to it with the next request, after a resume and a compaction, and to no other address [W2]', async () => {
  const ask = openAiChatAt(urlOf('/v1'));
  const world = createAgentWorld({ tools: [tool('look', () => 'seen')], ask: (request) => ask(request, listen()) });
  const turn = { maxSteps: 5, signal: new AbortController().signal, tools: world.tools };
  answers = [streamed(chunk({ content: 'I look.', reasoning_details: details }), chunk({ tool_calls: [call] }, 'tool_calls'), '[DONE]')];
  await runTurn('look', world.session, world.deps, turn);
  const whole = { content: 'I look.', reasoning_details: details, tool_calls: [{ id: 'x1', extra_content: signed }] };
  expect(repliesIn(bodies.at(-1))).toMatchObject([whole]);

  const again = world.reopened();
  await runTurn('go on', again, world.deps, turn);
  expect(repliesIn(bodies.at(-1))).toMatchObject([whole, { content: 'done' }]);

  const { signal } = turn;
  await compact(
    { trigger: 'manual', reasons: [], instructions: undefined, limits: limitsOf(again, world.deps), signal },
    again,
    world.deps,
  ).catch(() => undefined);
  await runTurn('and on', again, world.deps, turn);
  for (const reply of repliesIn(bodies.at(-1)).filter((one) => JSON.stringify(one).includes('x1'))) expect(reply).toMatchObject(whole);

  await openAiChatAt(urlOf('/other'))(
    {
      ...(world.requests.at(-1) ?? expect.fail('nothing was asked')),
      messages: convertHistory(world.requests.at(1)?.messages ?? [], 'test'),
    },
    listen(),
  );
  expect(bodies.at(-1)).not.toMatch(/extra_content|reasoning_details|thought_signature/);
  expect(bodies.at(-1)).toContain('x1');
});
