import { methods } from '@agentclientprotocol/sdk';
import { afterAll, describe, expect, test } from 'vitest';
import { startAcp } from '../../support/acp.ts';
import { PG_PASSWORD, startPostgres } from '../../support/postgres-server.ts';
import { createSandbox } from '../../support/sanbot.ts';

const server = await startPostgres();
afterAll(server.stop);

describe.skipIf(server.missing !== undefined)(`an editor's session (${server.missing ?? 'with a server'})`, async () => {
  if (server.missing === undefined) await server.role('alice');

  test("goes to the hub while it is open, and is nobody's once it is closed", async () => {
    const [world, at] = [createSandbox({ SANBOT_PROVIDER: 'offline', PGPASSWORD: PG_PASSWORD }), await server.database()];
    await world.run(['hub', 'init', at('postgres'), '--member', 'alice']);
    await world.run(['hub', 'join', at('alice')]);
    const { agent } = await startAcp({ world, env: {} });
    const { sessionId } = await agent.request(methods.agent.session.new, { cwd: world.cwd, mcpServers: [] });
    await agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text: 'hello from the editor' }] });
    const sessions = async () =>
      (await server.admin(at('alice'), (client) => client.query('select session, messages::int, open_on from sanbot.session_list'))).rows;
    await expect.poll(sessions, { timeout: 100_000 }).toEqual([{ session: sessionId, messages: 2, open_on: expect.any(String) }]);
    await agent.request(methods.agent.session.close, { sessionId });
    expect(await sessions()).toEqual([{ session: sessionId, messages: 2, open_on: null }]);
  });
});
