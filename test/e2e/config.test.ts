import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox } from '../support/sanbot.ts';

const show = async (user: object, project: object) => {
  const world = createSandbox();
  mkdirSync(world.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(world.home, 'config.json'), JSON.stringify(user));
  writeFileSync(join(world.cwd, '.sanbot.json'), JSON.stringify(project));
  const json: readonly { readonly key: string }[] = JSON.parse((await world.run(['config', 'show', '--json'])).out);
  return {
    of: (key: string) => json.find((setting) => setting.key === key),
    text: (await world.run(['config', 'show'])).out,
    home: world.home,
  };
};

test('config show marks a number that is only the copied default of 0.1.0, and no other', async () => {
  const { of, text, home } = await show(
    { compaction: { softWindow: 200_000, keepRecentTokens: 12_000, maxToolOutputBytes: 51_200 }, agent: { maxSteps: 200 } },
    {},
  );
  const origin = join(home, 'config.json');
  expect(of('compaction.softWindow')).toEqual({ key: 'compaction.softWindow', value: 200_000, origin, presentDefault: 100_000 });
  expect(of('compaction.maxToolOutputBytes')).toMatchObject({ value: 51_200, presentDefault: null });
  expect(of('agent.maxSteps')).toMatchObject({ value: 200, presentDefault: null });
  expect(of('compaction.keepRecentTokens')).toEqual({ key: 'compaction.keepRecentTokens', value: 12_000, origin });
  expect(of('offload.maxToolResultChars')).toEqual({ key: 'offload.maxToolResultChars', value: null, origin: 'default' });
  expect(text.match(/ default of 0\.1\.0 \(now (?:100000|null)\)/g)).toHaveLength(3);
});

test('the preset "roomy" is no copied default', async () => {
  const { of } = await show({ compaction: { preset: 'roomy' } }, {});
  expect(of('compaction.softWindow')).toEqual({ key: 'compaction.softWindow', value: 200_000, origin: 'preset roomy' });
});

test('a key that is set while the settings say offline is told of, and not where the environment says offline too', async () => {
  const world = createSandbox({ ANTHROPIC_API_KEY: 'sk-never-sent' });
  mkdirSync(world.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(world.home, 'config.json'), JSON.stringify({ model: { provider: 'offline' } }));
  const told = await world.run(['-p', 'status']);
  expect([told.code, told.err]).toEqual([0, expect.stringMatching(/ANTHROPIC_API_KEY is set and not used: \S+config\.json says offline/)]);
  const token = { env: { ANTHROPIC_API_KEY: '', ANTHROPIC_AUTH_TOKEN: 'never-sent-either' } };
  expect((await world.run(['-p', 'status'], token)).err).toContain('ANTHROPIC_AUTH_TOKEN is set and not used');
  expect((await world.run(['-p', 'status'], { env: { SANBOT_PROVIDER: 'offline' } })).err).not.toContain('ANTHROPIC_API_KEY');
});

test('no credential is shown of a server, an endpoint, a hook or an address, and what it is called is', async () => {
  const key = 'Heron-4711-Leaf';
  const { of, text } = await show(
    {
      model: { baseUrl: `https://me:${key}@example.com`, headers: { 'x-team': key } },
      mcpServers: {
        desk: { command: 'desk', args: ['--api-key', key], env: { DESK_TOKEN: key } },
        far: { url: `https://me:${key}@example.com/mcp`, headers: { Authorization: `Bearer ${key}` } },
      },
      hooks: { SessionStart: [{ command: `curl -u me:${key} https://example.com` }] },
    },
    {},
  );
  const shown = JSON.stringify([of('mcpServers.desk'), of('mcpServers.far'), of('model.baseUrl'), of('hooks.SessionStart')]);
  for (const name of ['DESK_TOKEN', '--api-key', 'Authorization', 'example.com', 'curl -u me:']) expect(shown).toContain(name);
  expect(`${shown}${text}`).not.toContain('4711');
});
