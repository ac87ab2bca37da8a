import type { WireName } from '../support/wire-in-process.ts';
import type { OddReply } from './odd-replies.ts';
import { calling, chat, type Events, functionCall, input, message, text, WORDS } from './server-habits.ts';

/** Forms of replies and errors that gateways and servers of open models are reported to send, written anew. */
export const OTHER = 'echo two >> ran.txt';
const other = JSON.stringify({ command: OTHER });
const half = [input.slice(0, 9), input.slice(9)] as const;
const end = [chat({}, 'tool_calls'), '[DONE]'] as const;
const piece = (fields: object, called: object) => chat({ tool_calls: [{ index: 0, type: 'function', ...fields, function: called }] });
const calls = (...list: readonly unknown[]) => text([...(list as Events), ...end]);
const events = (...list: readonly unknown[]) => text(list as Events);
const run = (args: string) => ({ name: 'run_command', arguments: args });
const line = (value: unknown) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
const opening = calling.messages[0] as object;
const begin = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block });
const delta = (index: number, one: object) => ({ type: 'content_block_delta', index, delta: one });
const stop = (index: number) => ({ type: 'content_block_stop', index });
const json = (partial_json: string) => ({ type: 'input_json_delta', partial_json });
const use = { type: 'tool_use', id: 'c1', name: 'run_command', input: {} };
const over = { type: 'message_stop' };
const ending = (stop_reason: string | null, usage: object = {}) => ({ type: 'message_delta', delta: { stop_reason }, usage });
const reply = (...list: readonly unknown[]) => events(opening, ...list);
const done = (response: object, more: object = {}) => ({
  type: 'response.completed',
  ...more,
  response: { id: 'r', status: 'completed', ...response },
});
const ask = (more: object) => ({ id: 'x', choices: [], ...more });

export const oneCall: Readonly<Record<string, OddReply>> = {
  'vllm: id as an empty text in what follows': [
    'chat',
    calls(
      piece({ id: 'c1' }, run('')),
      piece({ id: '' }, { arguments: half[0], name: null }),
      piece({ id: '' }, { arguments: half[1], name: null }),
    ),
  ],
  'sglang: ids that are numbers as texts': [
    'chat',
    calls(piece({ id: '0' }, run('')), piece({ id: '0' }, { arguments: half[0] }), piece({ id: '0' }, { arguments: half[1] })),
  ],
  'mistral: the id "null" in what follows': [
    'chat',
    calls(piece({ id: 'c1' }, run(half[0])), piece({ id: 'null' }, { name: '', arguments: half[1] })),
  ],
  'sglang: the arguments in an entry of their own': [
    'chat',
    calls(piece({ id: 'c1' }, run('')), piece({ index: 1, id: null }, { name: null, arguments: input })),
  ],
  'gemini: a signature alone behind the call': [
    'chat',
    calls(piece({ id: 'c1' }, run(input)), chat({ tool_calls: [{ index: 0, extra_content: { google: { thought_signature: 'sig' } } }] })),
  ],
  'gemini: stop beside a call without an index': [
    'chat',
    events(
      chat({ role: 'assistant', tool_calls: [{ id: 'c1', type: 'function', function: run(half[0]) }] }),
      chat({ tool_calls: [{ function: { arguments: half[1] } }] }),
      chat({}, 'stop'),
      '[DONE]',
    ),
  ],
  'azure: the filter before and behind': [
    'chat',
    events(
      ask({ prompt_filter_results: [{ prompt_index: 0 }] }),
      ...calling.chat.slice(0, 3),
      { id: '', choices: [{ index: 0, finish_reason: null, content_filter_results: {}, content_filter_offsets: {} }] },
      '[DONE]',
    ),
    WORDS,
  ],
  'copilot: two choices, one of words, one of the call': [
    'chat',
    events(
      { id: 'x', choices: [{ index: 0, delta: { role: 'assistant', content: WORDS }, finish_reason: null }] },
      piece({ id: 'c1' }, run(input)),
      chat({ content: null }, 'tool_calls', { content_filter_results: {} }),
      '[DONE]',
    ),
    WORDS,
  ],
  'kimi: the usage in the choice': [
    'chat',
    events(...calling.chat.slice(0, 2), chat({}, 'tool_calls', { usage: { prompt_tokens: 900, completion_tokens: 9 } }), '[DONE]'),
    WORDS,
  ],
  'minimax: no role, an empty usage, and a good base_resp': [
    'chat',
    events(
      ...calling.chat
        .slice(0, 2)
        .map((one) => ({ ...(one as object), usage: null, base_resp: { status_code: 0, status_msg: '' }, input_sensitive: false })),
      chat({ role: '' }, 'tool_calls'),
      '[DONE]',
    ),
    WORDS,
  ],
  'minimax: all of it again at the end, as a message': [
    'chat',
    events(...calling.chat.slice(0, 3), {
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: WORDS, tool_calls: [{ id: 'c1', type: 'function', function: run(input) }] },
          finish_reason: 'tool_calls',
        },
      ],
      usage: {},
    }),
    WORDS,
  ],
  'groq: usage in x_groq': [
    'chat',
    events(
      { ...(calling.chat[0] as object), x_groq: { id: 'req' } },
      calling.chat[1],
      { ...chat({}, 'tool_calls'), x_groq: { usage: { prompt_tokens: 900 } } },
      '[DONE]',
    ),
    WORDS,
  ],
  'usage in the middle, negative, and as texts': [
    'chat',
    events(
      calling.chat[0],
      ask({ usage: { prompt_tokens: -1, completion_tokens: 'many', total_tokens: null } }),
      calling.chat[1],
      ask({ usage: { prompt_tokens: '900' } }),
      ...end,
    ),
    WORDS,
  ],
  'deepseek: keep-alive and empty thinking in each': [
    'chat',
    `: keep-alive\n\n\n${events(chat({ content: null, reasoning_content: 'Hm.' }), chat({ content: WORDS, reasoning_content: null }), calling.chat[1], ...end)}`,
    WORDS,
  ],
  'openrouter: comments, reasoning twice, and native reasons': [
    'chat',
    `: OPENROUTER PROCESSING\n\n${events(chat({ content: '', reasoning: 'Hm.', reasoning_details: [{ type: 'reasoning.text', text: 'Hm.', index: 0 }] }), calling.chat[0], calling.chat[1], chat({ content: '' }, 'tool_calls', { native_finish_reason: 'STOP' }), ask({ usage: { prompt_tokens: 900, cost: 0 } }), '[DONE]')}`,
    WORDS,
  ],
  'litellm: thinking blocks, the text of them again beside the signature': [
    'chat',
    calls(
      chat({ reasoning_content: 'Hm.', thinking_blocks: [{ type: 'thinking', thinking: 'Hm.' }] }),
      chat({ thinking_blocks: [{ type: 'thinking', thinking: 'Hm.', signature: 'sig' }] }),
      piece({ id: 'c1' }, run(input)),
    ),
  ],
  'ollama: a stop reason of its own behind the call, done': [
    'chat',
    events(piece({ id: 'c1' }, run(input)), { ...chat({ content: '' }, 'stop'), done: true, done_reason: 'stop' }, '[DONE]'),
  ],
  'vllm: the stop reason is a number of a token': [
    'chat',
    events(...calling.chat.slice(0, 2), chat({}, 'tool_calls', { stop_reason: 151645 }), '[DONE]'),
    WORDS,
  ],
  'retry and ids of events': [
    'chat',
    `retry: 3000\n\n${calling.chat.map((one, at) => `id: ${at}\nevent: message\n${line(one)}`).join('')}`,
    WORDS,
  ],
  'no blank, CR LF, and a mark': [
    'chat',
    `\uFEFF${calling.chat.map(line).join('').replaceAll('data: ', 'data:').replaceAll('\n', '\r\n')}`,
    WORDS,
  ],
  'the mark of the end early': ['chat', events(...calling.chat.slice(0, 3), '[DONE]', ask({ usage: { prompt_tokens: 900 } })), WORDS],
  'a name in a namespace': ['chat', calls(piece({ id: 'c1' }, { name: 'default_api.run_command', arguments: input }))],
  'a name with two colons': ['chat', calls(piece({ id: 'c1' }, { name: 'default_api::run_command', arguments: input }))],
  'a name behind a channel': ['chat', calls(piece({ id: 'c1' }, { name: 'run_command<|channel|>commentary', arguments: input }))],
  'a name with JSON behind it': ['chat', calls(piece({ id: 'c1' }, { name: 'functions/run_command', arguments: input }))],
  'arguments as JSON in JSON in pieces': [
    'chat',
    calls(piece({ id: 'c1' }, run(JSON.stringify(input).slice(0, 12))), piece({}, { arguments: JSON.stringify(input).slice(12) })),
  ],
  'arguments twice, the second with more': ['chat', calls(piece({ id: 'c1' }, run('{"command":""}')), piece({}, { arguments: input }))],
  'two chunks of one call in one event': [
    'chat',
    calls(
      chat({
        tool_calls: [
          { index: 0, id: 'c1', type: 'function', function: { name: 'run_command' } },
          { index: 0, function: { arguments: input } },
        ],
      }),
    ),
  ],
  'arguments as Python prints them': ['chat', calls(piece({ id: 'c1' }, run("{'command': 'echo ran >> ran.txt', 'background': False}")))],
  'arguments behind the name of their format': ['chat', calls(piece({ id: 'c1' }, run(`json\n${input}`)))],
  'arguments behind a mark': ['chat', calls(piece({ id: 'c1' }, run(`<|message|>${input}`)))],
  'arguments with quotes that are escaped': ['chat', calls(piece({ id: 'c1' }, run('{\\"command\\":\\"echo ran >> ran.txt\\"}')))],
  'calls in a list of a list': ['chat', calls(chat({ tool_calls: [[{ id: 'c1', type: 'function', function: run(input) }]] }))],
  'calls in a text of JSON': ['chat', calls(chat({ tool_calls: JSON.stringify([{ id: 'c1', type: 'function', function: run(input) }]) }))],
  'words behind the reason': ['chat', `${events(...calling.chat.slice(0, 3))}event: end\ndata: bye\n\n`, WORDS],
  'another mark of the end': ['chat', `${events(...calling.chat.slice(0, 3))}data: [EOS]\n\n`, WORDS],
  'logprobs, and null for what is not there': [
    'chat',
    calls(
      chat({ content: null, refusal: null, audio: null, function_call: null, tool_calls: null }, null, { logprobs: { content: null } }),
      piece({ id: 'c1' }, run(input)),
    ),
  ],
  'a whole body with content in parts and a null call': [
    'chat',
    JSON.stringify({
      choices: [
        {
          message: {
            role: 'assistant',
            content: [{ type: 'text', text: WORDS }],
            function_call: null,
            tool_calls: [{ id: 'c1', type: 'function', function: run(input) }],
          },
          finish_reason: 'stop',
        },
      ],
    }),
    WORDS,
  ],
  'a choice without an index, then one with': [
    'chat',
    events({ choices: [{ delta: { content: WORDS } }] }, calling.chat[1], ...end),
    WORDS,
  ],

  'the reason first, the usage in a second delta': [
    'messages',
    reply(
      begin(0, use),
      delta(0, json(input)),
      stop(0),
      ending('tool_use'),
      { type: 'message_delta', delta: {}, usage: { input_tokens: 900 } },
      over,
    ),
  ],
  'a signature without a thought': [
    'messages',
    reply(
      begin(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'signature_delta', signature: 'sig' }),
      stop(0),
      begin(1, use),
      delta(1, json(input)),
      stop(1),
      ending('tool_use'),
      over,
    ),
  ],
  'the signature twice, and the thought in it': [
    'messages',
    reply(
      begin(0, { type: 'thinking' }),
      delta(0, { type: 'thinking_delta', thinking: 'Hm.' }),
      delta(0, { type: 'signature_delta', signature: 'a' }),
      delta(0, { type: 'signature_delta', signature: '' }),
      stop(0),
      begin(1, use),
      delta(1, json(input)),
      stop(1),
      ending('tool_use'),
      over,
    ),
  ],
  'usage of zeros, then of nulls': [
    'messages',
    events(
      { ...opening, message: { id: 'm', content: [], usage: { input_tokens: 0, output_tokens: 0 } } },
      ...calling.messages.slice(1, -2),
      ending('tool_use', { input_tokens: null, output_tokens: null, cache_read_input_tokens: '0' }),
      over,
    ),
    WORDS,
  ],
  'citations, and deltas that nobody knows': [
    'messages',
    events(
      ...calling.messages.slice(0, 3),
      delta(0, { type: 'citations_delta', citation: {} }),
      delta(0, { type: 'novel_delta', novel: 1 }),
      ...calling.messages.slice(3),
    ),
    WORDS,
  ],
  'pings and the mark of other streams': [
    'messages',
    `${events({ type: 'ping' }, ...calling.messages.slice(0, 4), { type: 'ping' }, ...calling.messages.slice(4))}data: [DONE]\n\n`,
    WORDS,
  ],
  'content null in the start': [
    'messages',
    events(
      { type: 'message_start', message: { id: 'm', role: 'assistant', content: null, usage: null, stop_reason: null } },
      ...calling.messages.slice(1),
    ),
    WORDS,
  ],
  'an empty text between': [
    'messages',
    reply(
      begin(0, { type: 'text', text: '' }),
      stop(0),
      begin(1, use),
      delta(1, json('')),
      delta(1, json(input)),
      stop(1),
      ending('tool_use'),
      over,
    ),
  ],
  'a reason of the other wire': ['messages', reply(begin(0, use), delta(0, json(input)), stop(0), ending('tool_calls'), over)],
  'a start without an input': [
    'messages',
    reply(
      begin(0, { type: 'tool_use', id: 'c1', name: 'run_command' }),
      delta(0, json(half[0])),
      delta(0, json(half[1])),
      stop(0),
      ending('tool_use'),
      over,
    ),
  ],
  'an input null in pieces of one text': [
    'messages',
    reply(begin(0, { ...use, input: '' }), delta(0, json(input)), stop(0), ending('tool_use'), over),
  ],
  'the input of a delta as an object, by its name': [
    'messages',
    reply(begin(0, use), delta(0, { type: 'input_json_delta', input: JSON.parse(input) }), stop(0), ending('tool_use'), over),
  ],
  'a delta of another name': [
    'messages',
    reply(begin(0, use), delta(0, { type: 'tool_use_delta', partial_json: input }), stop(0), ending('tool_use'), over),
  ],
  'the input whole in the start, then an empty one': [
    'messages',
    reply(begin(0, { ...use, input: JSON.parse(input) }), delta(0, json('{}')), stop(0), ending('tool_use'), over),
  ],
  'words behind the reason (m)': ['messages', `${events(...calling.messages.slice(0, -1))}data: <END>\n\n`, WORDS],
  'indexes with a gap': [
    'messages',
    reply(
      begin(3, { type: 'text', text: '' }),
      delta(3, { type: 'text_delta', text: WORDS }),
      stop(3),
      begin(7, use),
      delta(7, json(input)),
      stop(7),
      ending('tool_use'),
      over,
    ),
    WORDS,
  ],
  'a server tool and its result between': [
    'messages',
    reply(
      begin(0, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
      delta(0, json('{"query":"x"}')),
      stop(0),
      begin(1, { type: 'web_search_tool_result', tool_use_id: 's', content: [] }),
      stop(1),
      begin(2, use),
      delta(2, json(input)),
      stop(2),
      ending('tool_use'),
      over,
    ),
  ],

  'the output beside the response': ['responses', events({ type: 'response.completed', output: [message(WORDS), functionCall()] }), WORDS],
  'the output beside a response without one': ['responses', events(done({}, { output: [message(WORDS), functionCall()] })), WORDS],
  'text before its item, output in the end': [
    'responses',
    events({ type: 'response.output_text.delta', delta: WORDS }, { type: 'response.completed', output: [message(WORDS), functionCall()] }),
    WORDS,
  ],
  'ids of the end are others': [
    'responses',
    events(
      ...calling.responses.slice(0, -1),
      done({
        output: [
          { ...message(WORDS), id: 'msg_9' },
          { ...functionCall(), id: 'fc_9', call_id: 'chatcmpl-tool-9' },
        ],
      }),
    ),
    WORDS,
  ],
  'a blank message between': [
    'responses',
    events(
      ...calling.responses.slice(0, 1),
      { type: 'response.output_item.done', output_index: 0, item: message('\n\n') },
      { type: 'response.output_item.done', output_index: 1, item: functionCall() },
      done({ output: [message('\n\n'), functionCall()] }),
    ),
  ],
  'rate limits and keepalives between': [
    'responses',
    events(
      { type: 'codex.rate_limits', rate_limits: {} },
      ...calling.responses.slice(0, 3),
      { type: 'keepalive' },
      ...calling.responses.slice(3),
    ),
    WORDS,
  ],
  'the first piece of the arguments is missing': [
    'responses',
    events(
      { type: 'response.output_item.added', output_index: 0, item: { ...functionCall(), arguments: '' } },
      { type: 'response.function_call_arguments.delta', output_index: 0, delta: half[1] },
      { type: 'response.function_call_arguments.done', output_index: 0, arguments: input },
      { type: 'response.output_item.done', output_index: 0, item: functionCall() },
      done({ output: [functionCall()] }),
    ),
  ],
  'an object as the delta of the arguments': [
    'responses',
    events(
      { type: 'response.output_item.added', output_index: 0, item: { ...functionCall(), arguments: '' } },
      { type: 'response.function_call_arguments.delta', output_index: 0, delta: JSON.parse(input) },
      done({}),
    ),
  ],
  'an object in the end of the arguments': [
    'responses',
    events(
      { type: 'response.output_item.added', output_index: 0, item: { ...functionCall(), arguments: '' } },
      { type: 'response.function_call_arguments.done', output_index: 0, arguments: JSON.parse(input) },
      done({}),
    ),
  ],
  'the first piece is missing, and only done has all': [
    'responses',
    events(
      { type: 'response.output_item.added', output_index: 0, item: { ...functionCall(), arguments: '' } },
      { type: 'response.function_call_arguments.delta', output_index: 0, delta: half[1] },
      { type: 'response.function_call_arguments.done', output_index: 0, arguments: input },
      done({ output: [] }),
    ),
  ],
  'reasoning in text and summary': [
    'responses',
    events(
      { type: 'response.reasoning_text.delta', delta: 'Hm.' },
      { type: 'response.reasoning_summary_text.delta', delta: 'Hm.' },
      ...calling.responses,
    ),
    WORDS,
  ],
  'the text without annotations, obfuscated': [
    'responses',
    events(...calling.responses.map((one) => ({ ...(one as object), sequence_number: 1, obfuscation: 'xyz' }))),
    WORDS,
  ],
};

/** Two calls, in their order. */
export const twoCalls: Readonly<Record<string, OddReply>> = {
  'gemini: both under one index, one id': [
    'chat',
    calls(piece({ id: 'c1' }, run('')), piece({}, { name: '', arguments: input }), piece({}, { name: '', arguments: other })),
  ],
  'vllm: both under index 0, ids empty in what follows': [
    'chat',
    calls(
      piece({ id: 'c1' }, run('')),
      piece({ id: '' }, { arguments: input }),
      piece({ id: 'c2' }, run('')),
      piece({ id: '' }, { arguments: other }),
    ),
  ],
  'sglang: both under index 0, ids 0 and 1': [
    'chat',
    calls(
      piece({ id: '0' }, run('')),
      piece({ id: '0' }, { arguments: input }),
      piece({ id: '1' }, run('')),
      piece({ id: '1' }, { arguments: other }),
    ),
  ],
  'mistral: both whole, with the id "null"': [
    'chat',
    calls(
      chat({
        tool_calls: [
          { index: 0, id: 'null', function: run(input) },
          { index: 1, id: 'null', function: run(other) },
        ],
      }),
    ),
  ],
  'both whole under one id, without indexes': [
    'chat',
    calls(
      chat({
        tool_calls: [
          { id: '', function: run(input) },
          { id: '', function: run(other) },
        ],
      }),
    ),
  ],
  'both blocks under one index': [
    'messages',
    reply(
      begin(0, use),
      delta(0, json(input)),
      stop(0),
      begin(0, { ...use, id: 'c2' }),
      delta(0, json(other)),
      stop(0),
      ending('tool_use'),
      over,
    ),
  ],
  'both blocks under one id': [
    'messages',
    reply(begin(0, use), delta(0, json(input)), stop(0), begin(1, use), delta(1, json(other)), stop(1), ending('tool_use'), over),
  ],
  'both items under one call_id': [
    'responses',
    events(done({ output: [functionCall(), { ...functionCall(), id: 'f2', arguments: other }] })),
  ],
  'both with null for ids': [
    'responses',
    events(
      done({
        output: [
          { ...functionCall(), id: null, call_id: null },
          { ...functionCall(), id: null, call_id: null, arguments: other },
        ],
      }),
    ),
  ],
};

const lists = [{ command: 'echo one' }];
/** A call whose arguments are a list: they are told, and not left out. */
export const listedInputs: Readonly<Record<string, readonly [WireName, string]>> = {
  'on the chat wire': ['chat', calls(piece({ id: 'c1' }, { name: 'run_command', arguments: lists }))],
  'on the messages wire': ['messages', reply(begin(0, { ...use, input: lists }), stop(0), ending('tool_use'), over)],
  'on the responses wire': ['responses', events(done({ output: [{ ...functionCall(), arguments: lists }] }))],
};

/** The words that are the answer, and nothing called. */
export const wordsAlone: Readonly<Record<string, readonly [WireName, string]>> = {
  'minimax: thinking between tags of its own': [
    'chat',
    events(
      chat({ content: '<mm:think>' }),
      chat({ content: 'Hm.' }),
      chat({ content: '</mm:think>' }),
      chat({ content: WORDS }, 'stop'),
      '[DONE]',
    ),
  ],
  'a closing tag of its own, alone': [
    'chat',
    events(chat({ content: 'Hm.\n</mm:think>\n\n' }), chat({ content: WORDS }, 'stop'), '[DONE]'),
  ],
  'tool_calls that are empty, and tool_calls as the reason': [
    'chat',
    events(chat({ content: WORDS, tool_calls: [] }), chat({ tool_calls: [] }, 'tool_calls'), '[DONE]'),
  ],
  'a text completion': [
    'chat',
    events({ object: 'text_completion', choices: [{ index: 0, text: WORDS, finish_reason: 'stop' }] }, '[DONE]'),
  ],
  'a second candidate': [
    'chat',
    events(
      {
        choices: [
          { index: 0, delta: { content: WORDS } },
          { index: 1, delta: { content: 'Or else.' } },
        ],
      },
      { choices: [{ index: 1, delta: {}, finish_reason: 'stop' }] },
      chat({}, 'stop'),
      '[DONE]',
    ),
  ],
  'a reason nobody knows': ['chat', events(chat({ content: WORDS }), chat({}, 'FINISH_REASON_UNSPECIFIED'), '[DONE]')],
  'all at once, with a mark and no newline': ['chat', `\uFEFFdata:${JSON.stringify(chat({ content: WORDS }, 'stop'))}`],
  'content filter offsets behind': [
    'chat',
    events(
      chat({ content: WORDS }),
      chat({}, 'stop'),
      { choices: [{ index: 0, finish_reason: 'stop', content_filter_results: {} }] },
      '[DONE]',
    ),
  ],
  'stop_sequence, and details of it': [
    'messages',
    reply(
      ...calling.messages.slice(1, 4),
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null, stop_details: null }, usage: null },
      over,
    ),
  ],
  'output_text alone in the event': ['responses', events({ type: 'response.completed', output_text: WORDS })],
};
