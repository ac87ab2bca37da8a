import { expect, test } from 'vitest';
import { afterThisTest } from '../../support/clean-up.ts';
import { startFakeApi } from '../../support/fake-api.ts';
import { createSandbox } from '../../support/sanbot.ts';
import { replies, type Step } from '../../support/scenario.ts';

async function playing(...steps: readonly Step[]) {
  const world = createSandbox();
  const api = await startFakeApi(steps, { home: world.home, key: 'test-key' });
  afterThisTest(() => api.close());
  const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5' };
  return { api, run: (args: readonly string[], stdin = '') => world.run(args, { env, stdin }) };
}

const asking = (schema: object) => ['-p', 'name it', '--output-format', 'json', '--json-schema', JSON.stringify(schema)];

test('a pattern of --json-schema that takes for ever is told, and the next answer is checked', async () => {
  const { run } = await playing(replies(JSON.stringify(`${'a'.repeat(60)}!`)), replies('"aaa"'));
  const ran = await run(asking({ type: 'string', pattern: '^(a+)+$' }));
  expect(JSON.parse(ran.out)).toMatchObject({ structured: 'aaa', steps: 2 });
});

test('an answer of blank lines behind a fence is none, at once', async () => {
  const { run } = await playing(replies(`\`\`\`${'\n'.repeat(60_000)}x`), replies('Two:\n```\n1\n```\nand\n```json\n{"a": "```"}\n```\n'));
  expect(JSON.parse((await run(asking({ type: 'object' }))).out)).toMatchObject({ structured: { a: '```' }, steps: 2 });
});

test.each(['file:///etc/passwd', 'http://127.0.0.1:1/x', '/etc/passwd', 'other.json'])(
  '--json-schema takes nothing from %s',
  async ($ref) => {
    const { run, api } = await playing();
    const ran = await run(['-p', 'x', '--json-schema', JSON.stringify({ $ref })]);
    expect([ran.code, ran.err.split('\n')[0]]).toEqual([2, expect.stringContaining(`$ref points to nothing here: ${$ref}`)]);
    expect(api.requests).toEqual([]);
  },
);

test('a line of --input-format stream-json without an end is told as no message, and is not held', async () => {
  const { run } = await playing();
  const ran = await run(['-p', '--input-format', 'stream-json', '--output-format', 'stream-json'], `{"a":"${'x'.repeat(33 * 1024 * 1024)}`);
  expect(ran.code).toBe(2);
  expect(`${ran.out}${ran.err}`).toContain('Line 1 of stdin is not a stream-json message');
});
