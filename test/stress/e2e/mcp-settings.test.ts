import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { callsMcp, modelOf, playedServer, resultsOf, variable, worldWith } from '../../support/mcp.ts';
import type { Sandbox } from '../../support/sanbot.ts';
import { replies } from '../../support/scenario.ts';

const mcpFile = (world: Sandbox, servers: unknown) =>
  writeFileSync(join(world.cwd, '.mcp.json'), typeof servers === 'string' ? servers : JSON.stringify({ mcpServers: servers }));

describe('the servers of a project', () => {
  test('get variables that hold keys only after you have seen that they ask for them [S-16]', async () => {
    const secrets = { DESK_TOKEN: 'desk-4711', PLACE: 'postgres://app:desk-4711@db.example/x', PLAIN: 'a-word' };
    const world = worldWith({});
    mcpFile(world, {
      token: { ...playedServer(), env: { KEY: variable('DESK_TOKEN') } },
      value: { ...playedServer(), env: { KEY: variable('PLACE') } },
      plain: { ...playedServer(), env: { KEY: variable('PLAIN') } },
    });
    const wanted = ['token', 'value', 'plain'].map((name) => callsMcp(`mcp__${name}__echo`, { text: 'x' }));
    const ask = async (...args: readonly string[]) => {
      const { api, env } = await modelOf(world, [...wanted, replies('done')]);
      await world.run(['-p', 'go', '--permission-mode', 'bypass', ...args], { env: { ...env, ...secrets } });
      return resultsOf(api);
    };
    const [token = '', value = '', plain] = await ask('--trust');
    expect(token).toContain('it asks for DESK_TOKEN of your environment, which a project gets only after you have seen that it does');
    expect(value).toContain('it asks for PLACE of your environment');
    expect(plain).toBe('echo: x');
    const added = await world.run(['trust', 'add', '--yes'], { env: secrets });
    expect(added.out + added.err).toContain('(gets your DESK_TOKEN)');
    expect(await ask()).toEqual(['echo: x', 'echo: x', 'echo: x']);
    expect(await ask('--trust')).toEqual(['echo: x', 'echo: x', 'echo: x']);
  });
});
