import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { ContentBlock, WireMessage } from '../../src/domain/message.ts';
import { createRequestChecker, type SentRequest } from '../support/check-request.ts';
import { startFakeApi } from '../support/fake-api.ts';
import { fakeModel, quietStream } from '../support/fake-model.ts';
import { anthropicAt, asks, requestOf } from '../support/model-rig.ts';
import { answersWith, callsTool, misbehaves, replies, type Script, type Step } from '../support/scenario.ts';

const call = (id: string, input: unknown = {}): ContentBlock => ({ type: 'tool_use', id, name: 'read_file', input });
const result = (id: string, content = 'x'): ContentBlock => ({ type: 'tool_result', tool_use_id: id, content });
const text = (said: string): ContentBlock => ({ type: 'text', text: said });
const thought = (signature: string, thinking = 'hm'): ContentBlock => ({ type: 'thinking', thinking, signature });
const user = (...content: readonly ContentBlock[]): WireMessage => ({ role: 'user', content });
const assistant = (...content: readonly ContentBlock[]): WireMessage => ({ role: 'assistant', content });
const sent = (messages: readonly WireMessage[], more: Partial<SentRequest> = {}): SentRequest => ({
  system: ['s'],
  tools: [],
  messages,
  maxTokens: 100,
  ...more,
});

describe('the check of every request', () => {
  test('lets a good one pass', () => {
    const good = [
      asks('go'),
      assistant(thought('1'), call('a'), call('b')),
      user(result('a'), result('b'), text('and hurry')),
      asks('now'),
    ];
    expect(createRequestChecker({ windowTokens: 1_000 }).check(sent(good))).toEqual([]);
  });

  const bad: readonly (readonly [why: string, request: SentRequest, problem: RegExp])[] = [
    ['no messages', sent([]), /no messages/],
    ['an assistant at the start', sent([assistant(text('hi')), asks('go')]), /first message/],
    ['an assistant at the end', sent([asks('go'), assistant(text('hi'))]), /last message/],
    ['two assistants in a row', sent([asks('a'), assistant(text('b')), assistant(text('c')), asks('d')]), /both the assistant/],
    ['an empty message', sent([user(), asks('go')]), /message 0 is empty/],
    ['a text without text', sent([user(text(' \n'))]), /text without text/],
    ['a call without a result [O1]', sent([asks('a'), assistant(call('a')), asks('b')]), /calls without results: a/],
    ['a result without a call [C60]', sent([asks('a'), assistant(text('b')), user(result('a'))]), /results without calls: a/],
    ['a result at the start', sent([user(result('a'))]), /message 0 has results/],
    [
      'a result one message late',
      sent([asks('a'), assistant(call('a')), asks('b'), assistant(text('c')), user(result('a'))]),
      /without results/,
    ],
    ['a result behind text', sent([asks('a'), assistant(call('a')), user(text('b'), result('a'))]), /behind other blocks/],
    ['two results for one call', sent([asks('a'), assistant(call('a')), user(result('a'), result('a'))]), /answers a call twice/],
    [
      'an id used twice [F7]',
      sent([asks('a'), assistant(call('a')), user(result('a')), assistant(call('a')), user(result('a'))]),
      /used twice/,
    ],
    ['arguments that are no object [P16]', sent([asks('a'), assistant(call('a', null)), user(result('a'))]), /no object/],
    ['thinking of the user', sent([user(thought('1'), text('a'))]), /thinking of the user/],
    ['the same tool twice [C67]', sent([asks('a')], { tools: [{ name: 'x' }, { name: 'x' }] }), /not unique/],
    ['an empty system block', sent([asks('a')], { system: ['base', ''] }), /system block is empty/],
    ['half a character [C68]', sent([asks('cut \ud83d')]), /half a character/],
    ['a max_tokens of 1 [P14]', sent([asks('a')], { maxTokens: 1 }), /max_tokens is 1/],
    ['five breakpoints', sent([user(...Array(5).fill({ ...text('a'), cache_control: {} }))]), /5 cache breakpoints/],
    [
      'a breakpoint on thinking',
      sent([asks('a'), assistant({ ...thought('1'), cache_control: {} }, text('b')), asks('c')]),
      /may not have one/,
    ],
    ['more than the window', sent([asks('word '.repeat(2_000))]), /the window 1000/],
  ];
  test.each(bad)('refuses %s', (_, request, problem) => {
    expect(createRequestChecker({ windowTokens: 1_000 }).check(request).join('; ')).toMatch(problem);
  });

  test('refuses a stub of the home whose body is not there, and no other text like it [S7]', () => {
    const home = mkdtempSync(join(tmpdir(), 'sanbot-check-'));
    mkdirSync(join(home, 'offloaded'));
    const path = join(home, 'offloaded', 'a.txt');
    const with_ = (content: string) =>
      sent([asks('a'), assistant(call('a')), user(result('a', content)), asks(`Tool result is at: ${path}`)]);
    const checker = createRequestChecker({ home });
    expect(checker.check(with_('Tool result is at: /etc/nothing\nmore'))).toEqual([]);
    expect(checker.check(with_(`Tool result is at: ${path}\ntool: x`))).toEqual([expect.stringContaining('is not there')]);
    writeFileSync(path, 'body');
    expect(checker.check(with_(`Tool result is at: ${path}\ntool: x`))).toEqual([]);
  });
});

describe('the rule of bound thinking [C65, C66, O2]', () => {
  const turn1 = [asks('one'), assistant(thought('1'), call('a')), user(result('a', 'long'))];
  const turn2 = [...turn1, assistant(thought('2'), text('so')), asks('two')];
  const turn3 = [...turn2, assistant(thought('3'), text('then')), asks('three')];
  const check = (next: SentRequest): string => {
    const checker = createRequestChecker();
    for (const messages of [turn1, turn2, turn3]) expect(checker.check(sent(messages))).toEqual([]);
    return checker.check(next).join('; ');
  };
  const without = (...signatures: readonly string[]) =>
    turn3.map(({ role, content }) => ({ role, content: content.filter((block) => !signatures.includes(String(block.signature))) }));

  test('holds while the past is only appended to, and after going back to it exactly', () => {
    expect(check(sent([...turn3, assistant(text('x')), asks('four')]))).toBe('');
    expect(check(sent(turn2))).toBe('');
  });

  test('allows to leave out thinking from the start, from the end, and all of it', () => {
    for (const gone of [['1'], ['1', '2'], ['3'], ['2', '3'], ['1', '2', '3']]) expect(check(sent(without(...gone)))).toBe('');
  });

  test('refuses to leave it out of the middle', () => {
    expect(check(sent(without('2')))).toMatch(/lost or got back thinking/);
  });

  test('refuses it behind a result that was shortened, and allows the same without thinking', () => {
    const shortened = turn3.map((message, i) => (i === 2 ? user(result('a', 'short')) : message));
    expect(check(sent(shortened))).toMatch(/past that was changed/);
    const bare = shortened.map(({ role, content }) => ({ role, content: content.filter(({ type }) => type !== 'thinking') }));
    expect(check(sent(bare))).toBe('');
  });

  test('refuses it behind another system prompt or other tools', () => {
    expect(check(sent(turn3, { system: ['another'] }))).toMatch(/past that was changed/);
    expect(check(sent(turn3, { tools: [{ name: 'x' }] }))).toMatch(/past that was changed/);
  });

  test('refuses changed thinking, and does not mind breakpoints or the order of keys', () => {
    const altered = turn3.map((message, i) => (i === 1 ? assistant(thought('1', 'hmm'), call('a')) : message));
    expect(check(sent(altered))).toMatch(/was changed/);
    const marked = turn3.map((message, i) =>
      i === 2 ? user({ content: 'long', tool_use_id: 'a', cache_control: {}, type: 'tool_result' }) : message,
    );
    expect(check(sent(marked))).toBe('');
  });

  test('binds an answer to the request that it answered, not to the one that brings it back', async () => {
    const model = fakeModel([replies('ok', { thinking: 'hm' }), replies('never')]);
    const answer = await model.ask(requestOf([asks('one')]), quietStream());
    if (answer.kind !== 'reply') throw new Error('expected a reply');
    const changed = requestOf([asks('ONE'), { role: 'assistant', content: answer.content }, asks('two')]);
    await expect(model.ask(changed, quietStream())).rejects.toThrow(/past that was changed/);
  });
});

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
      const answer = await ask(rig, messages);
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
    expect(second.usage?.cacheWriteTokens).toBeGreaterThan(200);
  });
});

test('usage of a repeated prefix is cached, in the fake model', async () => {
  const model = fakeModel([replies('one'), replies('two')]);
  await model.ask(requestOf([asks('x'.repeat(300))]), quietStream());
  const second = await model.ask(requestOf([asks('x'.repeat(300)), assistant(text('one')), asks('y')]), quietStream());
  expect(second).toMatchObject({ usage: { cacheReadTokens: expect.any(Number) } });
  if (second.kind === 'reply') expect(second.usage?.cacheReadTokens).toBeGreaterThan(second.usage?.cacheWriteTokens ?? 0);
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
