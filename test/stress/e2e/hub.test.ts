import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { PG_PASSWORD, startPostgres } from '../../support/postgres-server.ts';
import { createSandbox } from '../../support/sanbot.ts';

const server = await startPostgres();
afterAll(server.stop);
const env = { SANBOT_PROVIDER: 'offline', PGPASSWORD: PG_PASSWORD };
const SECRET = 'hunter2-long-secret';
/** The hub hears of nothing by itself: what goes there, the test sends. */
const away = { env: { PGPASSWORD: 'not-it' } };

const filesWith = (folder: string, text: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(folder, name);
    if (!statSync(path).isFile()) return false;
    const bytes = readFileSync(path);
    return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).includes(text);
  });

describe.skipIf(server.missing !== undefined)(`sanbot hub (${server.missing ?? 'with a server'})`, async () => {
  if (server.missing === undefined) for (const name of ['alice', 'bob', 'carol']) await server.role(name);

  test('a session of one home goes on in the other, a purge reaches the hub and the other, and a fork is told', async () => {
    const [a, b, at] = [createSandbox(env), createSandbox(env), await server.database()];
    const address = at('alice');
    expect(await a.run(['hub', 'status'])).toMatchObject({ code: 3, err: expect.stringContaining('No such hub has been joined') });
    const none = await a.run(['hub', 'join', at('postgres')]);
    expect(none).toMatchObject({ code: 9, err: expect.stringMatching(/there is no hub in this database\n.*sanbot hub init ADDRESS/) });
    expect(await a.run(['hub', 'init', at('postgres'), '--member', 'alice', '--member', 'bob'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('is a hub now (schema 4)'),
    });
    for (const home of [a, b]) expect(await home.run(['hub', 'join', address])).toMatchObject({ code: 0, err: '' });
    await a.run(['-p', `remember that I prefer tabs. The password is ${SECRET}`, '--permission-mode', 'bypass'], away);
    const [id = ''] = a.names('sessions');
    expect((await a.run(['sync', '--dry-run'])).out).toMatch(
      /^postgres:\/\/alice@127\.0\.0\.1:\d+\/hub\d+\?sslmode=disable: would send 1 session/,
    );
    expect(JSON.parse((await a.run(['sync', '--json'])).out)).toEqual([
      expect.objectContaining({ folder: address, forks: [], waiting: [] }),
    ]);
    expect((await b.runBinary(['sync'])).out).toMatch(/: received \d+ updates?\n$/);
    expect(b.names('sessions')).toEqual([id]);
    expect((await b.run(['--resume', id, '-p', 'more from b'], away)).code).toBe(0);
    await b.run(['sync']);
    expect((await a.run(['sync'])).out).toMatch(/: received/);
    expect(a.read(`sessions/${id}/log.jsonl`)).toContain('more from b');
    expect((await a.run(['hub', 'status'])).out).toMatch(
      /: last exchange .*; nothing to send\n {2}as alice: 1 session \(.*\) of 2 machines\n {2}open sessions go there within 2 seconds \(hub\.acknowledge: local\)\n$/,
    );
    expect((await a.run(['hub', 'members'])).out).toMatch(/\(this machine\): joined .*, last here .*\n/);
    expect(JSON.parse((await b.run(['hub', 'members', '--json'])).out)).toEqual([
      { folder: address, machines: [expect.objectContaining({ writer: expect.any(String) }), expect.anything()] },
    ]);

    // Both go on without a word of the other.
    await a.run(['--resume', id, '-p', 'only here in a'], away);
    await b.run(['--resume', id, '-p', 'only there in b'], away);
    await a.run(['sync']);
    const told = (await b.run(['sync'])).out;
    expect(told).toMatch(
      new RegExp(`session ${id} went on on .* too \\(from record \\d+.*\\): that state is here as session ${id}-[0-9a-f]{8}`),
    );
    expect(b.names('sessions')).toHaveLength(2);
    expect((await a.run(['sync'])).out).toContain(`session ${id} went on on`);
    expect(a.names('sessions')).toHaveLength(2);

    const purged = await a.run(['purge', '--match', SECRET, '--yes']);
    expect(purged).toMatchObject({ code: 0, out: expect.stringContaining('purged there in') });
    const left = await server.admin(at('postgres'), (client) =>
      client.query<{ file: Buffer }>('select file from sanbot.segments union all select file from sanbot.objects'),
    );
    expect(left.rows.length).toBeGreaterThan(3);
    expect(left.rows.filter(({ file }) => gunzipSync(file).includes(SECRET))).toEqual([]);
    expect((await b.run(['sync'], { env: { SANBOT_LANGUAGE: 'zh' } })).out).toContain('已在这里清除其他机器清除过的内容');
    for (const home of [a, b]) expect(filesWith(home.home, SECRET)).toEqual([]);

    // Another member has nothing of it.
    const c = createSandbox({ SANBOT_PROVIDER: 'offline' });
    writeFileSync(join(c.home, '..', '.pgpass'), `127.0.0.1:*:*:bob:${PG_PASSWORD}\n`, { mode: 0o600 });
    expect(await c.runBinary(['hub', 'join', at('bob')])).toMatchObject({ code: 0, err: '' });
    expect((await c.runBinary(['sync'])).out).toMatch(/: nothing new\n$/);
    expect(c.names('sessions')).toEqual([]);
    expect((await c.runBinary(['hub', 'status'])).out).toContain('as bob: 0 sessions');

    expect(await b.run(['hub', 'leave'])).toMatchObject({ code: 0, err: '', out: expect.stringContaining('No longer exchanging') });
    expect((await a.run(['hub', 'status'])).out).toContain('of 1 machine\n');
    expect(await b.run(['hub', 'leave'])).toMatchObject({ code: 3 });
    const joined = await b.run(['sync']);
    expect(joined).toMatchObject({ code: 3, err: expect.stringContaining('sanbot hub join ADDRESS') });
  });

  test('bad input is told in one line with a way out, shows no password, and leaves nothing half done', async () => {
    const [home, at] = [createSandbox(env), await server.database()];
    await home.run(['hub', 'init', at('postgres'), '--member', 'alice']);
    const withPassword = at('alice').replace('alice@', 'alice:wr0ng-pw@');
    const refused = async (args: readonly string[], said: RegExp, more: Readonly<Record<string, string>> = {}) => {
      const { code, out, err } = await home.run(args, { env: more });
      expect([args.join(' '), code, out]).toEqual([args.join(' '), args[1] === 'add' || args[1] === 'remove' ? 2 : 9, '']);
      expect(err).toMatch(said);
      expect(err.trimEnd().split('\n').length, err).toBeLessThanOrEqual(3);
      expect(err).not.toContain('wr0ng-pw');
      expect(home.names('sync').filter((name) => name.startsWith('targets'))).toEqual([]);
    };
    const closed = at('alice').replace(/:\d+\//, ':1/');
    for (const command of ['join', 'init']) {
      await refused(['hub', command, withPassword], /the server does not let this role in .*\n.*PGPASSWORD/s, { PGPASSWORD: '' });
      await refused(['hub', command, closed], /no server answers .*\n.*address/s);
      await refused(['hub', command, 'not-an-address:wr0ng-pw'], /this is no address of a hub/);
      await refused(['hub', command, at('alice', '?sslmode=require')], /this is no address of a hub/);
      await refused(['hub', command, at('alice', '')], /the server offers no TLS.*\n.*sslmode=disable/s);
      await refused(['hub', command, at('alice').replace(/\/hub\d+/, '/no_such')], /no such database/);
    }
    await refused(['hub', 'join', withPassword], /服务器拒绝此角色登录/, { PGPASSWORD: '', SANBOT_LANGUAGE: 'zh' });
    await refused(['hub', 'join', at('carol')], /no rights .*\n.*--member ROLE/s);
    await refused(['hub', 'init', at('carol'), '--member', 'carol'], /no rights/);
    await refused(['sync', 'add', withPassword], /address of a hub/);
    await refused(['sync', 'remove', withPassword], /address of a hub/);
    await server.admin(at('postgres'), (client) => client.query('update sanbot.hub set version = 7'));
    await refused(['hub', 'join', at('alice')], /a newer SanBot made it \(schema 7\)\n.*Update this SanBot/s);
    await refused(['hub', 'init', at('postgres')], /a newer SanBot made it/);
    await refused(['hub', 'join', at('alice')], /更新版本的 SanBot/, { SANBOT_LANGUAGE: 'zh' });
    await server.admin(at('postgres'), (client) => client.query('update sanbot.hub set version = 1'));
    await refused(['hub', 'join', at('alice')], /an older SanBot made it \(schema 1\)\n.*Upgrade it with sanbot hub init/s);
    await refused(['hub', 'join', at('alice')], /较早版本的 SanBot/, { SANBOT_LANGUAGE: 'zh' });
    await server.admin(at('postgres'), (client) => client.query('update sanbot.hub set version = 4'));

    // A password in the address is kept in the home alone, and shown nowhere.
    const own = at('alice').replace('alice@', `alice:${PG_PASSWORD}@`);
    const shown = [await home.run(['hub', 'join', own], { env: { PGPASSWORD: '' } })];
    writeFileSync(join(home.cwd, '.sanbot.json'), '{}');
    for (const args of [
      ['sync'],
      ['sync', 'status'],
      ['hub', 'status'],
      ['hub', 'members'],
      ['sync', 'status', '--json'],
      ['hub', 'status', '--json'],
      ['doctor', '--no-endpoint'],
    ])
      shown.push(await home.run(args, { env: { PGPASSWORD: '' } }));
    expect(shown.slice(0, -1).map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(JSON.stringify(shown)).not.toContain(PG_PASSWORD);
    expect(filesWith(home.home, PG_PASSWORD)).toEqual([join('sync', 'targets.json')]);
    expect(statSync(join(home.home, 'sync', 'targets.json')).mode & 0o077).toBe(0);

    // A hub that was made anew is not taken for an empty one.
    await home.run(['-p', 'hello'], away);
    await server.admin(at('postgres'), (client) => client.query('drop schema sanbot cascade'));
    await home.run(['hub', 'init', at('postgres'), '--member', 'alice']);
    expect(await home.run(['sync'])).toMatchObject({ code: 9, err: expect.stringContaining('this is not the hub that was joined') });
    expect(home.names('sessions')).toHaveLength(1);
    expect(home.read('sync/failed')).toContain('this is not the hub that was joined');
    await server.admin(at('postgres'), (client) => client.query('drop schema sanbot cascade'));
    const left = await home.run(['hub', 'leave']);
    expect(left).toMatchObject({ code: 0, err: expect.stringContaining('still lists this machine') });
    expect(await home.run(['hub', 'leave'])).toMatchObject({ code: 3 });
  });
});
