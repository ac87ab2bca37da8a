import { gzipSync } from 'node:zlib';
import type { RawAnswer } from '../support/raw-server.ts';
import type { WireName } from '../support/wire-in-process.ts';
import {
  COMMAND,
  calling,
  chat,
  closing,
  EVENTS,
  type Event,
  type Events,
  functionCall,
  input,
  length,
  text,
  WORDS,
} from './server-habits.ts';

const call = (fields: object, called: object) => chat({ tool_calls: [{ index: 0, type: 'function', ...fields, function: called }] });
const calls = (list: readonly unknown[], finish: string | null = 'tool_calls') =>
  closing(text([...list.map((each) => each as Event), chat({}, finish), '[DONE]']));
const block = (start: object, ...deltas: readonly object[]): Events => [
  { type: 'content_block_start', index: 0, content_block: start },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
  { type: 'content_block_stop', index: 0 },
];
const messagesEnd = (reason: unknown): Events => [{ type: 'message_delta', delta: { stop_reason: reason } }, { type: 'message_stop' }];
const use = { type: 'tool_use', id: 'c1', name: 'run_command' };
const half = [input.slice(0, 9), input.slice(9)] as const;

/** Replies that call once, in ways of their own: the call runs. */
export const oddCalls: Readonly<Record<string, readonly [WireName, RawAnswer]>> = {
  'nulls in each fragment': [
    'chat',
    calls([
      call({ id: 'c1' }, { name: 'run_command', arguments: null }),
      call({ id: null, type: null }, { name: null, arguments: half[0] }),
      call({ id: null }, { name: null, arguments: half[1] }),
    ]),
  ],
  'an object for arguments': ['chat', calls([call({ id: 'c1' }, { name: 'run_command', arguments: { command: COMMAND } })])],
  'arguments that are JSON in JSON': ['chat', calls([call({ id: 'c1' }, { name: 'run_command', arguments: JSON.stringify(input) })])],
  'a name with a number behind it': [
    'chat',
    calls([call({ id: 'functions.run_command:0' }, { name: 'functions.run_command:0', arguments: input })]),
  ],
  'a name with a space before it': ['chat', calls([call({ id: 'c1' }, { name: ' run_command', arguments: input })])],
  'a name in capitals': ['chat', calls([call({ id: 'c1' }, { name: 'RUN_COMMAND', arguments: input })])],
  'a name with dashes': ['chat', calls([call({ id: 'c1' }, { name: 'run-command', arguments: input })])],
  'no end but the mark': ['chat', closing(text([...calling.chat.slice(0, 2), '[DONE]']))],
  'a reason in each chunk': [
    'chat',
    closing(
      text([
        chat({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'run_command', arguments: input } }] }, 'stop'),
        chat({}, 'stop'),
      ]),
    ),
  ],
  'choices that are empty, null and missing': ['chat', closing(text([{ choices: [] }, { choices: null }, { id: 'x' }, ...calling.chat]))],
  'usage as text, negative and in parts': [
    'chat',
    closing(
      text([
        ...calling.chat.slice(0, 3),
        { choices: [], usage: { prompt_tokens: '12', completion_tokens: -4, prompt_tokens_details: [] } },
        '[DONE]',
      ]),
    ),
  ],
  'usage of a billion': [
    'chat',
    closing(text([...calling.chat.slice(0, 3), { choices: [], usage: { prompt_tokens: 999999999, completion_tokens: 1 } }, '[DONE]'])),
  ],
  'thinking in both fields': ['chat', closing(text([chat({ reasoning: 'Hm.', reasoning_content: 'Hm.' }), ...calling.chat]))],
  'thinking that closes behind the call': [
    'chat',
    closing(
      text([chat({ content: '<think>Hm.' }), ...calling.chat.slice(1, 2), chat({ content: '</think>' }), chat({}, 'tool_calls'), '[DONE]']),
    ),
  ],
  'an index of text and a second choice': [
    'chat',
    closing(text([{ choices: [{ index: 1, delta: { content: 'no' } }] }, ...calling.chat.slice(1)].map((each) => each as Event))),
  ],
  'a length beside a call that is whole': ['chat', calls([call({ id: 'c1' }, { name: 'run_command', arguments: input })], 'stop')],
  'a signature of a kind nobody knows': [
    'chat',
    calls([call({ id: 'c1', thought: { seal: 'x' }, extra: [1] }, { name: 'run_command', arguments: input, note: 'y' })]),
  ],
  'all of the input in the start': [
    'messages',
    closing(text([...block({ ...use, input: { command: COMMAND } }), ...messagesEnd('tool_use')])),
  ],
  'the input as text in the start': ['messages', closing(text([...block({ ...use, input }), ...messagesEnd('tool_use')]))],
  'the input twice, in start and pieces': [
    'messages',
    closing(
      text([
        ...block(
          { ...use, input: { command: COMMAND } },
          { type: 'input_json_delta', partial_json: half[0] },
          { type: 'input_json_delta', partial_json: half[1] },
        ),
        ...messagesEnd('tool_use'),
      ]),
    ),
  ],
  'a null reason': [
    'messages',
    closing(text([...block({ ...use, input: {} }, { type: 'input_json_delta', partial_json: input }), ...messagesEnd(null)])),
  ],
  'max_tokens beside a call that is whole': [
    'messages',
    closing(text([...block({ ...use, input: {} }, { type: 'input_json_delta', partial_json: input }), ...messagesEnd('stop_sequence')])),
  ],
  'no index on anything': ['messages', closing(text(calling.messages).replaceAll(/"index":\d,/g, ''))],
  'no id of the call': ['messages', closing(text(calling.messages).replace('"id":"c1",', ''))],
  'an empty id of the call': ['messages', closing(text(calling.messages).replace('"id":"c1"', '"id":""'))],
  'a message without stop': ['messages', closing(text(calling.messages.slice(0, -1)))],
  'thinking in tags before it': ['messages', closing(text(calling.messages).replace(WORDS, `<think>Is </think> it?</think>${WORDS}`))],
  'a redacted thought without data': ['messages', closing(text([...block({ type: 'redacted_thinking' }), ...calling.messages.slice(4)]))],
  'only the end, with all of it': ['responses', closing(text(calling.responses.slice(-1)))],
  'no end but items that are done': ['responses', closing(`${text(calling.responses.slice(0, -1))}data: [DONE]\n\n`)],
  'an end without output': [
    'responses',
    closing(text([...calling.responses.slice(0, -1), { type: 'response.completed', response: { status: 'completed' } }])),
  ],
  'an end with null for all': [
    'responses',
    closing(
      text([
        ...calling.responses.slice(0, -1),
        { type: 'response.completed', response: { status: null, output: null, usage: null, error: null } },
      ]),
    ),
  ],
  'arguments as an object': [
    'responses',
    closing(
      text([
        { type: 'response.completed', response: { status: 'completed', output: [{ ...functionCall(), arguments: { command: COMMAND } }] } },
      ]),
    ),
  ],
  'no call_id': [
    'responses',
    closing(text([{ type: 'response.completed', response: { status: 'completed', output: [{ ...functionCall(), call_id: undefined }] } }])),
  ],
  'no ids at all': [
    'responses',
    closing(
      text([
        {
          type: 'response.completed',
          response: { status: 'completed', output: [{ ...functionCall(), call_id: undefined, id: undefined }] },
        },
      ]),
    ),
  ],
  'thinking in tags of a message': [
    'responses',
    closing(text(calling.responses).replaceAll(WORDS, `<think>One <think>two</think>.</think>${WORDS}`)),
  ],
};

const refusal = (status: string, body: string, type = 'application/json'): RawAnswer => ({
  chunks: [`HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\n${length(body)}\r\nConnection: close\r\n\r\n${body}`],
});

/** What is no reply: a turn says why, or the next try of it is answered. */
export const noReplies: Readonly<Record<string, RawAnswer>> = {
  'a page with 200': closing('<!DOCTYPE html><html><title>Sign in</title></html>', ['Content-Type: text/html']),
  'a page called a stream': closing('<!DOCTYPE html><html><title>Sign in</title></html>'),
  'nothing with 200': closing('', ['Content-Length: 0']),
  'nothing but comments': closing(': hello\n\n: hello\n\n'),
  'nothing but the mark of the end': closing('data: [DONE]\n\n'),
  'words alone': closing('OK', ['Content-Type: text/plain']),
  'a head alone': { chunks: ['HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n'], reset: true },
  'what is no HTTP': { chunks: ['SSH-2.0-OpenSSH_9.6\r\n'] },
  'JSON that ends in the middle': closing('{"id":"x","choices":[{"message":{"content":"Ha', ['Content-Type: application/json']),
  'gzip that is none': closing('data: [DONE]\n\n', [EVENTS, 'Content-Encoding: gzip']),
  'gzip that ends in the middle': closing(gzipSync(text(calling.chat)).subarray(0, 60), [EVENTS, 'Content-Encoding: gzip']),
  'an encoding that nobody knows': closing(gzipSync(text(calling.chat)), [EVENTS, 'Content-Encoding: zzz']),
  'a body that is an error in words': closing('upstream connect error or disconnect/reset before headers', ['Content-Type: text/plain']),
  'an error beside null choices': closing('data: {"choices":null,"error":"model is loading"}\n\n'),
  'an error in a list': closing('[{"error":{"code":429,"message":"Resource exhausted","status":"RESOURCE_EXHAUSTED"}}]', [
    'Content-Type: application/json',
  ]),
  'an error in Chinese, with 200': closing('{"code":500,"msg":"服务繁忙，请稍后再试","success":false}', ['Content-Type: application/json']),
  'a status without words': refusal('520 ', ''),
  'a refusal as a problem': refusal(
    '422 Unprocessable',
    '{"type":"about:blank","title":"Bad","detail":"input should be smaller","status":422}',
    'application/problem+json',
  ),
  'a refusal of the length in Chinese': refusal(
    '400 Bad Request',
    '{"error":{"message":"输入长度 131073 token 超过最大长度 131072 token"}}',
  ),
};
