import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compact } from '../../src/agent/compaction/compact.ts';
import { limitsOf } from '../../src/agent/deps.ts';
import { findSnapshot, rollBack } from '../../src/agent/rollback/rollback.ts';
import { runTurn } from '../../src/agent/turn/turn.ts';
import { parseJson } from '../../src/domain/value/json.ts';
import { convertHistory } from '../../src/model/convert-history.ts';
import { createAgentWorld, tool } from '../support/agent-world.ts';
import { type Answer, streamed } from '../support/bad-answers.ts';
import { says, user } from '../support/build.ts';
import { listen, openAiChatAt } from '../support/model-rig.ts';
import { createSandbox } from '../support/sanbot.ts';

const bodies: string[] = [];
let answers: Answer[] = [];
const server = createServer((incoming, response) => {
  const parts: Buffer[] = [];
  incoming.on('data', (part: Buffer) => void parts.push(part));
  incoming.on('end', () => {
    const isAsked = incoming.method === 'POST';
    if (isAsked) bodies.push(Buffer.concat(parts).toString());
    ((isAsked ? answers.shift() : undefined) ?? said('done'))(response);
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
  const { messages } = parseJson(body ?? '') as { readonly messages: readonly { readonly role: string; readonly content?: unknown }[] };
  return messages.filter(({ role, content }) => role === 'assistant' && !/^a\d+ word/.test(String(content)));
};

test('what a server signs goes back to it with the next request, after a resume, a compaction and a rollback, and to no other address [W2]', async () => {
  const ask = openAiChatAt(urlOf('/v1'));
  const world = createAgentWorld({
    tools: [tool('look', () => 'seen')],
    // Enough that a compaction has something to take out.
    messages: Array.from({ length: 12 }, (_, at) => [user(`q${at} ${'word '.repeat(900)}`), says(`a${at} ${'word '.repeat(900)}`)]).flat(),
    ask: (request) => ask(request, listen()),
  });
  const turn = { maxSteps: 5, signal: new AbortController().signal, tools: world.tools };
  answers = [streamed(chunk({ content: 'I look.', reasoning_details: details }), chunk({ tool_calls: [call] }, 'tool_calls'), '[DONE]')];
  await runTurn('look', world.session, world.deps, turn);
  const whole = { content: 'I look.', reasoning_details: details, tool_calls: [{ id: 'x1', extra_content: signed }] };
  expect(repliesIn(bodies.at(-1))).toMatchObject([whole]);

  const again = world.reopened();
  await runTurn('go on', again, world.deps, turn);
  expect(repliesIn(bodies.at(-1))).toMatchObject([whole, { content: 'done' }]);

  const { signal } = turn;
  const limits = limitsOf(again, world.deps);
  const outcome = await compact({ trigger: 'manual', reasons: [], instructions: undefined, limits, signal }, again, world.deps);
  await runTurn('and on', again, world.deps, turn);
  for (const reply of repliesIn(bodies.at(-1)).filter((one) => JSON.stringify(one).includes('x1'))) expect(reply).toMatchObject(whole);

  const snapshotId = outcome.kind === 'compacted' ? outcome.event.snapshotId : expect.fail('nothing was compacted');
  rollBack(findSnapshot(snapshotId, world.deps.disk.snapshots), again, world.deps);
  await runTurn('back', again, world.deps, turn);
  expect(repliesIn(bodies.at(-1))).toMatchObject([whole, { content: 'done' }, { content: 'done' }]);

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

test('they come along into a fork, and with an imported session to nobody: a file may name any server as its own [W2, S-51]', async () => {
  const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: urlOf('/v1'), SANBOT_PROVIDER: 'openai-chat', SANBOT_MODEL: 'm' };
  const [here, there] = [createSandbox(env), createSandbox(env)];
  const named = { ...call, function: { name: 'list_files', arguments: '{}' } };
  answers = [streamed(chunk({ content: 'I look.', reasoning_details: details }), chunk({ tool_calls: [named] }, 'tool_calls'), '[DONE]')];
  expect(await here.run(['-p', 'look'])).toMatchObject({ code: 0 });
  const whole = { content: 'I look.', reasoning_details: details, tool_calls: [{ id: 'x1', extra_content: signed }] };
  const id = here.names('sessions')[0] ?? '';
  expect(await here.run(['--resume', id, '--fork', '-p', 'go on'])).toMatchObject({ code: 0 });
  expect(repliesIn(bodies.at(-1))).toMatchObject([whole, { content: 'done' }]);

  const file = join(here.cwd, 'session.jsonl');
  expect(await here.run(['export', '--session', id, '-o', file])).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).toContain('thought_signature');
  expect(await there.run(['import', file])).toMatchObject({ code: 0 });
  expect(await there.run(['--resume', id, '-p', 'and on'])).toMatchObject({ code: 0 });
  expect(repliesIn(bodies.at(-1))).toMatchObject([{ content: 'I look.', tool_calls: [{ id: 'x1' }] }, { content: 'done' }]);
  expect(bodies.at(-1)).not.toMatch(/extra_content|reasoning_details|thought_signature|opaque/);
});
