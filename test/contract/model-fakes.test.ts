import { afterAll, describe, expect, test } from 'vitest';
import type { ContentBlock, WireMessage } from '../../src/domain/session/message.ts';
import { startFakeApi } from '../support/fake-api.ts';
import { fakeModel, quietStream } from '../support/fake-model.ts';
import { anthropicAt, asks, requestOf } from '../support/model-rig.ts';
import { answersWith, callsTool, misbehaves, replies, type Script, type Step } from '../support/scenario.ts';

const call = (id: string, input: unknown = {}): ContentBlock => ({ type: 'tool_use', id, name: 'read_file', input });
const result = (id: string, content = 'x'): ContentBlock => ({ type: 'tool_result', tool_use_id: id, content });
const text = (said: string): ContentBlock => ({ type: 'text', text: said });
const user = (...content: readonly ContentBlock[]): WireMessage => ({ role: 'user', content });
const assistant = (...content: readonly ContentBlock[]): WireMessage => ({ role: 'assistant', content });

const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  await Promise.all(closers.map((close) => close()));
});

const rigs = {
  'the fake model': async (scenario: readonly Step[] | Script) => fakeModel(scenario, { windowTokens: 5_000 }),
  'the fake API': async (scenario: readonly Step[] | Script) => {
    const api = await startFakeApi(scenario, { windowTokens: 5_000 });
    closers.push(api.close);
    return { ask: anthropicAt(api.url), done: api.done, requests: api.requests };
  },
};

describe.each(Object.entries(rigs))('%s is strict', (_, open) => {
  const ask = (rig: Awaited<ReturnType<typeof open>>, messages: readonly WireMessage[]) => rig.ask(requestOf(messages), quietStream());

  test('a step that is not used fails the test', async () => {
    const rig = await open([replies('one'), replies('two')]);
    await ask(rig, [asks('hi')]);
    expect(() => rig.done()).toThrow(/1 of the scenario's steps were not used/);
  });

  test('a request that is not expected fails, prints itself, and is remembered', async () => {
    const rig = await open([]);
    await expect(ask(rig, [asks('surprise')])).rejects.toThrow(/request 0 was not expected[\s\S]*surprise/);
    expect(() => rig.done()).toThrow(/not expected/);
  });

  test('a malformed request fails even where the step would answer it', async () => {
    const rig = await open([replies('never')]);
    await expect(ask(rig, [asks('a'), assistant(call('a')), asks('b')])).rejects.toThrow(/calls without results/);
    expect(() => rig.done()).toThrow(/calls without results/);
  });

  test('an expectation that is not met fails', async () => {
    const expectations: readonly (readonly [Step, RegExp])[] = [
      [replies('x', { expect: { lastText: 'bye' } }), /expected bye in the last message/],
      [replies('x', { expect: { contains: /needle/ } }), /expected \/needle\/ in the request/],
      [replies('x', { expect: { lacks: 'hi' } }), /expected no hi/],
      [replies('x', { expect: { purpose: 'summary' } }), /expected a request for a summary/],
      [replies('x', { expect: ({ messages }) => expect(messages).toHaveLength(2) }), /length/],
    ];
    for (const [step, problem] of expectations) await expect(ask(await open([step]), [asks('hi')])).rejects.toThrow(problem);
    const met = await open([replies('x', { expect: { lastText: /^hi$/, contains: 'SanBot', lacks: 'needle', purpose: 'turn' } })]);
    await ask(met, [asks('hi')]);
    met.done();
  });

  test('a script answers a session of any length from what each request holds', async () => {
    const rig = await open(({ messages }, n) =>
      n < 39 ? callsTool('read_file', { n, seen: messages.length }, `call_${n}`) : replies('done'),
    );
    const messages: WireMessage[] = [asks('go')];
    for (let n = 0; n < 40; n++) {
      const answer = await ask(rig, [...messages]);
      if (answer.kind !== 'reply') throw new Error('expected a reply');
      messages.push({ role: 'assistant', content: answer.content });
      if (answer.stopReason === 'tool_use') messages.push(user(result(`call_${n}`)));
    }
    expect(messages.at(-1)?.content).toEqual([text('done')]);
    expect(messages.at(-3)?.content).toMatchObject([{ input: { n: 38, seen: 77 } }]);
    expect(rig.requests).toHaveLength(40);
    rig.done();
  });

  test('usage grows with the request, and what was sent before counts as cached', async () => {
    const rig = await open([replies('one'), replies('two')]);
    const first = await ask(rig, [asks('x'.repeat(300))]);
    const second = await ask(rig, [asks('x'.repeat(300)), assistant(text('one')), asks('y'.repeat(600))]);
    if (first.kind !== 'reply' || second.kind !== 'reply') throw new Error('expected replies');
    expect(first.usage?.cacheReadTokens).toBe(0);
    expect(first.usage?.cacheWriteTokens).toBeGreaterThan(100);
    expect(second.usage?.cacheReadTokens).toBe(first.usage?.cacheWriteTokens);
    expect(second.usage?.cacheWriteTokens).toBeGreaterThan(200);
  });
});

test('the fake model refuses what only a server can do', async () => {
  await expect(fakeModel([misbehaves({ how: 'stall' })]).ask(requestOf([asks('hi')]), quietStream())).rejects.toThrow(/fake API/);
});

test('the fake API answers a request without streaming with JSON, and one elsewhere with 404', async () => {
  const api = await startFakeApi([answersWith([text('whole')], 'end_turn')]);
  closers.push(api.close);
  const body = JSON.stringify({ model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] });
  const answer = await fetch(`${api.url}/v1/messages`, { method: 'POST', body });
  expect(await answer.json()).toMatchObject({
    type: 'message',
    content: [text('whole')],
    stop_reason: 'end_turn',
    usage: { output_tokens: expect.any(Number) },
  });
  expect((await fetch(`${api.url}/v1/models`)).status).toBe(404);
  api.done();
});

test('the fake API lets in only its key, when it has one', async () => {
  const api = await startFakeApi([replies('in')], { key: 'right' });
  closers.push(api.close);
  const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'wrong' };
  await expect(anthropicAt(api.url, { env })(requestOf([asks('hi')]), quietStream())).rejects.toMatchObject({ code: 'model_key' });
  const right = { ...env, ANTHROPIC_API_KEY: 'right' };
  expect(await anthropicAt(api.url, { env: right })(requestOf([asks('hi')]), quietStream())).toMatchObject({ kind: 'reply' });
});

test('the fake API refuses sampling parameters, as the API does', async () => {
  const api = await startFakeApi([replies('never')]);
  closers.push(api.close);
  const body = JSON.stringify({ model: 'm', max_tokens: 10, temperature: 0, messages: [{ role: 'user', content: 'hi' }] });
  const answer = await fetch(`${api.url}/v1/messages`, { method: 'POST', body });
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('temperature')]);
});
