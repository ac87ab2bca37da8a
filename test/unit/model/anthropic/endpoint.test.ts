import { expect, test } from 'vitest';
import { anthropicEndpoint } from '../../../../src/model/http/choose-endpoint.ts';
import { modelConfig } from '../../../support/model-rig.ts';

const choose = (env: Readonly<Record<string, string>>, more: Partial<typeof modelConfig> = {}) =>
  anthropicEndpoint(env, { ...modelConfig, ...more });

test('the environment wins over the configuration, a key over a token', () => {
  const config = { baseUrl: 'http://config.example', apiKey: 'from-config' };
  expect(choose({}, config)).toMatchObject({ host: 'config.example', key: { value: 'from-config', from: 'model.apiKey' } });
  const env = { ANTHROPIC_BASE_URL: 'http://env.example:8080', ANTHROPIC_AUTH_TOKEN: 't', ANTHROPIC_API_KEY: 'k' };
  expect(choose(env, config)).toMatchObject({ host: 'env.example:8080', key: { kind: 'api_key', value: 'k', from: 'ANTHROPIC_API_KEY' } });
  expect(choose({ ...env, ANTHROPIC_API_KEY: '' }, config)).toMatchObject({ key: { kind: 'token', value: 't' } });
});

test.each([
  ['https://api.anthropic.com', true],
  ['https://api.anthropic.com/v1/messages', true],
  ['https://gateway.example/anthropic/v1/', false],
])('the address %s is used without the path that is added', (address, official) => {
  const { baseUrl, official: found } = choose({ ANTHROPIC_BASE_URL: address, ANTHROPIC_API_KEY: 'k' });
  expect(baseUrl).toBe(address.replace(/\/v1.*$/, ''));
  expect(found).toBe(official);
});

test('an address that is none is told with the setting that holds it', () => {
  expect(() => choose({ ANTHROPIC_BASE_URL: 'localhost:8080' })).toThrow('ANTHROPIC_BASE_URL is not an http(s) address: localhost:8080');
});

test('a key with a line break is told, and not printed', () => {
  expect(() => choose({ ANTHROPIC_API_KEY: 'sk-1\nsk-2' })).toThrow('ANTHROPIC_API_KEY contains characters that no key has.');
  expect(choose({ ANTHROPIC_API_KEY: ' sk-1\n' })).toMatchObject({ key: { value: 'sk-1' } });
});
