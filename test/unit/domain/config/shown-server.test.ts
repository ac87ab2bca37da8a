import { expect, test } from 'vitest';
import { shownServer, shownTarget } from '../../../../src/domain/config/shown-server.ts';

const KEY = 'Heron-4711-Leaf';
const variable = (name: string): string => `$\{${name}}`;

test('a server is shown with the names of what it gets and none of the values', () => {
  const shown = shownServer({
    command: 'npx',
    args: ['server', '--api-key', KEY, `--token=${KEY}`, '--port', '8080', `postgres://app:${KEY}@db/x`],
    env: { PLAIN: KEY, TAKEN: variable('GITHUB_TOKEN'), WITH_DEFAULT: variable(`X:-${KEY}`) },
    headers: { Authorization: `Bearer ${KEY}`, 'X-Key': variable('KEY') },
    url: `https://${KEY}@example.com/mcp?token=${KEY}`,
    oauth: { clientId: 'app', clientSecret: KEY },
  });
  expect(JSON.stringify(shown)).not.toContain('4711');
  expect(shown).toMatchObject({
    args: ['server', '--api-key', '…', '--token=[redacted value]', '--port', '8080', 'postgres://app:[redacted password]@db/x'],
    env: { PLAIN: '…', TAKEN: variable('GITHUB_TOKEN'), WITH_DEFAULT: '…' },
    headers: { Authorization: '…', 'X-Key': variable('KEY') },
    oauth: { clientId: 'app', clientSecret: '…' },
  });
});

test('where it is or what it runs is shown without them too', () => {
  expect(shownTarget({ command: 'npx', args: ['server', '--api-key', KEY] })).toBe('npx server --api-key …');
  expect(shownTarget({ url: `https://me:${KEY}@example.com/mcp` })).toBe('https://…@example.com/mcp');
  expect(shownTarget({ url: 'https://example.com/mcp' })).toBe('https://example.com/mcp');
});
