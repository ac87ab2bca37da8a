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
