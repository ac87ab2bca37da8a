import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readOverflow } from '../../src/model/http/overflow.ts';
import { runs } from '../support/runs.ts';
import { otherRefusals, tooLongRefusals } from './overflow-words.ts';

const statuses = fc.constantFrom(400, 413, 422, 500, undefined);

test('a request that is too long is known by any words, and so is the limit', () => {
  fc.assert(
    fc.property(tooLongRefusals, statuses, ({ text, limit }, status) => {
      expect(readOverflow({ status, type: undefined, message: text }), text).toMatchObject({ limitTokens: limit });
    }),
    { numRuns: runs(1_000) },
  );
});

test.each([
  [
    "You passed 114689 input tokens and requested 16384 output tokens. However, the model's context length is only 131072 tokens, resulting in a maximum input length of 114688 tokens.",
    131_072,
    114_689,
  ],
  ['The prompt has 7000 tokens, which with max_tokens 2000 is more than the context of 8192 tokens', 8_192, 7_000],
  ['{"error":{"code":"tokens_limit_reached","message":"Request body too large for x model. Max size: 8000 tokens."}}', 8_000],
  ['max_tokens must be at least 1, got -808. (parameter=max_tokens, value=-808)'],
  ['{"error_code":336103,"error_msg":"Prompt tokens too long"}'],
  ['{"header":{"code":10907,"message":"token数量超过上限"}}'],
  ['输入内容过长，请缩短后重试'],
])(
  '%s: the request fills the window, also inside of an answer with a good status',
  (message, limitTokens?: number, sentTokens?: number) => {
    for (const status of [400, 500, undefined])
      expect(readOverflow({ status, type: undefined, message })).toEqual({ limitTokens, sentTokens });
  },
);

test.each([
  'For a prompt of 5000 tokens, max_tokens 16384 is more than the 8192 tokens that this model can write',
  'max_tokens must be at least 1, got 0',
  '每分钟 token 超过上限',
])('%s: what is asked of the reply, and a rate, are none', (message) => {
  expect(readOverflow({ status: 400, type: undefined, message })).toBeUndefined();
});

test('a rate, a bill, a reply that is too long and a size of another kind are none', () => {
  fc.assert(
    fc.property(otherRefusals, fc.constantFrom(400, 422, 500, undefined), ({ text }, status) => {
      expect(readOverflow({ status, type: undefined, message: text }), text).toBeUndefined();
    }),
    { numRuns: runs(1_000) },
  );
});

test.each([
  ['O prompt tem 40.960 tokens e o contexto aceita 32.768 tokens', 32_768],
  ['Context window exceeded: 40.9k/32.7k tokens', 32_700],
  ['prompt is 40k tokens > 32K context', 32_000],
  ['you sent 1.2M tokens, window is 1M tokens', 1_000_000],
])('the figures of "%s" are read, also inside of an answer with a good status', (message, limitTokens) => {
  for (const status of [400, undefined]) expect(readOverflow({ status, type: undefined, message })).toMatchObject({ limitTokens });
});
