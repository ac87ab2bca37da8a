import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readOverflow } from '../../../../src/model/http/overflow.ts';

const refusal = (message: string, status: number | undefined = 400, type: string | undefined = 'invalid_request_error') =>
  readOverflow({ status, type, message });

/** Wordings as people reported them: provider, message, limit, sent. */
const reported: readonly (readonly [who: string, message: string, limit: number | undefined, sent: number | undefined])[] = [
  ['Anthropic', 'prompt is too long: 208310 tokens > 200000 maximum', 200_000, 208_310],
  [
    'Anthropic, input and reply',
    'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again',
    200_000,
    188_240,
  ],
  ['Bedrock', 'The model returned the following errors: prompt is too long: 200049 tokens > 200000 maximum', 200_000, 200_049],
  ['Bedrock', 'Input is too long for requested model.', undefined, undefined],
  [
    'Bedrock Nova',
    'Input Tokens Exceeded: Number of input tokens exceeds maximum length. Please update the input to try again.',
    undefined,
    undefined,
  ],
  [
    'OpenAI',
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 204308 tokens. Please reduce the length of the messages.",
    128_000,
    204_308,
  ],
  ['OpenAI', 'Your input exceeds the context window of this model. Please adjust your input and try again.', undefined, undefined],
  [
    'OpenAI',
    'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300123 tokens. Please reduce the length of the messages.',
    272_000,
    300_123,
  ],
  [
    'DeepSeek',
    "This model's maximum context length is 131072 tokens. However, you requested 131134 tokens (122942 in the messages, 8192 in the completion). Please reduce the length of the messages or completion.",
    131_072,
    122_942,
  ],
  [
    'OpenAI, old',
    "This model's maximum context length is 8191 tokens, however you requested 10346 tokens (10341 in your prompt; 5 for the completion). Please reduce your prompt; or completion length.",
    8_191,
    10_341,
  ],
  [
    'LongBench server',
    "This model's maximum context length is 131072 tokens. However, you requested 351430 tokens. Please reduce the length of the messages or completion.",
    131_072,
    351_430,
  ],
  [
    'OpenRouter',
    "This endpoint's maximum context length is 65536 tokens. However, you requested about 92208 tokens (60833 of text input, 10042 of tool input, 21333 in the output). Please reduce the length of either one",
    65_536,
    70_875,
  ],
  [
    'OpenRouter',
    "This endpoint's maximum context length is 1048576 tokens. However, you requested about 1293741 tokens.",
    1_048_576,
    1_293_741,
  ],
  [
    'vLLM',
    "'max_tokens' or 'max_completion_tokens' is too large: 2000. This model's maximum context length is 4096 tokens and your request has 2104 input tokens (2000 > 4096 - 2104).",
    4_096,
    2_104,
  ],
  [
    'vLLM, new',
    "This model's maximum context length is 32768 tokens. However, you requested 8192 output tokens and your prompt contains at least 24577 input tokens, for a total of at least 32769 tokens.",
    32_768,
    24_577,
  ],
  ['vLLM, old', 'Input prompt (35247 tokens) is too long and exceeds limit of 1000', 1_000, 35_247],
  [
    'vLLM, images',
    'The decoder prompt (length 10127) is longer than the maximum model length of 8192. Make sure that `max_model_len` is no smaller',
    8_192,
    10_127,
  ],
  ['Gemini', 'The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).', 1_048_576, 1_200_293],
  ['Gemini, no figures', 'The input token count exceeds the maximum number of tokens allowed.', undefined, undefined],
  [
    'Vertex',
    'Unable to submit request because the input token count is 1100000 but the model only supports up to 1048576.',
    1_048_576,
    1_100_000,
  ],
  ['xAI', "This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 131_072, 537_812],
  ['Copilot', 'prompt token count of 140000 exceeds the limit of 128000', 128_000, 140_000],
  ['Mistral', 'Prompt contains 300000 tokens and 0 images, too large for model with 262144 maximum context length', 262_144, 300_000],
  ['Kimi', 'Invalid request: Your request exceeded model token limit: 262144 (requested: 269030)', 262_144, 269_030],
  ['Kimi, bytes', 'total message size 2306631 exceeds limit 2097152', undefined, undefined],
  ['Fireworks', 'The prompt is too long: 135000, model maximum context length: 131071', 131_071, 135_000],
  [
    'Cohere',
    'too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4500. Try using a shorter prompt',
    4_081,
    4_500,
  ],
  ['DS4', 'Prompt has 300,000 tokens, but the configured context size is 131,072 tokens', 131_072, 300_000],
  ['MiniMax', 'invalid params, context window exceeds limit (2013)', undefined, undefined],
  ['GLM', '{"code":"1261","message":"Prompt exceeds max length"}', undefined, undefined],
  ['Z.ai', 'model_context_window_exceeded', undefined, undefined],
  ['Groq', 'Please reduce the length of the messages or completion.', undefined, undefined],
  [
    'llama.cpp',
    '{"error":{"code":400,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"exceed_context_size_error","n_prompt_tokens":14429,"n_ctx":8192}}',
    8_192,
    14_429,
  ],
  ['llama.cpp, newer', 'request (14429 tokens) exceeds the available context size (8192 tokens), try increasing it', 8_192, 14_429],
  ['llama.cpp, bare', 'the request exceeds the available context size, try increasing it', undefined, undefined],
  ['llama-cpp-python', 'Requested tokens (2285) exceed context window of 2048', 2_048, 2_285],
  ['LM Studio', 'The number of tokens to keep from the initial prompt is greater than the context length.', undefined, undefined],
  [
    'LM Studio',
    'Trying to keep the first 12345 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
    4_096,
    12_345,
  ],
  ['Ollama', 'prompt too long; exceeded max context length by 65590 tokens (ref: 1)', undefined, undefined],
  ['SGLang', "The input (61709 tokens) is longer than the model's context length (40960 tokens).", 40_960, 61_709],
  ['SGLang', 'Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens).', 59_862, 160_062],
  [
    'SGLang',
    "Requested token count exceeds the model's maximum context length of 131072 tokens. You requested a total of 140000 tokens: 131808 tokens from the input messages and 8192 tokens for the completion.",
    131_072,
    131_808,
  ],
  [
    'text-generation-inference',
    'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 3474 `inputs` tokens and 60 `max_new_tokens`',
    2_048,
    3_474,
  ],
  ['DashScope', 'Range of input length should be [1, 30720]', 30_720, undefined],
  [
    'Azure',
    "This model's maximum context length is 16385 tokens. However, you requested 17231 tokens (13231 in the messages, 4000 in the completion). Please reduce the length of the messages or completion.",
    16_385,
    13_231,
  ],
  ['Cerebras', 'Please reduce the length of the messages or completion. Current length is 42328 while limit is 40000', 40_000, 42_328],
  ['Bedrock Mantle', 'prompt tokens (1200008) exceed model maximum (1050000) for openai.gpt-5.6-terra', 1_050_000, 1_200_008],
  ['Bedrock Mantle, older', 'prompt tokens (1200008) exceeds customer model maximum (1050000)', 1_050_000, 1_200_008],
  ['RKLLM', 'Prompt is 11543 tokens but the model context window is 4096 tokens.', 4_096, 11_543],
  ['Ollama', 'the input length exceeds the context length', undefined, undefined],
  ['Chinese', '输入内容超过模型最大上下文长度', undefined, undefined],
  ['Chinese', '请求的上下文长度已超过限制', undefined, undefined],
];

describe('an overflow is recognised in the wording of [C34]', () => {
  test.each(reported)('%s: %s', (_, message, limitTokens, sentTokens) => {
    expect(refusal(message)).toEqual({ limitTokens, sentTokens });
  });

  test.each([413, 422, 500, 502, undefined])('a gateway that answers with status %s', (status) => {
    expect(refusal('prompt is too long: 11 tokens > 10 maximum', status)).toEqual({ limitTokens: 10, sentTokens: 11 });
  });

  test('a 413 without a body, of a body that is too large [C22, C46]', () => {
    expect(refusal('', 413, undefined)).toEqual({ limitTokens: undefined, sentTokens: undefined });
    expect(refusal('<html><h1>413 Request Entity Too Large</h1></html>', 413, undefined)).toBeDefined();
    expect(refusal('Request exceeds the maximum size', 413, 'request_too_large')).toBeDefined();
  });

  test('a type that says it all', () => {
    expect(refusal('too much', 400, 'context_length_exceeded')).toEqual({ limitTokens: undefined, sentTokens: undefined });
  });
});

const others: readonly (readonly [why: string, status: number, message: string])[] = [
  ['a rate limit, whatever it says [P6]', 429, 'prompt is too long: 11 tokens > 10 maximum'],
  [
    'a rate limit in tokens per minute [P6]',
    413,
    'Request too large for model x on tokens per minute (TPM): Limit 10000, Requested 21247, please reduce your message size',
  ],
  ['Anthropic’s rate limit', 400, 'This request would exceed your organization’s rate limit of 40,000 input tokens per minute'],
  ['a throttled Bedrock', 400, 'Too many tokens, please wait before trying again.'],
  ['an empty account', 400, 'Your credit balance is too low to access the API. The context window exceeds what you paid for'],
  ['a quota', 400, 'You exceeded your current quota, please check your plan and billing details'],
  [
    'a max_tokens above the cap [C37]',
    400,
    'max_tokens: 250000 > 128000, which is the maximum allowed number of output tokens for claude-opus-5-5',
  ],
  [
    'a max_tokens above the cap',
    400,
    'max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.',
  ],
  [
    'a max_tokens above the cap',
    400,
    'max_tokens must be less than or equal to 16384, the maximum value for max_tokens is less than the context_window for this model',
  ],
  ['a torn pair [O3]', 400, 'messages.3: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1'],
  ['roles [O3]', 400, 'messages: roles must alternate between "user" and "assistant"'],
  [
    'a bound thinking block',
    400,
    'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.',
  ],
  ['a token limit of something else [F10]', 400, 'the token limit of this tool must be an integer'],
  ['an unrelated request', 400, 'tools.0.input_schema: JSON schema is invalid'],
  ['a refused key', 401, 'invalid x-api-key; prompt is too long'],
  ['a throttled account in tokens a day [P6]', 400, 'Too many tokens per day, please wait before trying again.'],
  ['a bill in Chinese', 400, '账户余额不足，请求的上下文长度已超过限制'],
  ['a spending limit', 400, 'You have reached your spend limit; the context window exceeds limit'],
  ['an image', 400, 'messages.0.content.1.image: image exceeds 5 MB maximum'],
  ['nothing said', 400, ''],
];

test.each(others)('no overflow: %s', (_, status, message) => {
  expect(refusal(message, status)).toBeUndefined();
});

test('total and quick on any text', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300, unit: 'grapheme' }), (text) => {
      const found = refusal(text);
      return found === undefined || typeof found === 'object';
    }),
  );
  expect(refusal('maximum context length is '.repeat(20_000))).toBeUndefined();
  expect(refusal(`prompt is too long: ${'9'.repeat(400)} tokens > 10 maximum`)).toEqual({ limitTokens: 10, sentTokens: undefined });
});
