import { afterEach, describe, expect, test } from 'vitest';
import type { AskModel } from '../../src/agent/ports/model.ts';
import { AbortedError, SanbotError } from '../../src/domain/errors.ts';
import type { ContentBlock, WireMessage } from '../../src/domain/session/message.ts';
import { createOffline } from '../../src/model/offline/offline.ts';
import { startFakeApi } from '../support/fake-api.ts';
import { chatWire } from '../support/fake-chat.ts';
import { fakeModel } from '../support/fake-model.ts';
import { startFakeResponses } from '../support/fake-responses.ts';
import { anthropicAt, asks, listen, openAiChatAt, requestOf, responsesAt } from '../support/model-rig.ts';
import { answersWith, callsTool, fails, hangs, overflows, refusesThinking, replies, type Step } from '../support/scenario.ts';

type Rig = { readonly ask: AskModel; readonly done: () => void };
type Candidate = {
  readonly name: string;
  readonly open: (steps: readonly Step[]) => Promise<Rig>;
  /** The API has no thinking that is bound to its past. */
  readonly bindsNothing?: true;
};

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

const overHttp =
  (chunkBytes: number | undefined): Candidate['open'] =>
  async (steps) => {
    const api = await startFakeApi(steps, chunkBytes === undefined ? {} : { chunkBytes });
    closers.push(api.close);
    return { ask: anthropicAt(api.url), done: api.done };
  };

/** Those that play a scenario: the fake of the agent's tests must promise what the real thing promises. */
const scripted: readonly Candidate[] = [
  { name: 'the fake model', open: async (steps) => fakeModel(steps) },
  { name: 'the SDK over HTTP', open: overHttp(undefined) },
  { name: 'the SDK over HTTP, three bytes at a time', open: overHttp(3) },
];

const overResponses =
  (chunkBytes: number | undefined): Candidate['open'] =>
  async (steps) => {
    const api = await startFakeResponses(steps, chunkBytes === undefined ? {} : { chunkBytes });
    closers.push(api.close);
    return { ask: responsesAt(api.url), done: api.done };
  };

const overChat =
  (chunkBytes: number | undefined): Candidate['open'] =>
  async (steps) => {
    const api = await startFakeApi(steps, { wire: chatWire(), ...(chunkBytes === undefined ? {} : { chunkBytes }) });
    closers.push(api.close);
    return { ask: openAiChatAt(api.url), done: api.done };
  };

/** Those that speak another API than the one whose blocks and stop reasons are ours. */
const foreign: readonly Candidate[] = [
  { name: 'chat completions', open: overChat(undefined), bindsNothing: true },
  { name: 'chat completions, three bytes at a time', open: overChat(3), bindsNothing: true },
  { name: 'the Responses API', open: overResponses(undefined) },
  { name: 'the Responses API, three bytes at a time', open: overResponses(3) },
];

describe.each([...scripted, ...foreign])('$name', ({ open, bindsNothing }) => {
  test('streams a reply and then gives it whole', async () => {
    const rig = await open([replies('Hello, 世界 👋🏽!')]);
    const heard = listen();
    const answer = await rig.ask(requestOf([asks('hi')]), heard);
    expect(answer).toMatchObject({ kind: 'reply', content: [{ type: 'text', text: 'Hello, 世界 👋🏽!' }], stopReason: 'end_turn' });
    expect(heard.texts.length).toBeGreaterThan(1);
    expect(heard.texts.join('')).toBe('Hello, 世界 👋🏽!');
    rig.done();
  });

  test('gives words, calls and arguments in any script as they came', async () => {
    const content: readonly ContentBlock[] = [
      { type: 'text', text: 'Reading.' },
      { type: 'tool_use', id: 'call_1', name: 'read_file', input: { path: 'a\n"b"\\c 文件.txt', deep: { n: 1e-7, list: [true, null] } } },
      { type: 'tool_use', id: 'call_2', name: 'read_file', input: { path: '👋🏽' } },
    ];
    const rig = await open([answersWith(content, 'tool_use')]);
    expect(await rig.ask(requestOf([asks('hi')]), listen())).toMatchObject({ kind: 'reply', content, stopReason: 'tool_use' });
  });

  test('an empty reply is a reply', async () => {
    const rig = await open([answersWith([], 'end_turn')]);
    expect(await rig.ask(requestOf([asks('hi')]), listen())).toMatchObject({ kind: 'reply', content: [], stopReason: 'end_turn' });
  });

  test('reports the usage of the reply, and none when there is none', async () => {
    const usage = { inputTokens: 11, cacheReadTokens: 22, cacheWriteTokens: 33, outputTokens: 44 };
    const rig = await open([replies('one', { usage }), replies('two', { usage: null })]);
    expect(await rig.ask(requestOf([asks('hi')]), listen())).toMatchObject({ usage });
    expect(await rig.ask(requestOf([asks('hi')]), listen())).toMatchObject({ usage: undefined });
  });

  test('an overflow is an answer, with its figures', async () => {
    const rig = await open([overflows(208_310, 200_000)]);
    const answer = await rig.ask(requestOf([asks('hi')]), listen());
    expect(answer).toMatchObject({ kind: 'overflow', limitTokens: 200_000, sentTokens: 208_310 });
  });

  test.skipIf(bindsNothing)('thinking bound to another past is an answer [C65]', async () => {
    const rig = await open([refusesThinking()]);
    expect(await rig.ask(requestOf([asks('hi')]), listen())).toEqual({ kind: 'stale_thinking' });
  });

  test.each(['model_key', 'model_failed'] as const)('rejects with %s', async (code) => {
    const rig = await open([fails(code)]);
    const error: unknown = await rig.ask(requestOf([asks('hi')]), listen()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SanbotError);
    expect(error).toMatchObject({ code });
  });

  test('says nothing to the screen for a summary', async () => {
    const rig = await open([replies('A summary.', { thinking: 'What matters?' })]);
    const heard = listen();
    const answer = await rig.ask(requestOf([asks('summarise')], { purpose: 'summary', tools: [] }), heard);
    expect(answer).toMatchObject({ kind: 'reply' });
    expect([heard.texts, heard.thoughts]).toEqual([[], []]);
  });

  test('an abort while nothing comes rejects with AbortedError at once', async () => {
    const rig = await open([hangs()]);
    const heard = listen();
    const asked = rig.ask(requestOf([asks('hi')]), heard);
    heard.abort();
    await expect(asked).rejects.toBeInstanceOf(AbortedError);
  });

  test('an abort in the middle of a reply rejects with AbortedError, and nothing is said after it', async () => {
    const rig = await open([replies('a long reply that is stopped early')]);
    const heard = listen((_, abort) => abort());
    await expect(rig.ask(requestOf([asks('hi')]), heard)).rejects.toBeInstanceOf(AbortedError);
    for (let i = 0; i < 5; i++) await new Promise(setImmediate);
    expect(heard.texts).toHaveLength(1);
  });

  test('an abort before the start sends nothing', async () => {
    const rig = await open([]);
    const heard = listen();
    heard.abort();
    await expect(rig.ask(requestOf([asks('hi')]), heard)).rejects.toBeInstanceOf(AbortedError);
    rig.done();
  });

  test('a call and its result can be sent back as they came', async () => {
    const rig = await open([callsTool('read_file', { path: 'a.txt' }, 'toolu_7', { thinking: 'Look first.' }), replies('It says x.')]);
    const first = requestOf([asks('read a.txt')]);
    const answer = await rig.ask(first, listen());
    if (answer.kind !== 'reply') throw new Error('expected a reply');
    const back: readonly WireMessage[] = [
      ...first.messages,
      { role: 'assistant', content: answer.content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_7', content: 'x' }] },
    ];
    expect(await rig.ask(requestOf(back), listen())).toMatchObject({ content: [{ type: 'text', text: 'It says x.' }] });
    rig.done();
  });
});

describe.each(scripted)('$name, in terms of the Messages API', ({ open }) => {
  test('gives content verbatim, unknown blocks and arguments in any script included', async () => {
    const content: readonly ContentBlock[] = [
      { type: 'thinking', thinking: 'Hm, 我想想.', signature: 'sig-verbatim==' },
      { type: 'redacted_thinking', data: 'opaque' },
      { type: 'block_of_2031', payload: { deep: [1, 'two', null] }, note: 'kept' },
      { type: 'text', text: 'Reading.' },
      { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: { path: 'a\n"b"\\c 文件.txt', deep: { n: 1e-7, list: [true, null] } } },
    ];
    const rig = await open([answersWith(content, 'tool_use')]);
    const heard = listen();
    expect(await rig.ask(requestOf([asks('hi')]), heard)).toMatchObject({ kind: 'reply', content, stopReason: 'tool_use' });
    expect(heard.thoughts.join('')).toBe('Hm, 我想想.');
  });

  test.each(['refusal', 'max_tokens', 'pause_turn', 'stop_reason_of_2031'])('hands on the stop reason %s', async (stopReason) => {
    const rig = await open([answersWith([{ type: 'text', text: 'I' }], stopReason)]);
    expect(await rig.ask(requestOf([asks('hi')]), listen())).toMatchObject({ kind: 'reply', stopReason });
  });
});

describe('the offline model', () => {
  test('streams a reply and then gives it whole', async () => {
    const heard = listen();
    const answer = await createOffline()(requestOf([asks('status')]), heard);
    if (answer.kind !== 'reply') throw new Error('expected a reply');
    expect(heard.texts.length).toBeGreaterThan(1);
    expect(answer.content).toEqual([{ type: 'text', text: heard.texts.join('') }]);
  });

  test('an overflow is an answer, with its figures', async () => {
    const answer = await createOffline({ windowTokens: 1_000 })(requestOf([asks('x '.repeat(5_000))]), listen());
    expect(answer).toMatchObject({ kind: 'overflow', limitTokens: 1_000 });
  });

  test('rejects with AbortedError before the start and in the middle', async () => {
    const before = listen();
    before.abort();
    await expect(createOffline()(requestOf([asks('status')]), before)).rejects.toBeInstanceOf(AbortedError);
    const during = listen((_, abort) => abort());
    await expect(createOffline()(requestOf([asks('status')]), during)).rejects.toBeInstanceOf(AbortedError);
    expect(during.texts).toHaveLength(1);
  });

  test('refuses to summarise rather than pretend [O10]', async () => {
    const asked = createOffline()(requestOf([asks('summarise')], { purpose: 'summary', tools: [] }), listen());
    await expect(asked).rejects.toMatchObject({ code: 'model_failed' });
  });
});
