import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ModelRequest } from '../../../../src/agent/ports/model.ts';
import type { ContentBlock, WireMessage } from '../../../../src/domain/session/message.ts';
import { type RequestBody, requestBody } from '../../../../src/model/anthropic/request.ts';
import { factsFor, type Thinking } from '../../../../src/model/catalog.ts';
import { asks, modelConfig, requestOf } from '../../../support/model-rig.ts';
import { cacheOf } from '../../../support/prompt-cache.ts';

const model = (thinking: Thinking, windowTokens = 200_000, maxOutputTokens = 64_000) => ({
  facts: factsFor('x', { ...modelConfig, contextWindow: windowTokens, maxOutputTokens }, 'anthropic'),
  thinking,
});
const body = (request: ModelRequest, thinking: Thinking = 'adaptive'): RequestBody => requestBody(request, model(thinking));

const call = (id: string): ContentBlock => ({ type: 'tool_use', id, name: 'read_file', input: {} });
const result = (id: string): ContentBlock => ({ type: 'tool_result', tool_use_id: id, content: 'x' });
const assistant = (...content: readonly ContentBlock[]): WireMessage => ({ role: 'assistant', content });
const user = (...content: readonly ContentBlock[]): WireMessage => ({ role: 'user', content });

const marked = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value.flatMap(marked);
  if (typeof value !== 'object' || value === null) return [];
  return 'cache_control' in value ? [value] : Object.values(value).flatMap(marked);
};
const unmarked = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, inner) => (key === 'cache_control' ? undefined : inner)));

describe('the cache breakpoints', () => {
  const many = Array.from({ length: 30 }, (_, i) => `t${i}`);
  const step = requestOf([asks('go'), assistant(...many.map(call)), user(...many.map(result))], { system: ['base', 'summary'] });

  test('stand at the frozen system prompt, at the end, and where the last request ended, however much a step adds', () => {
    expect(marked(body(step))).toEqual([
      { type: 'text', text: 'base', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: 'go', cache_control: { type: 'ephemeral' } },
      { ...result('t29'), cache_control: { type: 'ephemeral' } },
    ]);
  });

  test('all ask for an hour where the request does, since the API refuses an hour after five minutes', () => {
    const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } };
    expect(marked(body({ ...step, cacheTtl: '1h' }))).toEqual([
      { type: 'text', text: 'base', ...hour },
      { type: 'text', text: 'go', ...hour },
      { ...result('t29'), ...hour },
    ]);
  });

  test('keep the summary at the head of the conversation in the cache when an offload changes what is behind it [C58]', () => {
    const summary = { type: 'text', text: '[Compressed History] '.repeat(20) };
    const request = { type: 'text', text: 'go on' };
    const work = (content: string) => [
      user(summary, request),
      assistant(call('a')),
      user({ ...result('a'), content }),
      assistant(call('b')),
    ];
    const cache = cacheOf();
    cache.send(body(requestOf([...work('a long result'), user(result('b'))], { system: ['base', 'short'] })));
    const after = cache.send(
      body(requestOf([...work('a stub'), user(result('b')), assistant(call('c')), user(result('c'))], { system: ['base', 'short'] })),
    );
    expect(after).toEqual({ before: 9, shared: 6, read: 4 });
  });

  test('of a summary on the prefix stand where the last request ended, and none at its own end, which nothing reads', () => {
    const asking = [...step.messages.slice(0, -1), user(...many.map(result), { type: 'text', text: 'Summarise it.' })];
    const sent = body({ ...step, messages: asking, purpose: 'summary', onPrefix: true });
    expect(marked(sent)).toEqual([
      { type: 'text', text: 'base', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: 'go', cache_control: { type: 'ephemeral' } },
    ]);
    expect(unmarked(sent.tools)).toEqual(unmarked(body(step).tools));
    expect(sent.thinking).toEqual(body(step).thinking);
  });

  test('are in no request for the summary of a transcript, since nothing could read what it writes', () => {
    expect(marked(body({ ...step, tools: [], purpose: 'summary' }))).toEqual([]);
    expect(marked(body({ ...step, system: [], tools: [], purpose: 'summary' }))).toEqual([]);
  });

  test('go on the tools when there is no system prompt', () => {
    expect(marked(body(requestOf([asks('go')], { system: [] })).tools)).toHaveLength(1);
  });

  const content = fc.array(
    fc.oneof(
      fc.string().map((text) => ({ type: 'text', text })),
      fc.constant({ type: 'thinking', thinking: 'hm', signature: 's' }),
      fc.constant(result('t')),
      fc.constant(call('t')),
      fc.constant({ type: 'new_block' }),
    ),
    { maxLength: 5 },
  );
  const messages = fc.array(fc.record({ role: fc.constantFrom('user' as const, 'assistant' as const), content }), { maxLength: 12 });

  test('are at most four, never on empty text or thinking, and change nothing else', () => {
    fc.assert(
      fc.property(messages, fc.array(fc.string({ minLength: 1 }), { maxLength: 4 }), (some, system) => {
        const request = requestOf(some, { system });
        const sent = body(request);
        const found = marked(sent);
        expect(found.length).toBeLessThanOrEqual(4);
        for (const one of found) expect(one).not.toMatchObject({ type: 'thinking' });
        for (const one of marked(sent.messages)) expect(one).not.toMatchObject({ type: 'text', text: expect.stringMatching(/^\s*$/) });
        expect(unmarked(sent.messages)).toEqual(unmarked(request.messages));
        expect(body(request)).toEqual(sent);
      }),
    );
  });

  test('leave the earlier bytes of an ordinary step as they were [O22]', () => {
    const first = body(requestOf([asks('go')]));
    const second = body(requestOf([asks('go'), assistant(call('a')), user(result('a'))]));
    expect(unmarked(second.system)).toEqual(unmarked(first.system));
    expect(unmarked(second.messages.slice(0, 1))).toEqual(unmarked(first.messages));
  });
});

describe('thinking', () => {
  const thinkings: readonly (readonly [Thinking, ModelRequest['purpose'], unknown])[] = [
    ['always', 'turn', { type: 'adaptive', display: 'summarized' }],
    ['adaptive', 'turn', { type: 'adaptive', display: 'summarized' }],
    ['budget', 'turn', undefined],
    ['none', 'turn', undefined],
    ['always', 'summary', { type: 'adaptive' }],
    ['adaptive', 'summary', { type: 'disabled' }],
    ['none', 'summary', undefined],
  ];
  test.each(thinkings)('of a model that thinks %s, for a %s', (thinking, purpose, expected) => {
    expect(body(requestOf([asks('go')], { purpose }), thinking).thinking).toEqual(expected);
  });

  test('is given room beside a summary where it cannot be turned off [C86]', () => {
    const summary = requestOf([asks('go')], { purpose: 'summary', maxOutputTokens: 1_000 });
    expect(body(summary, 'always').max_tokens).toBe(9_000);
    expect(body(summary, 'adaptive').max_tokens).toBe(1_000);
    expect(body({ ...summary, onPrefix: true }, 'adaptive').max_tokens).toBe(9_000);
  });
});

describe('max_tokens', () => {
  test('is never above what the model gives [C37]', () => {
    expect(requestBody(requestOf([asks('go')], { maxOutputTokens: 250_000 }), model('none', 1_000_000, 128_000)).max_tokens).toBe(128_000);
  });

  test('is never above what the window leaves, and never next to nothing [P14, P32]', () => {
    const full = requestOf([asks('word '.repeat(4_000))], { maxOutputTokens: 4_096 });
    expect(requestBody(full, model('none', 8_192)).max_tokens).toBeLessThan(4_096 / 2);
    expect(requestBody(requestOf([asks('word '.repeat(40_000))]), model('none', 8_192)).max_tokens).toBe(1_024);
  });
});

test('an image is not counted as its base64 [C45]', () => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(3_000_000) } };
  const request = requestOf([user(image, { type: 'text', text: 'what is this?' })]);
  expect(requestBody(request, model('none')).max_tokens).toBe(request.maxOutputTokens);
  expect(requestBody(request, model('none')).messages[0]?.content[0]).toEqual(image);
});

test('no sampling parameters, which the API refuses', () => {
  expect(Object.keys(body(requestOf([asks('go')]))).sort()).toEqual(['max_tokens', 'messages', 'model', 'system', 'thinking', 'tools']);
});

describe('how hard the model is to think', () => {
  const efforts = ['low', 'medium', 'high', 'max'] as const;
  const turn = requestOf([asks('go')], { maxOutputTokens: 32_000 });

  test('is said in its own field, and nothing is where nothing is set', () => {
    expect(efforts.map((effort) => body({ ...turn, effort }).output_config)).toEqual(efforts.map((effort) => ({ effort })));
    expect(body(turn)).not.toHaveProperty('output_config');
    expect(body({ ...turn, effort: 'high' }).thinking).toEqual(body(turn).thinking);
  });

  test('is a budget of thinking for models that know no levels, beside the room for the answer', () => {
    const of = (request: Partial<ModelRequest>): RequestBody => body({ ...turn, ...request }, 'budget');
    expect(efforts.map((effort) => of({ effort }).thinking)).toEqual(
      [2_048, 8_192, 16_384, 32_000].map((tokens) => ({ type: 'enabled', budget_tokens: tokens })),
    );
    expect(of({ effort: 'high' })).toMatchObject({ max_tokens: 32_000 + 16_384 });
    expect(of({ effort: 'high' })).not.toHaveProperty('output_config');
    expect([of({}), of({ effort: 'max', maxOutputTokens: 1_000, purpose: 'summary' })].map(({ thinking }) => thinking)).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('begins for those not between a call and its result, which they refuse', () => {
    const messages = [asks('go'), assistant(call('a')), user(result('a'))];
    const thought = [asks('go'), assistant({ type: 'thinking', thinking: 'hm', signature: 's' }, call('a')), user(result('a'))];
    const thinks = (of: readonly WireMessage[]): boolean => body({ ...turn, messages: of, effort: 'low' }, 'budget').thinking !== undefined;
    expect([thinks(messages), thinks(thought), thinks([...messages, assistant({ type: 'text', text: 'ok' }), asks('on')])]).toEqual([
      ...[false, true, true],
    ]);
  });

  test('is the same for a summary at the end of the conversation, whose cache it would lose otherwise', () => {
    for (const thinking of ['adaptive', 'always', 'budget'] as const) {
      const [said, summary] = [
        { ...turn, effort: 'high' as const },
        { ...turn, effort: 'high' as const, purpose: 'summary' as const, onPrefix: true as const },
      ].map((request) => body(request, thinking));
      expect([summary?.thinking, summary?.output_config]).toEqual([said?.thinking, said?.output_config]);
    }
  });
});
