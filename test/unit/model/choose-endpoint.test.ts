import { expect, test } from 'vitest';
import { convertHistory } from '../../../src/model/convert-history.ts';
import { openaiEndpoint } from '../../../src/model/http/choose-endpoint.ts';
import { modelConfig } from '../../support/model-rig.ts';

const choose = (env: Readonly<Record<string, string>>, more: object = {}) => openaiEndpoint(env, { ...modelConfig, ...more }, 'API');
const KEY = { OPENAI_API_KEY: 'sk-openai' };

test("OpenAI's key goes to OpenAI and to the address beside it, and to no other", () => {
  expect(choose(KEY)).toMatchObject({ host: 'api.openai.com', key: { value: 'sk-openai' } });
  expect(choose({ ...KEY, OPENAI_BASE_URL: 'http://gate.example/v1' })).toMatchObject({
    host: 'gate.example',
    key: { value: 'sk-openai' },
  });
  expect(choose(KEY, { baseUrl: 'http://other.example/v1' }).key).toEqual({ kind: 'none' });
  expect(choose(KEY, { at: 'model.endpoints.x', baseUrl: 'http://other.example/v1' }).key).toEqual({ kind: 'none' });
  expect(choose(KEY, { baseUrl: 'http://other.example/v1', apiKeyEnv: 'OPENAI_API_KEY' })).toMatchObject({ key: { value: 'sk-openai' } });
});

test('a named endpoint has its own address and key, whatever the environment says', () => {
  const env = { ...KEY, OPENAI_BASE_URL: 'http://gate.example/v1', MINE: 'mine' };
  const named = { at: 'model.endpoints.x', baseUrl: 'http://other.example/v1' };
  expect(choose(env, { ...named, apiKeyEnv: 'MINE' })).toMatchObject({ host: 'other.example', key: { value: 'mine', from: 'MINE' } });
  expect(() => choose({}, { ...named, apiKeyEnv: 'MINE' })).toThrow(
    'MINE is not set, and model.endpoints.x.apiKeyEnv says that it holds the key.',
  );
});

test.each([
  ['http://localhost:11434', 'http://localhost:11434/v1'],
  ['http://localhost:1234/v1/', 'http://localhost:1234/v1'],
  ['https://h.example/api/v1/chat/completions', 'https://h.example/api/v1'],
])('the address %s is used as %s', (baseUrl, expected) => {
  expect(choose({}, { baseUrl }).baseUrl).toBe(expected);
});

test('no key for OpenAI itself is told, with what to set', () => {
  expect(() => choose({})).toThrow('No API key is set for api.openai.com.');
});

test('of the replies of another endpoint the words and calls are sent, of its own everything', () => {
  const own = {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'a', field: 'reasoning' },
      { type: 'text', text: 'b' },
    ],
    endpoint: 'x',
  } as const;
  const other = {
    role: 'assistant',
    content: [{ type: 'thinking', thinking: 'c', signature: 's' }, { type: 'text', text: 'd', phase: 'x' }, { type: 'opaque' }],
  } as const;
  const says = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] }) as const;
  const silent = { role: 'assistant', content: [{ type: 'opaque' }] } as const;
  expect(convertHistory([says('1'), own, says('2'), other, says('3'), silent, says('4')], 'x')).toEqual([
    says('1'),
    { role: 'assistant', content: own.content },
    says('2'),
    { role: 'assistant', content: [{ type: 'text', text: 'd' }] },
    { role: 'user', content: [...says('3').content, ...says('4').content] },
  ]);
});
