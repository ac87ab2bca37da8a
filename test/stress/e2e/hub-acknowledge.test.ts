import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { afterThisTest } from '../../support/clean-up.ts';
import { PG_PASSWORD, startPostgres } from '../../support/postgres-server.ts';
import { createSandbox, type Sandbox } from '../../support/sanbot.ts';
import { talking } from '../../support/talking.ts';

const server = await startPostgres();
afterAll(server.stop);
const env = { SANBOT_PROVIDER: 'offline', PGPASSWORD: PG_PASSWORD };

const acknowledge = ({ home }: Sandbox, value: string): void => {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'config.json'), JSON.stringify({ hub: { acknowledge: value } }), { mode: 0o600 });
};

describe.skipIf(server.missing !== undefined)(`what a hub acknowledges (${server.missing ?? 'with a server'})`, async () => {
  if (server.missing === undefined) await server.role('alice');

  const newHub = async () => {
    const at = await server.database();
    await createSandbox(env).run(['hub', 'init', at('postgres'), '--member', 'alice']);
    await server.admin(at('postgres'), (client) => client.query("update sanbot.hub set lease = '1 second'"));
    return at;
  };

  test('outlives a kill and the disk, to the last word that was told, as often as it happens', async () => {
    const at = await newHub();
    const said: string[] = [];
    let id: string | undefined;
    for (let round = 0; round < 4; round++) {
      const runner = createSandbox({ ...env, SANBOT_HUB: at('alice') });
      acknowledge(runner, 'hub');
      const talk = talking(runner, id === undefined ? [] : ['--resume', id, '--wait', '60']);
      for (let turn = 0; turn <= round; turn++) {
        const text = `remember that number ${round}-${turn} counts`;
        await talk.say(text);
        said.push(text);
      }
      talk.kill('SIGKILL');
      id = runner.names('sessions')[0];
      rmSync(runner.home, { recursive: true, force: true });
    }
    const last = createSandbox({ ...env, SANBOT_HUB: at('alice') });
    expect(await last.run(['-p', 'what counts?', '--resume', id ?? '', '--wait', '60'])).toMatchObject({ code: 0 });
    expect(last.names('sessions')).toEqual([id]);
    const log = last.read(`sessions/${id}/log.jsonl`);
    expect(said.filter((text) => !log.includes(text))).toEqual([]);
    // Each with its answer.
    const replies = last.records(`sessions/${id}/log.jsonl`).filter(({ message }) => Object(message).role === 'assistant');
    expect(replies.length).toBeGreaterThan(said.length);
  });

  test('is missed in time where the server is gone: the turn fails, what was said is on disk, and goes there with the next', async () => {
    const at = await newHub();
    const home = createSandbox(env);
    acknowledge(home, 'hub');
    await home.run(['hub', 'join', at('alice')]);
    expect((await home.run(['hub', 'status'])).out).toContain('(hub.acknowledge: hub)');
    const targets = join(home.home, 'sync', 'targets.json');
    const joined = readFileSync(targets, 'utf8');
    writeFileSync(targets, joined.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:1'), { mode: 0o600 });
    expect(await home.run(['-p', 'nobody hears this'])).toMatchObject({ code: 9, err: expect.stringContaining('no server answers') });
    const [id = ''] = home.names('sessions');
    expect(home.read(`sessions/${id}/log.jsonl`)).toContain('nobody hears this');
    writeFileSync(targets, joined, { mode: 0o600 });
    expect(await home.run(['-p', 'and now', '--resume', id])).toMatchObject({ code: 0 });
    const other = createSandbox({ ...env, SANBOT_HUB: at('alice') });
    expect(await other.run(['-p', 'more', '--resume', id])).toMatchObject({ code: 0 });
    expect(other.read(`sessions/${id}/log.jsonl`)).toContain('nobody hears this');
  });

  test('keeps no turn by default: one ends while the server has not answered since it was asked', async () => {
    const at = await newHub();
    const home = createSandbox(env);
    await home.run(['hub', 'join', at('alice')]);
    let calls = 0;
    const deaf = createServer(() => {
      calls += 1;
    }).listen(0, '127.0.0.1');
    afterThisTest(() => void deaf.close());
    await new Promise((resolve) => deaf.once('listening', resolve));
    const address = deaf.address();
    const targets = join(home.home, 'sync', 'targets.json');
    const port = typeof address === 'object' ? address?.port : 0;
    writeFileSync(targets, readFileSync(targets, 'utf8').replaceAll(/127\.0\.0\.1:\d+/g, `127.0.0.1:${port}`), { mode: 0o600 });
    const talk = talking(home, []);
    await talk.say('the first');
    await expect.poll(() => calls).toBe(1);
    for (const text of ['the second', 'the third']) await talk.say(text);
    // Nobody gave up waiting meanwhile, and asked again.
    expect(calls).toBe(1);
    await talk.end();
  });
});
