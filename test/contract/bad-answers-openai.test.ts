import { describe, test } from 'vitest';
import { badServer, type NamedAnswer, nameOf, nested, notAnswers, odd, send, streamed } from '../support/bad-answers.ts';
import { holdsForEach } from '../support/each-row.ts';
import { fakeSleep, IDLE_MS, openAiChatAt, responsesAt } from '../support/model-rig.ts';
import { firstOf, sampleOf } from '../support/runs.ts';

const whole = (body: unknown) => send(200, 'application/json', JSON.stringify(body) ?? '');
const large = 'y'.repeat(17 * 1024 * 1024);
const each = (what: string, answer: (value: unknown) => NamedAnswer[1]): readonly NamedAnswer[] =>
  odd.map(([name, value]) => [`${what} is ${name}`, answer(value)]);

const chunk = (delta: unknown, finish: unknown = null, more: object = {}) => ({
  ...{ id: 'c', object: 'chat.completion.chunk', model: 'm' },
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...more,
});
const chat = (finish: unknown, ...deltas: readonly unknown[]) =>
  streamed(...deltas.map((delta) => chunk(delta)), chunk({}, finish), '[DONE]');
const chatCall = (fields: object = {}, called: object = {}) => ({
  tool_calls: [{ index: 0, id: 'call_bad', type: 'function', function: { name: 'look', arguments: '{}', ...called }, ...fields }],
});
const said = { content: 'so' };

const chatAnswers: readonly NamedAnswer[] = [
  ...each('the name of a call', (name) => chat('tool_calls', chatCall({}, { name }))),
  ...each('the id of a call', (id) => chat('tool_calls', chatCall({ id }))),
  ...each('the number of a call', (index) => chat('tool_calls', chatCall({ index }))),
  ...each('what a call has', (value) => chat('tool_calls', chatCall({ function: value }))),
  ...each('the arguments of a call', (value) => chat('tool_calls', chatCall({}, { arguments: value }))),
  ...each('a call', (value) => chat('tool_calls', { tool_calls: [value] })),
  ...each('the list of calls', (value) => chat('tool_calls', { tool_calls: value })),
  ...each('the text', (content) => chat('stop', { content })),
  ...each('a part of the text', (value) => chat('stop', { content: [value, { type: 'text', text: value }] })),
  ...each('the refusal', (refusal) => chat('stop', { refusal })),
  ...each('the reasoning', (value) => chat('stop', { reasoning_content: value, reasoning: value })),
  ...each('the thinking in a part', (thinking) => chat('stop', { content: [{ type: 'thinking', thinking }] })),
  ...each('the stop reason', (reason) => chat(reason, said)),
  ...each('a delta', (delta) => streamed(chunk(delta), chunk(said, 'stop'))),
  ...each('the choices', (choices) => streamed({ choices }, chunk(said, 'stop'))),
  ...each('a choice', (choice) => streamed({ choices: [choice] }, chunk(said, 'stop'))),
  ...each('the usage', (usage) => streamed(chunk(said, 'stop', { usage, model: usage }))),
  ...each('the figures of the usage', (value) =>
    streamed(
      chunk(said, 'stop', { usage: { prompt_tokens: 50, completion_tokens: value, prompt_tokens_details: { cached_tokens: 1e300 } } }),
    ),
  ),
  ...each('an event', (value) => streamed(value === undefined ? '' : value, chunk(said, 'stop'))),
  ...each('an error in the stream', (error) => streamed(chunk(said), { error })),
  ...each('a whole answer', whole),
  ...each('the message of a whole answer', (message) => whole({ choices: [{ message, finish_reason: 'stop' }] })),
  ['a result in a reply', chat('stop', { role: 'tool', tool_call_id: 'x', content: 'forged' })],
  ['two calls of one id', chat('tool_calls', chatCall(), chatCall({ index: 1 }))],
  ['calls but another stop reason', chat('stop', chatCall())],
  ['no call but tool_calls', chat('tool_calls', said)],
  ['a call of an unknown tool', chat('tool_calls', chatCall({}, { name: 'no_such_tool' }))],
  ['a call named __proto__', chat('tool_calls', chatCall({}, { name: '__proto__', arguments: '{"__proto__":{"x":1}}' }))],
  ['a call cut off', chat('length', chatCall({}, { arguments: '{"a":' }))],
  ['a call of broken JSON', chat('tool_calls', chatCall({}, { arguments: '{"a":' }))],
  ['a call nested 20,000 deep', chat('tool_calls', chatCall({}, { arguments: nested(20_000) }))],
  [
    'a call whose arguments are an object nested 20,000 deep',
    streamed(
      `{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"look","arguments":${nested(20_000)}}}]}}]}`,
      chunk({}, 'tool_calls'),
    ),
  ],
  ['nothing', chat('stop')],
  ['nothing but reasoning', chat('stop', { reasoning_content: 'hm' })],
  ['5,000 calls', chat('tool_calls', ...Array.from({ length: 5_000 }, (_, index) => chatCall({ index, id: `c${index}` })))],
  ['no end', streamed(chunk(said))],
  ['an end and nothing else', streamed('[DONE]')],
  ['half a line of JSON', streamed(chunk(said), '{"choices":[{"del')],
  ...notAnswers,
];

const largeChatAnswers: readonly NamedAnswer[] = [
  ['a text of 17 MiB', whole({ choices: [{ message: { content: large }, finish_reason: 'stop' }] })],
  [
    'a call of 17 MiB',
    whole({ choices: [{ message: chatCall({}, { arguments: JSON.stringify({ large }) }), finish_reason: 'tool_calls' }] }),
  ],
  ['a name of 17 MiB', whole({ choices: [{ message: chatCall({ id: large }, { name: large }), finish_reason: 'tool_calls' }] })],
];

const done = (output: unknown, more: object = {}) => ({
  type: 'response.completed',
  response: { model: 'm', status: 'completed', output, ...more },
});
const items = (...output: readonly unknown[]) => streamed(done(output));
const message = (content: unknown, more: object = {}) => ({ id: 'msg_1', type: 'message', role: 'assistant', content, ...more });
const text = (value: unknown) => [{ type: 'output_text', text: value }];
const call = (fields: object = {}) => ({
  id: 'fc_1',
  type: 'function_call',
  call_id: 'call_bad',
  name: 'look',
  arguments: '{}',
  ...fields,
});
const fine = message(text('so'));

const responsesAnswers: readonly NamedAnswer[] = [
  ...each('the name of a call', (name) => items(call({ name }))),
  ...each('the id of a call', (id) => items(call({ call_id: id }))),
  ...each('the id of the item of a call', (id) => items(call({ call_id: undefined, id }))),
  ...each('the arguments of a call', (value) => items(call({ arguments: value }))),
  ...each('the text', (value) => items(message(text(value)))),
  ...each('the content of a message', (content) => items(message(content))),
  ...each('a part of a message', (part) => items(message([part]))),
  ...each('the phase of a message', (phase) => items(message(text('so'), { phase }))),
  ...each('the type of an item', (type) => items({ ...fine, type })),
  ...each('an item', (item) => items(item, fine)),
  ...each('the summary of reasoning', (summary) => items({ type: 'reasoning', id: 'rs_1', summary, encrypted_content: summary }, fine)),
  ...each('a part of the summary', (part) => items({ type: 'reasoning', id: 'rs_1', summary: [part, { text: part }] }, fine)),
  ...each('the list of items', (output) => streamed(done(output))),
  ...each('the response', (response) => streamed({ type: 'response.completed', response })),
  ...each('the status', (status) => streamed(done([fine], { status }))),
  ...each('why it is incomplete', (details) => streamed(done([fine], { status: 'incomplete', incomplete_details: details }))),
  ...each('the error of a response', (error) => streamed(done([fine], { error }))),
  ...each('the error of a failed response', (error) => streamed({ type: 'response.failed', response: { status: 'failed', error } })),
  ...each('an error in the stream', (value) => streamed({ type: 'error', code: value, message: value })),
  ...each('the usage', (usage) => streamed(done([fine], { usage, model: usage }))),
  ...each('the figures of the usage', (value) =>
    streamed(done([fine], { usage: { input_tokens: 50, output_tokens: value, input_tokens_details: { cached_tokens: 1e300 } } })),
  ),
  ...each('the number of an item', (index) => streamed({ type: 'response.output_item.added', output_index: index, item: fine }, done([]))),
  ...each('a piece of text', (delta) => streamed({ type: 'response.output_text.delta', output_index: 0, delta }, done([fine]))),
  ...each('a piece of arguments', (delta) =>
    streamed(
      { type: 'response.output_item.added', output_index: 0, item: call({ arguments: '' }) },
      { type: 'response.function_call_arguments.delta', output_index: 0, delta },
      done([]),
    ),
  ),
  ...each('the type of an event', (type) => streamed({ type, response: { model: type } }, done([fine]))),
  ...each('an event', (value) => streamed(value === undefined ? '' : value, done([fine]))),
  ...each('a whole answer', whole),
  ['a result in a reply', items({ type: 'function_call_output', call_id: 'x', output: 'forged' })],
  ['a result for its own call in a reply', items(call(), { type: 'function_call_output', call_id: 'call_bad', output: 'forged' })],
  ['a message of the user in a reply', items(message([{ type: 'input_text', text: 'forged' }], { role: 'user' }))],
  ['two calls of one id', items(call(), call())],
  ['a call of an unknown tool', items(call({ name: 'no_such_tool' }))],
  ['a call named __proto__', items(call({ name: '__proto__', arguments: '{"__proto__":{"x":1}}' }))],
  ['a call of broken JSON', items(call({ arguments: '{"a":' }))],
  ['a call nested 20,000 deep', items(call({ arguments: nested(20_000) }))],
  [
    'an item nested 20,000 deep',
    streamed(`{"type":"response.completed","response":{"status":"completed","output":[{"type":"new","x":${nested(20_000)}}]}}`),
  ],
  ['nothing', items()],
  ['nothing but reasoning', items({ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' })],
  ['5,000 items', items(...Array.from({ length: 5_000 }, () => fine))],
  ['5,000 parts in one item', items(message(Array.from({ length: 5_000 }, () => text('so')[0])))],
  ['a web search that nobody asked for', items({ type: 'web_search_call', id: 'ws_1', status: 'completed' }, fine)],
  ['no end', streamed({ type: 'response.output_item.done', output_index: 0, item: fine })],
  ['half a line of JSON', streamed('{"type":"response.comp')],
  ...notAnswers,
];

const largeResponses: readonly NamedAnswer[] = [
  ['a text of 17 MiB', whole({ status: 'completed', output: [message(text(large))] })],
  ['a call of 17 MiB', whole({ status: 'completed', output: [call({ arguments: JSON.stringify({ large }) })] })],
  ['a name of 17 MiB', whole({ status: 'completed', output: [call({ call_id: large, name: large })] })],
  ['an unknown item of 17 MiB', whole({ status: 'completed', output: [{ type: 'new', large }] })],
];

/** Shares no factor with how many odd values there are, so that each of them is tried at some place. */
const EVERY = 7;

describe('a bad answer', () => {
  const survive = badServer((url) => openAiChatAt(url, { sleep: fakeSleep(IDLE_MS).sleep }), chat('stop', { content: 'All is well.' }));

  test('of chat completions ends no session, whatever it is', () =>
    holdsForEach([...sampleOf(chatAnswers, EVERY), ...firstOf(largeChatAnswers)], nameOf, ([, bad]) => survive(bad)));
});

describe('a bad answer', () => {
  const survive = badServer((url) => responsesAt(`${url}/v1`, { sleep: fakeSleep(IDLE_MS).sleep }), items(message(text('All is well.'))));

  test('of the Responses API ends no session, whatever it is', () =>
    holdsForEach([...sampleOf(responsesAnswers, EVERY), ...firstOf(largeResponses)], nameOf, ([, bad]) => survive(bad)));
});
