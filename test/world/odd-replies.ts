import type { WireName } from '../support/wire-in-process.ts';
import { COMMAND, calling, chat, type Events, functionCall, input, message, text, WORDS } from './server-habits.ts';

const piece = (fields: object, called: unknown) => chat({ tool_calls: [{ index: 0, type: 'function', ...fields, function: called }] });
const end = [chat({}, 'tool_calls'), '[DONE]'] as const;
const half = [input.slice(0, 9), input.slice(9)] as const;
const calls = (...list: readonly unknown[]) => text([...(list as Events), ...end]);
const whole = { id: 'c1', type: 'function', function: { name: 'run_command', arguments: input } };
const begin = (i: number, b: object) => ({ type: 'content_block_start', index: i, content_block: b });
const delta = (i: number, d: object) => ({ type: 'content_block_delta', index: i, delta: d });
const stop = (i: number) => ({ type: 'content_block_stop', index: i });
const use = { type: 'tool_use', id: 'c1', name: 'run_command', input: {} };
const json = (s: unknown) => ({ type: 'input_json_delta', partial_json: s });
const ending = (r: unknown) => ({ type: 'message_delta', delta: { stop_reason: r }, usage: { output_tokens: 9 } });
const over = { type: 'message_stop' };
const opening = calling.messages[0] as object;
const reply = (...list: readonly unknown[]) => text([opening, ...list] as Events);
const events = (...list: readonly unknown[]) => text(list as Events);
const done = (output: unknown, more: object = {}) => ({
  type: 'response.completed',
  response: { id: 'r', status: 'completed', output, ...more },
});
const plain = (all: Events) => all.map((e) => `data: ${typeof e === 'string' ? e : JSON.stringify(e)}\n\n`).join('');

const wholeMessage = {
  ...{ id: 'm', type: 'message', role: 'assistant', stop_reason: 'tool_use' },
  content: [
    { type: 'text', text: WORDS },
    { ...use, input: { command: COMMAND } },
  ],
};
const wholeChat = {
  choices: [{ index: 0, message: { role: 'assistant', content: WORDS, tool_calls: [whole] }, finish_reason: 'tool_calls' }],
};
const blockAlone = (block: object) => reply(begin(0, block), stop(0), ending('tool_use'), over);
const numbered = (i: number | undefined, list: readonly { index: number }[]) => list.map((e) => ({ ...e, index: i }));
const wordsBlock = (i?: number) =>
  numbered(i, [
    begin(0, { type: 'text', text: '' }),
    delta(0, { type: 'text_delta', text: WORDS.slice(0, 7) }),
    delta(0, { type: 'text_delta', text: WORDS.slice(7) }),
    stop(0),
  ]);
const callBlock = (i?: number) => numbered(i, [begin(0, use), delta(0, json(half[0])), delta(0, json(half[1])), stop(0)]);

/** On which wire, the stream, and the words beside the call where there are any. */
export type OddReply = readonly [WireName, string, string?];

/** Streams that mean one call, and what is said beside it: each in a way of its own. */
export const oddReplies: Readonly<Record<string, OddReply>> = {
  'legacy function_call': [
    'chat',
    text([
      chat({ role: 'assistant', function_call: { name: 'run_command', arguments: '' } }),
      chat({ function_call: { arguments: half[0] } }),
      chat({ function_call: { arguments: half[1] } }),
      chat({}, 'function_call'),
      '[DONE]',
    ]),
  ],
  'tool_calls an object': ['chat', calls(chat({ tool_calls: { index: 0, ...whole } }))],
  'flat call': ['chat', calls(chat({ tool_calls: [{ index: 0, id: 'c1', name: 'run_command', arguments: input }] }))],
  'message in place of delta': [
    'chat',
    text([
      {
        id: 'x',
        choices: [{ index: 0, message: { role: 'assistant', content: WORDS, tool_calls: [whole] }, finish_reason: 'tool_calls' }],
      },
      '[DONE]',
    ]),
  ],
  'message behind deltas repeats them': [
    'chat',
    text([
      ...calling.chat.slice(0, 2),
      {
        id: 'x',
        choices: [
          { index: 0, delta: {}, message: { role: 'assistant', content: WORDS, tool_calls: [whole] }, finish_reason: 'tool_calls' },
        ],
      },
      '[DONE]',
    ] as Events),
  ],
  'delta null at end': [
    'chat',
    text([...calling.chat.slice(0, 2), { choices: [{ index: 0, delta: null, finish_reason: 'tool_calls' }] }, '[DONE]'] as Events),
  ],
  'reason TOOL_CALLS': ['chat', text([...calling.chat.slice(0, 2), chat({}, 'TOOL_CALLS'), '[DONE]'])],
  'reason tool_use': ['chat', text([...calling.chat.slice(0, 2), chat({}, 'tool_use'), '[DONE]'])],
  'reason eos': ['chat', text([...calling.chat.slice(0, 2), chat({}, 'eos_token'), '[DONE]'])],
  'reason empty in each': [
    'chat',
    text([
      chat({ content: WORDS }, ''),
      piece({ id: 'c1' }, { name: 'run_command', arguments: half[0] }),
      chat({ tool_calls: [{ index: 0, function: { arguments: half[1] } }] }, ''),
      chat({}, 'tool_calls'),
      '[DONE]',
    ] as Events),
  ],
  'reason text null in each': [
    'chat',
    text([chat({ content: WORDS }, 'null'), chat({ tool_calls: [{ index: 0, ...whole }] }, 'null'), chat({}, 'tool_calls'), '[DONE]']),
  ],
  'index as text': [
    'chat',
    calls(piece({ index: '0', id: 'c1' }, { name: 'run_command', arguments: half[0] }), piece({ index: '0' }, { arguments: half[1] })),
  ],
  'id a number': ['chat', calls(piece({ id: 7 }, { name: 'run_command', arguments: half[0] }), piece({ id: 7 }, { arguments: half[1] }))],
  'arguments {} first': ['chat', calls(piece({ id: 'c1' }, { name: 'run_command', arguments: '{}' }), piece({}, { arguments: input }))],
  'arguments {} first in pieces': [
    'chat',
    calls(
      piece({ id: 'c1' }, { name: 'run_command', arguments: '{}' }),
      piece({}, { arguments: half[0] }),
      piece({}, { arguments: half[1] }),
    ),
  ],
  'arguments whole, then {}': [
    'chat',
    calls(piece({ id: 'c1' }, { name: 'run_command', arguments: input }), piece({}, { arguments: '{}' })),
  ],
  'whole arguments twice': [
    'chat',
    calls(piece({ id: 'c1' }, { name: 'run_command', arguments: input }), piece({ id: 'c1' }, { name: 'run_command', arguments: input })),
  ],
  'pieces, then whole': [
    'chat',
    calls(
      piece({ id: 'c1' }, { name: 'run_command', arguments: half[0] }),
      piece({}, { arguments: half[1] }),
      piece({ id: 'c1' }, { name: 'run_command', arguments: input }),
    ),
  ],
  'object in pieces of object': [
    'chat',
    calls(piece({ id: 'c1' }, { name: 'run_command', arguments: {} }), piece({}, { arguments: { command: COMMAND } })),
  ],
  'trailing marker': ['chat', calls(piece({ id: 'c1' }, { name: 'run_command', arguments: `${input}<|tool_call_end|>` }))],
  'trailing tag': ['chat', calls(piece({ id: 'c1' }, { name: 'run_command', arguments: `${input}</tool_call>` }))],
  fence: ['chat', calls(piece({ id: 'c1' }, { name: 'run_command', arguments: `\`\`\`json\n${input}\n\`\`\`` }))],
  'content in parts': [
    'chat',
    calls(chat({ content: [{ type: 'text', text: WORDS }] }), piece({ id: 'c1' }, { name: 'run_command', arguments: input })),
    WORDS,
  ],
  'thinking parts': [
    'chat',
    calls(
      chat({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] }),
      chat({ content: [{ type: 'text', text: WORDS }] }),
      piece({ id: 'c1' }, { name: 'run_command', arguments: input }),
    ),
    WORDS,
  ],
  'content object': [
    'chat',
    calls(chat({ content: { type: 'text', text: WORDS } }), piece({ id: 'c1' }, { name: 'run_command', arguments: input })),
  ],
  'last piece with reason': [
    'chat',
    text([
      piece({ id: 'c1' }, { name: 'run_command', arguments: half[0] }),
      chat({ tool_calls: [{ index: 0, function: { arguments: half[1] } }] }, 'tool_calls'),
      '[DONE]',
    ]),
  ],
  'second choice calls too': [
    'chat',
    text([
      ...calling.chat.slice(0, 2),
      { choices: [{ index: 1, delta: { tool_calls: [{ index: 0, ...whole, id: 'c9' }] } }] },
      { choices: [{ index: 1, delta: {}, finish_reason: 'tool_calls' }] },
      ...calling.chat.slice(2),
    ] as Events),
    WORDS,
  ],
  'two choices in one chunk': [
    'chat',
    text([
      {
        choices: [
          { index: 0, delta: { tool_calls: [{ index: 0, ...whole }] } },
          { index: 1, delta: { tool_calls: [{ index: 0, ...whole, id: 'c9' }] } },
        ],
      },
      ...calling.chat.slice(2),
    ] as Events),
  ],
  'data in many lines': [
    'chat',
    calling.chat
      .map(
        (e) =>
          `${(typeof e === 'string' ? e : JSON.stringify(e, null, 1))
            .split('\n')
            .map((l) => `data: ${l}`)
            .join('\n')}\n\n`,
      )
      .join(''),
    WORDS,
  ],
  'a list in an event': ['chat', `data: ${JSON.stringify(calling.chat.slice(0, 3))}\n\ndata: [DONE]\n\n`, WORDS],
  'data: data:': ['chat', plain(calling.chat).replaceAll('data: ', 'data: data: '), WORDS],
  'lines of JSON': [
    'chat',
    calling.chat
      .slice(0, 3)
      .map((e) => `${JSON.stringify(e)}\n`)
      .join(''),
    WORDS,
  ],
  'single newlines': ['chat', plain(calling.chat).replaceAll('\n\n', '\n'), WORDS],
  'DONE with quotes': ['chat', plain(calling.chat).replace('[DONE]', '"[DONE]"'), WORDS],
  '[done]': ['chat', plain(calling.chat).replace('[DONE]', '[done]'), WORDS],
  'no id and no index': [
    'chat',
    calls(
      chat({ tool_calls: [{ function: { name: 'run_command', arguments: half[0] } }] }),
      chat({ tool_calls: [{ function: { arguments: half[1] } }] }),
    ),
  ],
  'id empty then null': [
    'chat',
    calls(
      piece({ id: 'c1' }, { name: 'run_command', arguments: '' }),
      piece({ id: '' }, { name: '', arguments: half[0] }),
      piece({ id: null }, { name: '', arguments: half[1] }),
    ),
  ],
  'index from 1': [
    'chat',
    calls(piece({ index: 1, id: 'c1' }, { name: 'run_command', arguments: half[0] }), piece({ index: 1 }, { arguments: half[1] })),
  ],
  'index -1': [
    'chat',
    calls(piece({ index: -1, id: 'c1' }, { name: 'run_command', arguments: half[0] }), piece({ index: -1 }, { arguments: half[1] })),
  ],
  'index huge': [
    'chat',
    calls(piece({ index: 1e9, id: 'c1' }, { name: 'run_command', arguments: half[0] }), piece({ index: 1e9 }, { arguments: half[1] })),
  ],
  'index null': [
    'chat',
    calls(piece({ index: null, id: 'c1' }, { name: 'run_command', arguments: half[0] }), piece({ index: null }, { arguments: half[1] })),
  ],
  'type missing, role tool': [
    'chat',
    calls(chat({ role: 'tool', tool_calls: [{ index: 0, id: 'c1', function: { name: 'run_command', arguments: input } }] })),
  ],
  'raw newline in arguments': [
    'chat',
    calls(piece({ id: 'c1' }, { name: 'run_command', arguments: '{"command": "echo ran >> ran.txt",\n "timeout_ms": 5000\n}' })),
  ],
  'trailing comma': ['chat', calls(piece({ id: 'c1' }, { name: 'run_command', arguments: '{"command":"echo ran >> ran.txt",}' }))],
  'name in three chunks, id each': [
    'chat',
    calls(
      piece({ id: 'c1' }, { name: 'run' }),
      piece({ id: 'c1' }, { name: '_com' }),
      piece({ id: 'c1' }, { name: 'mand', arguments: input }),
    ),
  ],
  'name cumulative': [
    'chat',
    calls(
      piece({ id: 'c1' }, { name: 'run' }),
      piece({ id: 'c1' }, { name: 'run_command' }),
      piece({ id: 'c1' }, { name: 'run_command', arguments: input }),
    ),
  ],
  'escape cut in two': [
    'chat',
    calls(
      piece({ id: 'c1' }, { name: 'run_command', arguments: '{"command":"echo ran >> ran.txt","note":"\\ud83' }),
      piece({}, { arguments: 'd\\ude00"}' }),
    ),
  ],
  'empty tool_calls list beside text': [
    'chat',
    text([chat({ content: WORDS, tool_calls: [] }), chat({ tool_calls: null }), ...calling.chat.slice(1)] as Events),
    WORDS,
  ],
  'null in the list': ['chat', calls(chat({ tool_calls: [null, { index: 0, ...whole }] }))],
  'u2028 in text': ['chat', plain(calling.chat).replace(WORDS, `${WORDS}\u2028x`), WORDS],
  'refusal null': [
    'chat',
    calls(chat({ refusal: null, content: '', reasoning_content: null }), piece({ id: 'c1' }, { name: 'run_command', arguments: input })),
  ],
  'choices in an object': [
    'chat',
    text([
      { id: 'x', choices: { index: 0, delta: { tool_calls: [{ index: 0, ...whole }] }, finish_reason: 'tool_calls' } },
      '[DONE]',
    ] as Events),
  ],
  'content filter results': [
    'chat',
    text([{ choices: [], prompt_filter_results: [{ prompt_index: 0 }] }, ...calling.chat] as Events),
    WORDS,
  ],
  'arguments cumulative, ids each': [
    'chat',
    calls(piece({ id: 'c1' }, { name: 'run_command', arguments: half[0] }), piece({ id: 'c1' }, { name: 'run_command', arguments: input })),
  ],
  'input null': ['messages', reply(begin(0, { ...use, input: null }), delta(0, json(input)), stop(0), ending('tool_use'), over)],
  'input empty text': [
    'messages',
    reply(begin(0, { ...use, input: '' }), delta(0, json('')), delta(0, json(input)), stop(0), ending('tool_use'), over),
  ],
  'partial null first': ['messages', reply(begin(0, use), delta(0, json(null)), delta(0, json(input)), stop(0), ending('tool_use'), over)],
  'no delta type': ['messages', reply(begin(0, use), delta(0, { partial_json: input }), stop(0), ending('tool_use'), over)],
  'no stops': [
    'messages',
    reply(
      begin(0, { type: 'text', text: '' }),
      delta(0, { type: 'text_delta', text: WORDS }),
      begin(1, use),
      delta(1, json(input)),
      ending('tool_use'),
      over,
    ),
    WORDS,
  ],
  'no message_start': ['messages', events(...calling.messages.slice(1)), WORDS],
  'message_start twice': ['messages', events(opening, ...calling.messages), WORDS],
  'all index 0': [
    'messages',
    reply(
      begin(0, { type: 'text', text: '' }),
      delta(0, { type: 'text_delta', text: WORDS }),
      stop(0),
      begin(0, use),
      delta(0, json(input)),
      stop(0),
      ending('tool_use'),
      over,
    ),
    WORDS,
  ],
  'all index 0, no stops': [
    'messages',
    reply(
      begin(0, { type: 'text', text: '' }),
      delta(0, { type: 'text_delta', text: WORDS }),
      begin(0, use),
      delta(0, json(input)),
      ending('tool_use'),
      over,
    ),
    WORDS,
  ],
  'two deltas of the end': ['messages', reply(begin(0, use), delta(0, json(input)), stop(0), ending('tool_use'), ending('end_turn'), over)],
  'usage null': [
    'messages',
    reply(begin(0, use), delta(0, json(input)), stop(0), { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: null }, over),
  ],
  'stop before delta': ['messages', reply(begin(0, use), delta(0, json(input)), stop(0), over, ending('tool_use'))],
  'unknown blocks between': [
    'messages',
    reply(
      begin(0, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
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
  'content in the start': [
    'messages',
    text([
      {
        type: 'message_start',
        message: {
          id: 'm',
          role: 'assistant',
          content: [
            { type: 'text', text: WORDS },
            { ...use, input: { command: COMMAND } },
          ],
          stop_reason: 'tool_use',
        },
      },
      over,
    ] as Events),
    WORDS,
  ],
  'names of events only': [
    'messages',
    calling.messages
      .map((e) => {
        const { type, ...rest } = e as { type: string };
        return `event: ${type}\ndata: ${JSON.stringify(rest)}\n\n`;
      })
      .join(''),
    WORDS,
  ],
  'reason stop': ['messages', reply(begin(0, use), delta(0, json(input)), stop(0), ending('stop'), over)],
  'reason pause_turn': ['messages', reply(begin(0, use), delta(0, json(input)), stop(0), ending('pause_turn'), over)],
  'partial cumulative': [
    'messages',
    reply(begin(0, use), delta(0, json(half[0])), delta(0, json(input)), stop(0), ending('tool_use'), over),
  ],
  'start repeated': [
    'messages',
    reply(begin(0, use), delta(0, json(half[0])), begin(0, use), delta(0, json(half[1])), stop(0), ending('tool_use'), over),
  ],
  'delta behind stop': [
    'messages',
    reply(begin(0, use), delta(0, json(half[0])), stop(0), delta(0, json(half[1])), ending('tool_use'), over),
  ],
  'id a number (m)': ['messages', reply(begin(0, { ...use, id: 5 }), delta(0, json(input)), stop(0), ending('tool_use'), over)],
  'index as text (m)': ['messages', text(calling.messages).replaceAll(/"index":(\d)/g, '"index":"$1"'), WORDS],
  'partial an object': ['messages', reply(begin(0, use), delta(0, json({ command: COMMAND })), stop(0), ending('tool_use'), over)],
  'text in start and delta': [
    'messages',
    reply(begin(0, { type: 'text', text: WORDS }), stop(0), begin(1, use), delta(1, json(input)), stop(1), ending('tool_use'), over),
    WORDS,
  ],
  'arguments by deltas only': [
    'responses',
    events(
      { type: 'response.output_item.added', output_index: 0, item: { ...functionCall(), arguments: '' } },
      { type: 'response.function_call_arguments.delta', output_index: 0, item_id: 'f', delta: half[0] },
      { type: 'response.function_call_arguments.delta', output_index: 0, item_id: 'f', delta: half[1] },
      { type: 'response.completed', response: { status: 'completed' } },
    ),
  ],
  'item done alone': [
    'responses',
    events(
      { type: 'response.output_item.done', output_index: 0, item: functionCall() },
      { type: 'response.completed', response: { status: 'completed', output: [] } },
    ),
  ],
  'ids that change': [
    'responses',
    events(
      { type: 'response.output_item.added', output_index: 0, item: { ...functionCall(), id: 'f1', arguments: '' } },
      { type: 'response.function_call_arguments.delta', output_index: 0, item_id: 'f2', delta: half[0] },
      { type: 'response.function_call_arguments.delta', output_index: 0, item_id: 'f3', delta: half[1] },
      { type: 'response.output_item.done', output_index: 0, item: { ...functionCall(), id: 'f4' } },
      done([{ ...functionCall(), id: 'f5' }]),
    ),
  ],
  'no output_index': ['responses', text(calling.responses).replaceAll(/"output_index":\d,/g, ''), WORDS],
  'response.done': ['responses', text(calling.responses).replaceAll('response.completed', 'response.done'), WORDS],
  'completed with empty output': ['responses', events(...calling.responses.slice(0, -1), done([])), WORDS],
  'incomplete with a whole call': [
    'responses',
    events(...calling.responses.slice(0, -1), {
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output: [message(WORDS), functionCall()] },
    }),
    WORDS,
  ],
  'in_progress in the end': ['responses', events(done([message(WORDS), { ...functionCall(), status: 'in_progress' }])), WORDS],
  'nulls in added and done': [
    'responses',
    events(
      { type: 'response.output_item.added', output_index: 0, item: { ...functionCall(), arguments: null } },
      { type: 'response.function_call_arguments.delta', output_index: 0, item_id: 'f', delta: input },
      { type: 'response.output_item.done', output_index: 0, item: { ...functionCall(), arguments: '' } },
      { type: 'response.completed', response: { status: 'completed' } },
    ),
  ],
  'two indexes, one call_id': [
    'responses',
    events(
      { type: 'response.output_item.done', output_index: 0, item: functionCall() },
      { type: 'response.output_item.done', output_index: 1, item: { ...functionCall(), id: 'f9' } },
      { type: 'response.completed', response: { status: 'completed' } },
    ),
  ],
  'content a text (r)': ['responses', events(done([{ type: 'message', role: 'assistant', content: WORDS }, functionCall()])), WORDS],
  'text of type text': [
    'responses',
    events(done([{ type: 'message', role: 'assistant', content: [{ type: 'text', text: WORDS }] }, functionCall()])),
    WORDS,
  ],
  'names of events only (r)': [
    'responses',
    calling.responses
      .map((e) => {
        const { type, ...rest } = e as { type: string };
        return `event: ${type}\ndata: ${JSON.stringify(rest)}\n\n`;
      })
      .join(''),
    WORDS,
  ],
  'name only in added': [
    'responses',
    events(
      { type: 'response.output_item.added', output_index: 0, item: { ...functionCall(), arguments: '' } },
      { type: 'response.output_item.done', output_index: 0, item: { ...functionCall(), name: undefined } },
      { type: 'response.completed', response: { status: 'completed' } },
    ),
  ],
  'name null in added': [
    'responses',
    events(
      { type: 'response.output_item.added', output_index: 0, item: { ...functionCall(), name: null, arguments: '' } },
      { type: 'response.output_item.done', output_index: 0, item: functionCall() },
      { type: 'response.completed', response: { status: 'completed' } },
    ),
  ],
  'reasoning with nulls': [
    'responses',
    events(
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { type: 'reasoning', id: 'rs', summary: null, content: null, encrypted_content: null },
      },
      { type: 'response.output_item.done', output_index: 1, item: functionCall() },
      { type: 'response.completed', response: { status: 'completed' } },
    ),
  ],
  'deltas by call_id': [
    'responses',
    events(
      { type: 'response.output_item.added', item: { ...functionCall(), id: undefined, arguments: '' } },
      { type: 'response.function_call_arguments.delta', call_id: 'c1', delta: half[0] },
      { type: 'response.function_call_arguments.delta', call_id: 'c1', delta: half[1] },
      { type: 'response.completed', response: { status: 'completed' } },
    ),
  ],
  'arguments.done alone': [
    'responses',
    events(
      { type: 'response.output_item.added', output_index: 0, item: { ...functionCall(), arguments: '' } },
      { type: 'response.function_call_arguments.done', output_index: 0, item_id: 'f', name: 'run_command', arguments: input },
      { type: 'response.completed', response: { status: 'completed' } },
    ),
  ],
  'completed twice': ['responses', events(...calling.responses, calling.responses.at(-1)), WORDS],
  'created repeated, queued': [
    'responses',
    events({ type: 'response.queued', response: { status: 'queued' } }, { type: 'response.in_progress' }, ...calling.responses),
    WORDS,
  ],
  'wrapped in data': ['chat', plain(calling.chat.map((e) => (typeof e === 'string' ? e : { data: e })) as Events), WORDS],
  'wrapped in result': ['chat', plain(calling.chat.map((e) => (typeof e === 'string' ? e : { code: 0, result: e })) as Events), WORDS],
  'wrapped event': ['messages', plain(calling.messages.map((e) => ({ event: (e as { type: string }).type, data: e }))), WORDS],
  'wrapped in response': ['chat', plain(calling.chat.map((e) => (typeof e === 'string' ? e : { response: e })) as Events), WORDS],
  'wrapped twice, as a text of JSON': [
    'chat',
    JSON.stringify({ statusCode: 200, body: JSON.stringify({ code: 0, message: 'ok', data: wholeChat }), usage: { total: 1 } }),
    WORDS,
  ],
  'a whole message in data': ['messages', JSON.stringify({ success: true, data: wholeMessage }), WORDS],
  'a whole response in response': ['responses', JSON.stringify({ response: { output: [message(WORDS), functionCall()] } }), WORDS],
  'a whole response in an event without a name': ['responses', plain([{ response: { output: [message(WORDS), functionCall()] } }]), WORDS],
  'events in data (r)': ['responses', plain(calling.responses.map((e) => ({ data: e }))), WORDS],
  'custom call': ['chat', calls(chat({ tool_calls: [{ index: 0, id: 'c1', type: 'custom', custom: { name: 'run_command', input } }] }))],
  'custom call in pieces': [
    'chat',
    calls(
      chat({ tool_calls: [{ index: 0, id: 'c1', type: 'custom', custom: { name: 'run_command', input: half[0] } }] }),
      chat({ tool_calls: [{ index: 0, custom: { input: half[1] } }] }),
    ),
  ],
  'function a text of JSON': [
    'chat',
    calls(chat({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: JSON.stringify(whole.function) }] })),
  ],
  'function the name': ['chat', calls(chat({ tool_calls: [{ id: 'c1', function: 'run_command', arguments: input }] }))],
  'function_call a text of JSON': ['chat', calls(chat({ function_call: JSON.stringify(whole.function) }))],
  'args, and an empty arguments': [
    'chat',
    calls(chat({ tool_calls: [{ id: 'c1', name: 'run_command', arguments: '', args: { command: COMMAND } }] })),
  ],
  'a call among the parts of the text': [
    'chat',
    calls(
      chat({
        content: [
          { type: 'text', text: WORDS },
          { type: 'tool_call', id: 'c1', name: 'run_command', arguments: input },
        ],
      }),
    ),
    WORDS,
  ],
  'tool_use among the parts of the text': [
    'chat',
    calls(chat({ content: [{ type: 'tool_use', id: 'c1', name: 'run_command', input: { command: COMMAND } }] })),
  ],
  ...Object.fromEntries(
    ['tool_call', 'function_call', 'custom_tool_call', 'toolUse', 'function', 'tool_use'].flatMap((type): [string, OddReply][] => [
      [`a block of type ${type} with arguments`, ['messages', blockAlone({ type, id: 'c1', name: 'run_command', arguments: input })]],
      [`a block of type ${type} with a function`, ['messages', blockAlone({ type, call_id: 'c1', function: whole.function })]],
      [
        `a block of type ${type} and deltas`,
        [
          'messages',
          reply(begin(0, { type, id: 'c1', name: 'run_command', arguments: '' }), delta(0, json(input)), stop(0), ending('stop'), over),
        ],
      ],
      [`an item of type ${type} with input`, ['responses', events(done([{ ...functionCall(), type, arguments: undefined, input }]))]],
      [
        `an item of type ${type} with parameters, added and done`,
        [
          'responses',
          events(
            { type: 'response.output_item.added', output_index: 0, item: { ...functionCall(), type, arguments: '' } },
            {
              type: 'response.output_item.done',
              output_index: 0,
              item: { ...functionCall(), type, arguments: undefined, parameters: { command: COMMAND } },
            },
            done([]),
          ),
        ],
      ],
    ]),
  ),
  'output an object': ['responses', JSON.stringify({ status: 'completed', output: functionCall() })],
  'output an object in the end': ['responses', events(done(functionCall()))],
  'a block twice under its number': [
    'messages',
    reply(...wordsBlock(0), ...wordsBlock(0), ...callBlock(1), ...callBlock(1), ending('tool_use'), over),
    WORDS,
  ],
  'a block twice, counted on': [
    'messages',
    reply(...wordsBlock(0), ...wordsBlock(1), ...callBlock(2), ...callBlock(3), ending('tool_use'), over),
    WORDS,
  ],
  'a block twice without numbers': [
    'messages',
    reply(...wordsBlock(), ...wordsBlock(), ...callBlock(), ...callBlock(), ending('tool_use'), over),
    WORDS,
  ],
  'a block twice, the second whole in its start': [
    'messages',
    reply(...wordsBlock(0), begin(0, { type: 'text', text: WORDS }), stop(0), ...callBlock(1), ending('tool_use'), over),
    WORDS,
  ],
};

/** Streams of which nobody can tell what they mean: that is said. */
export const unreadReplies: Readonly<Record<string, OddReply>> = {
  'two objects in a line': [
    'chat',
    `data: ${calling.chat
      .slice(0, 3)
      .map((e) => JSON.stringify(e))
      .join('')}\n\ndata: [DONE]\n\n`,
    WORDS,
  ],
  'blanks before data': ['chat', plain(calling.chat).replaceAll('data: ', '  data: '), WORDS],
  'DATA in capitals': ['chat', plain(calling.chat).replaceAll('data: ', 'Data: '), WORDS],
  'NULs between': ['chat', plain(calling.chat).replaceAll('\n\n', '\n\n\0'), WORDS],
  'BOM before each event': ['chat', plain(calling.chat).replaceAll('data: ', '\ufeffdata: '), WORDS],
  'delta before start': [
    'messages',
    reply(delta(0, json(half[0])), begin(0, use), delta(0, json(half[1])), stop(0), ending('tool_use'), over),
  ],
  'bedrock bytes': [
    'messages',
    plain(calling.messages.map((e) => ({ chunk: { bytes: Buffer.from(JSON.stringify(e)).toString('base64') } }))),
    WORDS,
  ],
};
