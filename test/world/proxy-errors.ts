import type { WireName } from '../support/wire-in-process.ts';
import { calling, chat, type Events, text } from './server-habits.ts';

const events = (...list: readonly unknown[]) => text(list as Events);

/** Errors in answers with a good status: what of their words the person reads. */
export const errorsInStreams: Readonly<Record<string, readonly [WireName, string, RegExp]>> = {
  'openrouter: beside no choices': [
    'chat',
    events({
      id: 'gen',
      choices: [],
      error: { code: 502, message: 'Worker local total request limit reached', metadata: { error_type: 'provider_unavailable' } },
    }),
    /request limit reached/,
  ],
  'openrouter: in the choice': [
    'chat',
    events(calling.chat[0], chat({ content: '' }, 'error', { error: { code: 502, message: 'Upstream idle timeout' } })),
    /Upstream idle timeout/,
  ],
  'openrouter: a reason alone': [
    'chat',
    events(chat({ content: '' }, 'stop', { native_finish_reason: 'network_error' }), '[DONE]'),
    /network_error/,
  ],
  'error fields of their own': [
    'chat',
    events({ choices: null, error_type: 'BadRequestError', error_message: 'no such thing as a tool' }),
    /no such thing as a tool/,
  ],
  'minimax: a bad base_resp behind the words': [
    'chat',
    events(chat({ content: 'I' }), { choices: null, base_resp: { status_code: 1027, status_msg: 'output new_sensitive' } }),
    /new_sensitive/,
  ],
  'minimax: a bad base_resp beside a choice': [
    'chat',
    events({ choices: [{ index: 0, delta: {} }], base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }),
    /insufficient balance/,
  ],
  'llama.cpp: a field of the stream': [
    'chat',
    `error: ${JSON.stringify({ code: 500, message: 'failed to decode', type: 'server_error' })}\n\n`,
    /failed to decode/,
  ],
  'lm studio: an event, a text': [
    'chat',
    'event: error\ndata: {"error":"The model has crashed without additional information."}\n\n',
    /model has crashed/,
  ],
  'lm studio: an event, words alone': ['chat', 'event: error\ndata: Model unloaded.\n\n', /Model unloaded/],
  'vllm: an object of its own': [
    'chat',
    events({ object: 'error', message: 'EngineCore died unexpectedly', type: 'InternalServerError', param: null, code: 500 }),
    /EngineCore died/,
  ],
  'sglang: an object in an object': [
    'chat',
    events({ error: { object: 'error', message: 'Scheduler hit an exception', type: 'InternalServerError', code: 500 } }),
    /Scheduler hit/,
  ],
  'glm: a code as a text': [
    'chat',
    events({ error: { code: '1301', message: '系统检测到输入或生成内容可能包含不安全或敏感内容' } }),
    /敏感内容/,
  ],
  'dashscope: code and request_id': [
    'chat',
    events({ code: 'DataInspectionFailed', message: 'Input data may contain inappropriate content.', request_id: 'r' }),
    /inappropriate content/,
  ],
  'groq: in x_groq': [
    'chat',
    events({ id: 'x', choices: [{ index: 0, delta: {}, finish_reason: null }], x_groq: { id: 'r', error: 'over capacity, back off' } }),
    /over capacity/,
  ],
  'gemini: a list': [
    'chat',
    JSON.stringify([{ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }]),
    /model is overloaded/,
  ],
  'gemini: a malformed call': [
    'chat',
    events(chat({ content: '' }, 'function_call_filter: MALFORMED_FUNCTION_CALL'), '[DONE]'),
    /MALFORMED_FUNCTION_CALL/,
  ],
  'a rate limit in a good body': [
    'chat',
    JSON.stringify({ error: { code: 429, message: 'Rate limit exceeded: free-models-per-min' } }),
    /Rate limit exceeded/,
  ],
  'a page in the stream': [
    'chat',
    '<html><head><title>502 Bad Gateway</title></head></html>',
    /HTML|page|text\/event-stream|event stream/i,
  ],
  'a status and a statusText': [
    'chat',
    JSON.stringify({ status: 503, statusText: 'Service Unavailable', message: 'no healthy upstream' }),
    /no healthy upstream/,
  ],
  'a detail in a list': [
    'chat',
    JSON.stringify({ detail: [{ loc: ['body'], msg: 'Extra inputs are not permitted', type: 'extra_forbidden' }] }),
    /Extra inputs/,
  ],
  'fault of a gateway': [
    'chat',
    JSON.stringify({ fault: { faultstring: 'Gateway Timeout', detail: { errorcode: 'messaging.adaptors.http.flow.GatewayTimeout' } } }),
    /Gateway Timeout/,
  ],
  'aws: Message in capitals': [
    'messages',
    JSON.stringify({ Message: 'User is not authorized to perform bedrock:InvokeModel' }),
    /not authorized/,
  ],
  'aws: an exception by its name': [
    'messages',
    events({ modelStreamErrorException: { message: 'The system encountered an unexpected error' } }),
    /unexpected error/,
  ],
  'overloaded in the middle': [
    'messages',
    events(...calling.messages.slice(0, 3), { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
    /overloaded/i,
  ],
  'a failure without words': [
    'responses',
    events(calling.responses[0], { type: 'response.failed', response: { status: 'failed', error: null } }),
    /./,
  ],
  'a failure in the end': [
    'responses',
    events(...calling.responses.slice(0, 3), {
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'server_error', message: 'The model produced invalid content.' } },
    }),
    /invalid content/,
  ],
  'an error event with its words beside': [
    'responses',
    events({ type: 'error', code: 'rate_limit_exceeded', message: 'Please try again in 2s', param: null }),
    /try again/,
  ],
};

/** A request that was too long, said with a good status: the limit and what was sent, where it says them. */
export const overflowsInStreams: Readonly<Record<string, readonly [WireName, string, number?, number?]>> = {
  'openrouter: beside no choices': [
    'chat',
    events({ choices: [], error: { code: 400, message: 'prompt is too long: 1284668 tokens > 1000000 maximum' } }),
    1_000_000,
    1_284_668,
  ],
  'openrouter: in the choice': [
    'chat',
    events(
      chat({}, 'error', {
        error: {
          code: 400,
          message: "This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens",
        },
      }),
    ),
    131_072,
    140_000,
  ],
  'openrouter: raw words of the provider': [
    'chat',
    events({
      error: {
        code: 400,
        message: 'Provider returned error',
        metadata: { raw: '{"error":{"message":"Input length 140000 exceeds the maximum length 131072"}}' },
      },
    }),
    131_072,
    140_000,
  ],
  'vllm: an object of its own': [
    'chat',
    events({
      object: 'error',
      message: "This model's maximum context length is 8192 tokens. However, your request has 9000 input tokens.",
      type: 'BadRequestError',
      code: 400,
    }),
    8_192,
    9_000,
  ],
  'sglang: in the stream': [
    'chat',
    events({
      error: { object: 'error', message: "The input (9000 tokens) is longer than the model's context length (8192 tokens).", code: 400 },
    }),
    8_192,
    9_000,
  ],
  'llama.cpp: a good status': [
    'chat',
    JSON.stringify({
      error: {
        code: 400,
        message: 'the request exceeds the available context size. try increasing the context size or enable context shift',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 14429,
        n_ctx: 8192,
      },
    }),
    8_192,
    14_429,
  ],
  'llama.cpp: a field of the stream': [
    'chat',
    `error: ${JSON.stringify({ code: 400, message: 'request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it', type: 'exceed_context_size_error' })}\n\n`,
    8_192,
    9_000,
  ],
  'llama.cpp: with a status of the server': [
    'chat',
    events({ error: { code: 500, message: 'Context size has been exceeded.', type: 'server_error' } }),
  ],
  'lm studio: an event': [
    'chat',
    'event: error\ndata: {"error":{"message":"The number of tokens to keep from the initial prompt is greater than the context length."}}\n\n',
  ],
  'lm studio: an event, a text': [
    'chat',
    'event: error\ndata: {"error":"Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 8192 tokens."}\n\n',
    8_192,
    9_000,
  ],
  'litellm: a code as a text': [
    'chat',
    events({
      error: { message: 'litellm.ContextWindowExceededError: prompt has 9000 tokens, limit 8192', type: null, param: null, code: '400' },
    }),
  ],
  'glm: a code of its own': ['chat', events({ error: { code: '1261', message: 'Prompt exceeds max length' } })],
  'dashscope: words beside a code': [
    'chat',
    events({ code: 'InvalidParameter', message: '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]' }),
    129_024,
  ],
  'error fields of their own': [
    'chat',
    events({
      choices: null,
      error_type: 'BadRequestError',
      error_message: 'maximum context length is 131072 tokens, but the prompt has 140000 tokens',
    }),
    131_072,
    140_000,
  ],
  'minimax: base_resp': [
    'chat',
    events({ choices: null, base_resp: { status_code: 2013, status_msg: 'invalid params, context window exceeds limit (2013)' } }),
  ],
  'in short': ['chat', events({ error: 'context_len=8192 < required_len=9000' }), 8_192, 9_000],
  'in short, as an inequality': [
    'chat',
    events({ error: { message: 'Requested token count exceeds: n_tokens 9000 > max_tokens_per_seq 8192' } }),
    8_192,
    9_000,
  ],
  'messages: an event': [
    'messages',
    events({ type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 205351 tokens > 200000 maximum' } }),
    200_000,
    205_351,
  ],
  'messages: behind its start': [
    'messages',
    events(calling.messages[0], {
      type: 'error',
      error: { type: 'api_error', message: 'Input length 205351 exceeds the maximum context length 200000' },
    }),
    200_000,
    205_351,
  ],
  'messages: a body': [
    'messages',
    JSON.stringify({ type: 'error', error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } }),
  ],
  'bedrock: an exception by its name': ['messages', events({ validationException: { message: 'Input is too long for requested model.' } })],
  'responses: a failure': [
    'responses',
    events(calling.responses[0], {
      type: 'response.failed',
      response: {
        status: 'failed',
        error: { code: 'context_length_exceeded', message: 'Your input exceeds the context window of this model.' },
      },
    }),
  ],
  'responses: an event': [
    'responses',
    events({
      type: 'error',
      error: {
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
        message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
      },
    }),
  ],
  'responses: a body': [
    'responses',
    JSON.stringify({
      error: { message: 'Requested input length 9000 exceeds maximum input length 8192', type: 'BadRequestError', code: 400 },
    }),
    8_192,
    9_000,
  ],
};

/** Replies in which nothing is said. */
export const emptyReplies: Readonly<Record<string, readonly [WireName, string]>> = {
  'no content, stop': ['chat', events(chat({ role: 'assistant', content: '' }), chat({}, 'stop'), '[DONE]')],
  blanks: ['chat', events(chat({ content: ' \n\n ' }), chat({}, 'stop'), '[DONE]')],
  'thinking alone': ['chat', events(chat({ reasoning_content: 'Hm.' }), chat({}, 'stop'), '[DONE]')],
  'a body of nulls': ['chat', JSON.stringify({ choices: [{ message: { role: 'assistant', content: null }, finish_reason: 'stop' }] })],
  'no blocks': [
    'messages',
    events(calling.messages[0], { type: 'message_delta', delta: { stop_reason: 'end_turn' } }, { type: 'message_stop' }),
  ],
  'no items': ['responses', events({ type: 'response.completed', response: { status: 'completed', output: [] } })],
};
