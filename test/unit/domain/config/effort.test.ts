import { describe, expect, test } from 'vitest';
import { configDefaults } from '../../../../src/domain/config/config-defaults.ts';
import { splitEffort, withEffort } from '../../../../src/domain/config/effort.ts';
import { modelNameText, parseModelName } from '../../../../src/domain/config/endpoint-settings.ts';

describe('the effort at the end of a name', () => {
  test('is one of four words; any other end belongs to the name', () => {
    expect(splitEffort('sonnet:high')).toEqual({ name: 'sonnet', effort: 'high' });
    for (const name of ['qwen3:32b', 'sonnet', ':high', 'a:High', 'a:max-2', 'high'])
      expect(splitEffort(name)).toEqual({ name, effort: undefined });
  });

  test('is replaced or taken away', () => {
    expect([withEffort('m:low', 'max'), withEffort('m', 'low'), withEffort('m:low', undefined)]).toEqual(['m:max', 'm:low', 'm']);
  });

  test('holds for a model at a named endpoint, also where the endpoint alone is named', () => {
    const { baseUrl, apiKey, apiKeyEnv, headers, contextWindow, maxOutputTokens, price } = configDefaults().model;
    const settings = { provider: 'openai-chat' as const, baseUrl, apiKey, apiKeyEnv, headers, contextWindow, maxOutputTokens, price };
    const endpoints = { big: { ...settings, model: 'large:medium' }, small: { ...settings, model: 'tiny' } };
    const full = (name: string): string => modelNameText(parseModelName(name, endpoints));
    expect(['big', 'big:high', 'small:low', 'big/other:max', 'vendor/m:low'].map(full)).toEqual([
      ...['big/large:medium', 'big/large:high', 'small/tiny:low', 'big/other:max', 'vendor/m:low'],
    ]);
  });
});
