import { expect, test } from 'vitest';
import { carefulMediaLimits } from '../../../src/domain/value/media-tokens.ts';
import { factsFor } from '../../../src/model/catalog.ts';

const undeclared = { contextWindow: null, maxOutputTokens: null, price: null };
const limitsOf = (model: string, provider: 'anthropic' | 'openai-chat' | 'openai-responses', host: string, contextWindow?: number) =>
  factsFor(model, { ...undeclared, contextWindow: contextWindow ?? null }, provider, { host }).mediaLimits;

test('a request carries what the provider at its host takes, and little where nobody says [C46]', () => {
  expect(limitsOf('claude-opus-4-6', 'anthropic', 'api.anthropic.com')).toEqual({ ...carefulMediaLimits, pages: 600 });
  expect(limitsOf('claude-haiku-4-5', 'anthropic', 'api.anthropic.com')).toEqual(carefulMediaLimits);
  expect(limitsOf('claude-opus-4-6', 'anthropic', 'api.anthropic.com', 100_000)).toEqual(carefulMediaLimits);
  for (const provider of ['openai-chat', 'openai-responses'] as const)
    expect(limitsOf('gpt-5', provider, 'api.openai.com')).toEqual({ ...carefulMediaLimits, count: 500 });
  expect(limitsOf('claude-opus-4-6', 'anthropic', 'gateway.example')).toEqual(carefulMediaLimits);
  expect(limitsOf('gpt-5', 'openai-chat', '127.0.0.1:8080')).toEqual(carefulMediaLimits);
});
