import { expect, test } from 'vitest';
import { factsFor } from '../../../../src/model/catalog.ts';
import { chatRequestBody } from '../../../../src/model/openai-chat/openai-chat.ts';
import { createTraits } from '../../../../src/model/openai-chat/traits.ts';
import { asks, modelConfig, requestOf } from '../../../support/model-rig.ts';

const keyAt = (host: string, more: Parameters<typeof requestOf>[1] = {}): string | undefined => {
  const request = requestOf([asks('hi')], more);
  const endpoint = { baseUrl: `https://${host}/v1`, host, key: { kind: 'none' }, api: '', addressSettings: '' } as const;
  const traits = createTraits({ endpoint: () => endpoint, warn: () => undefined }).of(request);
  return chatRequestBody(request, { facts: factsFor('x', modelConfig, 'openai-chat'), traits }).prompt_cache_key;
};

test('OpenAI itself is told where the prefix of a session is kept, and no other server is', () => {
  const key = keyAt('api.openai.com');
  expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(keyAt('api.openai.com', { messages: [asks('something else')] })).toBe(key);
  expect(keyAt('api.openai.com', { system: ['Another prompt.'] })).not.toBe(key);
  expect(keyAt('api.openai.com', { purpose: 'summary', tools: [] })).toBeUndefined();
  expect(keyAt('127.0.0.1:8080')).toBeUndefined();
});
