import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readOverflow } from '../../../../src/model/http/overflow.ts';
import { holdsForEach } from '../../../support/each-row.ts';
import { sampleOf } from '../../../support/runs.ts';
import { reported, sourced } from './overflow-wordings.ts';

const refusal = (message: string, status: number | undefined = 400, type: string | undefined = 'invalid_request_error') =>
  readOverflow({ status, type, message });

const nameOf = ([who, message]: readonly [who: string, message: string, ...more: readonly unknown[]]): string => `${who}: ${message}`;

describe('an overflow is recognised in the wording of [C34]', () => {
  test('a server that was seen', () =>
    holdsForEach(reported, nameOf, ([, message, limitTokens, sentTokens]) =>
      expect(refusal(message)).toEqual({ limitTokens, sentTokens }),
    ));

  test('a server that somebody reported', () =>
    holdsForEach(sourced, nameOf, ([, message, limitTokens, sentTokens, source]) => {
      expect(source).toMatch(/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/(?:issues|pull)\/\d+$/);
      expect(refusal(message)).toEqual({ limitTokens, sentTokens });
      // A stream that has begun with a good status can still report it.
      expect(refusal(message, undefined, undefined)).toEqual({ limitTokens, sentTokens });
    }));

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

test('other refusals are no overflow', () =>
  holdsForEach(
    others,
    ([name]) => name,
    ([, status, message]) => expect(refusal(message, status)).toBeUndefined(),
  ));

test('total and quick on any text', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300, unit: 'grapheme' }), (text) => {
      const found = refusal(text);
      return found === undefined || typeof found === 'object';
    }),
  );
  expect(refusal('maximum context length is '.repeat(20_000))).toBeUndefined();
  for (const [, message] of sampleOf([...sourced, ...reported])) for (const word of message.split(' ')) refusal(`${word} `.repeat(8_000));
  expect(refusal(`prompt is too long: ${'9'.repeat(400)} tokens > 10 maximum`)).toEqual({ limitTokens: 10, sentTokens: undefined });
});
