import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isToolUse } from '../../src/domain/session/message.ts';
import type { ModelAnswer } from '../../src/domain/session/model-answer.ts';
import { collectChatReply } from '../../src/model/openai-chat/reply.ts';
import { requestOf } from '../support/model-rig.ts';
import { runs } from '../support/runs.ts';
import { chatStreams, chunksOf, toolNames } from './chat-streams.ts';

const tools = [...toolNames].map((name) => ({ name, description: name, inputSchema: { type: 'object' } }));

const answerOf = (chunks: readonly object[]): ModelAnswer | undefined => {
  const collector = collectChatReply(requestOf([], { tools }), { onText: () => undefined, onThinking: () => undefined });
  for (const chunk of [...chunks.map((one) => JSON.stringify(one)), '[DONE]'])
    collector.push({ data: chunk, id: undefined, event: undefined });
  return collector.finish();
};

const callsIn = (answer: ModelAnswer | undefined) =>
  answer?.kind === 'reply' ? answer.content.filter(isToolUse).map(({ id, name, input }) => ({ id, name, input })) : [];

describe('the calls of a reply', () => {
  test('are each whole and there once, however a server names their fragments [W1]', () => {
    fc.assert(
      fc.property(chatStreams, fc.constantFrom('tool_calls', 'stop', null), (stream, finish) => {
        const calls = stream.calls.map((call, at) => ({ ...call, id: call.id === '' ? `call_${at}` : call.id }));
        expect(callsIn(answerOf(chunksOf(stream, finish))), stream.way).toEqual(calls);
      }),
      { numRuns: runs(1_000) },
    );
  });

  const command = (json: unknown, fields: object, name?: string) => ({
    ...fields,
    function: { ...(name !== undefined && { name }), arguments: json },
  });
  const once = [{ name: 'run_command', input: { command: 'echo one' } }];
  test.each([
    [
      'an id for each fragment under one index',
      [
        { index: 0, id: 'x1', function: { name: 'run_command' } },
        command('{"command":', { index: 0, id: 'x2' }),
        command('"echo one"}', { index: 0, id: 'x3' }),
      ],
      once,
    ],
    [
      'the name in each of them too',
      [
        command('', { index: 0, id: 'x1' }, 'run_command'),
        command('{"command":', { index: 0, id: 'x2' }, 'run_command'),
        command('"echo one"}', { index: 0, id: 'x3' }, 'run_command'),
      ],
      once,
    ],
    [
      'one id under three indexes',
      [
        { index: 0, id: 'x', function: { name: 'run_command' } },
        command('{"command":', { index: 1, id: 'x' }),
        command('"echo one"}', { index: 2, id: 'x' }),
      ],
      once,
    ],
    [
      'an index for each fragment and no more ids',
      [
        { index: 0, id: 'x', function: { name: 'run_command' } },
        command('{"command":', { index: 1 }),
        command('"echo one"}', { index: 2 }),
      ],
      once,
    ],
    [
      'a whole call again, once without its id',
      [
        command('{"command":"echo one"}', { index: 0, id: 'x' }, 'run_command'),
        command('{"command":"echo one"}', { index: 1 }, 'run_command'),
      ],
      once,
    ],
    [
      'names alone, one after another',
      [command('{"command":"echo one"}', {}, 'run_command'), command('{"path":"a"}', {}, 'read_file')],
      [...once, { name: 'read_file', input: { path: 'a' } }],
    ],
    [
      'the same id for two calls',
      [
        command('{"command":"echo one"}', { index: 0, id: 'call' }, 'run_command'),
        command('{"path":"a"}', { index: 1, id: 'call' }, 'read_file'),
      ],
      [...once, { name: 'read_file', input: { path: 'a' } }],
    ],
    [
      'the same call twice, with an id each',
      [
        command('{"command":"echo one"}', { index: 0, id: 'a' }, 'run_command'),
        command('{"command":"echo one"}', { index: 1, id: 'b' }, 'run_command'),
      ],
      [...once, ...once],
    ],
    [
      'two calls without arguments under one index',
      [command('', { index: 0, id: 'a' }, 'list_files'), command('', { index: 0, id: 'b' }, 'list_files')],
      [
        { name: 'list_files', input: {} },
        { name: 'list_files', input: {} },
      ],
    ],
    [
      'ids under one index, in turn',
      [
        command('{"command":', { index: 0, id: 'a' }, 'run_command'),
        command('{"command":', { index: 0, id: 'b' }, 'run_command'),
        command('"echo one"}', { index: 0, id: 'a' }),
        command('"echo two"}', { index: 0, id: 'b' }),
      ],
      [...once, { name: 'run_command', input: { command: 'echo two' } }],
    ],
    [
      'numbers for ids',
      [
        command('{"command":"echo one"}', { index: 0, id: 7 }, 'run_command'),
        command('{"command":"echo one"}', { index: 1, id: 8 }, 'run_command'),
      ],
      [...once, ...once],
    ],
  ])('named by %s', (way, fragments, expected) => {
    expect(callsIn(answerOf(chunksOf({ way, calls: [], fragments }, 'stop')))).toMatchObject(expected);
    expect(callsIn(answerOf(chunksOf({ way, calls: [], fragments }, 'stop')))).toHaveLength(expected.length);
  });

  test('are found where a server has one alone, or only the older field', () => {
    const called = { name: 'run_command', arguments: '{"command":"echo one"}' };
    for (const delta of [{ tool_calls: { index: 0, id: 'x', function: called } }, { function_call: called }])
      expect(callsIn(answerOf([{ choices: [{ index: 0, delta, finish_reason: 'function_call' }] }]))).toMatchObject(once);
  });

  test.each(['{}{"command":"echo one"}', '{"command":"echo one"}{"command":"echo one"}', '{"command":"echo one"}<|im_end|>'])(
    'are read where something stands beside their arguments: %s',
    (json) => {
      const call = command(json, { index: 0, id: 'x' }, 'run_command');
      expect(callsIn(answerOf([{ choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: 'tool_calls' }] }]))).toMatchObject(
        once,
      );
    },
  );

  test('are not guessed where arguments hold more than one object', () => {
    const two = command('{"command":"echo one"}{"command":"echo two"}', { index: 0, id: 'x' }, 'run_command');
    expect(callsIn(answerOf([{ choices: [{ index: 0, delta: { tool_calls: [two] }, finish_reason: 'tool_calls' }] }]))).toMatchObject([
      { input: { INVALID_JSON: expect.stringContaining('echo two') } },
    ]);
  });

  test('and the words before them are said once where each piece has all of them', () => {
    const words = ['The answer is', 'The answer is forty', 'The answer is forty-two.'];
    const chunks = words.map((content, at) => ({ choices: [{ index: 0, delta: { content }, finish_reason: at === 2 ? 'stop' : null }] }));
    expect(answerOf(chunks)).toMatchObject({ content: [{ type: 'text', text: words[2] }] });
  });

  test.each([
    ['from 0 on', [0, 1, 2, 3], ['So ', 'it ', 'is', '.'], 'So it is.'],
    ['from 1 on', [1, 2, 3], ['So ', 'it', '.'], 'So it.'],
    ['with the end at 0 again', [0, 1, 2, 0], ['So ', 'it', '.', ''], 'So it.'],
    ['in two chunks', [0, 1], ['So', '.'], 'So.'],
    ['not at all', [0, 0, 0], ['So ', 'it', '.'], 'So it.'],
    ['as a second choice', [0, 1, 0, 1, 0], ['So ', 'Or ', 'it', 'not', '.'], 'So it.'],
    ['as a second choice behind the first', [0, 0, 1, 2], ['So', '.', 'Or ', 'not'], 'So.'],
    ['as three choices in turn', [0, 1, 2, 0, 1, 2, 0], ['So ', 'Or ', 'If ', 'it', 'not', 'ever', '.'], 'So it.'],
    ['as six choices in turn', [0, 1, 2, 3, 4, 5, 0], ['So ', 'Or', 'If', 'As', 'To', 'By', 'it.'], 'So it.'],
    ['as three choices, the second first', [1, 2, 0, 1, 0], ['Or ', 'If ', 'So ', 'not', 'it.'], 'So it.'],
    ['as another choice before it', [1, 0, 0], ['Or', 'So ', 'it.'], 'So it.'],
    ['with 1 in each', [1, 1, 1], ['So ', 'it', '.'], 'So it.'],
    ['in one chunk, with 1', [1], ['So.'], 'So.'],
    ['from 1 on with the end at 0', [1, 2, 0], ['So ', 'it.', ''], 'So it.'],
    ['in twelve chunks', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], [...'So it is so.'], 'So it is so.'],
  ])('a server that counts the index of the choice %s gives the words of its first reply', (_, indexes, words, text) => {
    const chunks = indexes.map((index, at) => ({
      choices: [{ index, delta: { role: 'assistant', content: words[at] }, finish_reason: at === indexes.length - 1 ? 'stop' : null }],
    }));
    expect(answerOf(chunks)).toMatchObject({ content: [{ type: 'text', text }] });
  });

  test.each([
    [
      'each whole in a chunk',
      [
        [0, 'So it.', 'stop'],
        [1, 'Or.', 'stop'],
        [2, 'If.', 'stop'],
      ],
    ],
    [
      'each ending in a chunk of its own',
      [
        [0, 'So it.'],
        [1, 'Or.'],
        [2, 'If.'],
        [0, '', 'stop'],
        [1, '', 'stop'],
        [2, '', 'stop'],
      ],
    ],
    [
      'each with a role first',
      [
        [0, ''],
        [1, ''],
        [2, ''],
        [0, 'So it.'],
        [1, 'Or.'],
        [2, 'If.'],
        [0, '', 'stop'],
      ],
    ],
  ] as const)('of three choices that nobody asked for, %s, the first is the reply', (_, rows) => {
    const chunks = rows.map(([index, content, finish_reason = null]) => ({ choices: [{ index, delta: { content }, finish_reason }] }));
    expect(answerOf(chunks)).toMatchObject({ content: [{ type: 'text', text: 'So it.' }] });
    const shuffled = { choices: rows.map(([index, content]) => ({ index, message: { content }, finish_reason: 'stop' })).toReversed() };
    if (rows.length === 3) expect(answerOf([shuffled])).toMatchObject({ content: [{ type: 'text', text: 'So it.' }] });
  });

  test.each([
    ['token_limit', 'max_tokens'],
    ['FinishReason.MAX_TOKENS', 'max_tokens'],
    ['out_of_tokens', 'max_tokens'],
    ['content-filter', 'refusal'],
    ['end_of_turn', 'end_turn'],
    ['eos_token', 'end_turn'],
    ['word_of_2031', 'word_of_2031'],
  ])('and the end of a reply are read in the words of others: %s', (finish_reason, stopReason) => {
    expect(answerOf([{ choices: [{ index: 0, delta: { content: 'Half' }, finish_reason }] }])).toMatchObject({ stopReason });
  });

  test('and the words before them are there once where the last chunk repeats the whole reply', () => {
    const call = command('{"command":"echo one"}', { index: 0, id: 'x' }, 'run_command');
    const words = 'I look at what is there first.';
    const answer = answerOf([
      { choices: [{ index: 0, delta: { content: words.slice(0, 9) } }] },
      { choices: [{ index: 0, delta: { content: words.slice(9) } }] },
      { choices: [{ index: 0, delta: { tool_calls: [call] } }] },
      { choices: [{ index: 0, message: { content: words, tool_calls: [call] }, finish_reason: 'tool_calls' }] },
    ]);
    expect(answer).toMatchObject({ content: [{ type: 'text', text: words }, { type: 'tool_use' }] });
  });
});
