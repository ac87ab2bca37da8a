import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ContentBlock, WireMessage } from '../../src/domain/session/message.ts';
import { createRequestChecker, type SentRequest } from '../support/check-request.ts';
import { fakeModel, quietStream } from '../support/fake-model.ts';
import { asks, requestOf } from '../support/model-rig.ts';
import { replies } from '../support/scenario.ts';

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
      'an hour after five minutes',
      sent([user({ ...text('a'), cache_control: {} }, { ...text('b'), cache_control: { ttl: '1h' } })]),
      /1h comes after one for 5m/,
    ],
    ['a time that there is not', sent([user({ ...text('a'), cache_control: { ttl: '2h' } })]), /ttl that there is not/],
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
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    mkdirSync(join(home, 'offloaded'));
    const path = join(home, 'offloaded', 'a.txt');
    const returning = (content: string) =>
      sent([asks('a'), assistant(call('a')), user(result('a', content)), asks(`Tool result is at: ${path}`)]);
    const checker = createRequestChecker({ home });
    expect(checker.check(returning('Tool result is at: /etc/nothing\nmore'))).toEqual([]);
    expect(checker.check(returning(`Tool result is at: ${path}\ntool: x`))).toEqual([expect.stringContaining('is not there')]);
    writeFileSync(path, 'body');
    expect(checker.check(returning(`Tool result is at: ${path}\ntool: x`))).toEqual([]);
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
