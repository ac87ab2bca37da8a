import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { encodeRecord } from '../../../src/store/files/record-line.ts';
import { contextOf, user } from '../../support/build.ts';
import { PG_PASSWORD, startPostgres } from '../../support/postgres-server.ts';
import { createSandbox } from '../../support/sanbot.ts';
import { talking } from '../../support/talking.ts';
import { said } from '../../unit/store/files/world.ts';

/** No word but how long it took. */
const quiet = expect.stringMatching(/^[^\n]* · 1 step\n$/);

const server = await startPostgres();
afterAll(server.stop);

describe.skipIf(server.missing !== undefined)(`a run that names its hub (${server.missing ?? 'with a server'})`, async () => {
  if (server.missing === undefined) await server.role('alice');

  /** Each with a home and a folder of its own, both empty. */
  const hubWithRunners = async () => {
    const at = await server.database();
    const own = { PGPASSWORD: PG_PASSWORD };
    expect(await createSandbox(own).run(['hub', 'init', at('postgres'), '--member', 'alice'])).toMatchObject({ code: 0 });
    const address = at('alice').replace('@', `:${PG_PASSWORD}@`);
    return Object.assign(() => createSandbox({ SANBOT_PROVIDER: 'offline', SANBOT_HUB: address }), { at });
  };

  test('goes on from an empty home with the session of one whose disk is gone, by its id, a part of it or its name', async () => {
    const runner = await hubWithRunners();
    const first = runner();
    expect(await first.run(['-p', 'begun by the first', '--name', ' nightly\n build '])).toMatchObject({ code: 0, err: quiet });
    const [id = ''] = first.names('sessions');
    expect(first.read(`sessions/${id}/title`)).toBe('nightly build');
    // Other programs of the user may read the home, and no file of it has the password.
    const files = readdirSync(first.home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(PG_PASSWORD))).toEqual([]);
    rmSync(first.home, { recursive: true });
    for (const args of [
      ['--resume', id],
      ['--resume', id.slice(-6)],
      ['--continue', '--name', 'nightly build'],
    ]) {
      const next = runner();
      expect(await next.run(['-p', `said with ${args.join(' ')}`, ...args]), args.join(' ')).toMatchObject({ code: 0, err: quiet });
      expect(next.names('sessions')).toEqual([id]);
      rmSync(join(next.home, 'sync'), { recursive: true });
    }
    const last = runner();
    expect(await last.run(['-p', 'more', '--continue', '--name', 'nightly build'])).toMatchObject({ code: 0 });
    const log = last.read(`sessions/${id}/log.jsonl`);
    for (const said of ['begun by the first', `said with --resume ${id}`, 'said with --continue --name nightly build'])
      expect(log).toContain(said);
    // What it cost is there too, though the disks of those runs are gone.
    const told = await server.admin(runner.at('postgres'), (client) =>
      client.query('select distinct chain from sanbot.segments where starts_with(chain, $1)', [`~${id}~`]),
    );
    expect(told.rows).toHaveLength(5);
    const history = async (...args: readonly string[]) => (await last.run(['history', '--hub', ...args])).out;
    const [{ sessions }] = JSON.parse(await history('--json'));
    expect(sessions).toEqual([expect.objectContaining({ session: id, name: 'nightly build', cwd: first.cwd, open_on: null })]);
    expect(await history()).toMatch(new RegExp(`^postgres://.*\n *id .*\n *${id} .* nightly build\n`));
    expect(await history('--session', id.slice(-6))).toMatch(/\nNo compactions\.\n$/);
    expect(await last.run(['history', '--hub', '--session', 'nowhere'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('no one session nowhere'),
    });
    expect(await last.run(['hub', 'retain'])).toMatchObject({ code: 2, err: expect.stringContaining('--log-days') });
    const retained = await last.run(['hub', 'retain', '--days', '1', '--max-mb', '1', '--dry-run']);
    expect(retained.out).toMatch(/: would remove 0 results and snapshots and the logs of 0 sessions \(0 B\)\n$/);
    expect(await runner().run(['-p', 'x', '--continue', '--name', 'weekly'])).toMatchObject({
      code: 3,
      err: expect.stringMatching(/There is no session named "weekly"\n.*without --continue/),
    });
    expect(await runner().run(['-p', 'x', '--resume', 'nowhere'])).toMatchObject({ code: 3 });
  });

  test('brings of a long session what its context needs, says where that is not enough, and the rest with an exchange', async () => {
    const runner = await hubWithRunners();
    const first = runner();
    await first.run(['-p', 'begun by the first']);
    const [id = ''] = first.names('sessions');
    const log = join(first.home, 'sessions', id, 'log.jsonl');
    const more = [
      ...Array.from({ length: 90 }, (_, i) => said(`message ${i} ${'x'.repeat(20_000)}`)),
      { type: 'checkpoint', reason: 'compaction', context: contextOf([user('what was summed up')]) } as const,
      said('after the checkpoint'),
    ];
    const n = first.records(`sessions/${id}/log.jsonl`).length;
    appendFileSync(log, Buffer.concat(more.map((record, i) => encodeRecord({ ...record, n: n + i, at: '2026-05-01T10:00:00.000Z' }))));
    expect(await first.run(['sync'])).toMatchObject({ code: 0 });
    const next = runner();
    expect(await next.run(['-p', 'goes on', '--resume', id])).toMatchObject({ code: 0, err: quiet });
    const whole = readFileSync(log);
    const part = readFileSync(join(next.home, 'sessions', id, 'log.jsonl'));
    expect([part.length > whole.length, part.includes('message 1 x'), part.includes('after the checkpoint')]).toEqual([true, false, true]);
    const refused = { code: 9, out: '', err: expect.stringMatching(/Only the end of .* is here; the rest is in a hub\n.*sanbot sync/) };
    for (const args of [
      ['export', '--session', id],
      ['purge', '--match', 'begun by the first', '--yes'],
    ])
      expect(await next.run(args)).toMatchObject(refused);
    expect(await next.run(['export', '--session', id], { env: { SANBOT_LANGUAGE: 'zh' } })).toMatchObject({
      err: expect.stringContaining('其余在 hub 中'),
    });
    expect(await next.run(['doctor', '--no-endpoint', '--session', id])).toMatchObject({ code: 0 });
    expect(await next.run(['sync'])).toMatchObject({ code: 0 });
    await first.run(['sync']);
    expect(readFileSync(join(next.home, 'sessions', id, 'log.jsonl')).equals(readFileSync(log))).toBe(true);
    expect(await next.run(['export', '--session', id])).toMatchObject({ code: 0, out: expect.stringContaining('message 1 x') });
    expect([first.names('sessions'), next.names('sessions')]).toEqual([[id], [id]]);
  });

  test('never holds a session that another run holds: it is refused with where and since when, or waits', async () => {
    const runner = await hubWithRunners();
    const [holder, second, third] = [runner(), runner(), runner()];
    const talk = talking(holder, []);
    await talk.say('begun by the holder');
    const [id = ''] = holder.names('sessions');
    await expect.poll(async () => (await second.run(['-p', 'x', '--resume', id])).code, { timeout: 200_000 }).toBe(6);
    expect(second.names('sessions')).toEqual([]);
    const refused = await second.run(['-p', 'refused', '--resume', id, '--wait', '1']);
    expect(refused).toMatchObject({ code: 6, out: '' });
    expect(refused.err).toMatch(new RegExp(`Session ${id} is open on \\S+ since \\S+Z\\n.*--wait SECONDS`));
    const chinese = await second.run(['-p', 'x', '--resume', id], { env: { SANBOT_LANGUAGE: 'zh' } });
    expect(chinese).toMatchObject({ code: 6, err: expect.stringContaining('上打开') });
    // A copy is nobody's.
    expect(await third.run(['-p', 'in a copy', '--resume', id, '--fork'])).toMatchObject({ code: 0 });
    const waiting = second.run(['-p', 'after the wait', '--resume', id, '--wait', '200']);
    await talk.say('the last of the holder');
    await talk.end();
    expect(await waiting).toMatchObject({ code: 0, err: quiet });
    const log = second.read(`sessions/${id}/log.jsonl`);
    for (const said of ['begun by the holder', 'the last of the holder', 'after the wait']) expect(log).toContain(said);
    for (const said of ['refused', 'in a copy']) expect(log).not.toContain(said);
  });

  test('that fails before it goes on keeps its session from nobody', async () => {
    const runner = await hubWithRunners();
    const first = runner();
    await first.run(['-p', 'begun']);
    const [id = ''] = first.names('sessions');
    // Where its own lock stands, nothing can be locked.
    mkdirSync(join(first.home, 'sessions', id, 'lock'));
    const failed = await first.run(['-p', 'x', '--resume', id]);
    expect(failed.code, failed.err).not.toBe(0);
    expect(failed.code, failed.err).not.toBe(6);
    expect(await runner().run(['-p', 'goes on', '--resume', id])).toMatchObject({ code: 0, err: quiet });
  });

  test('does not begin where the hub does not answer', async () => {
    const runner = await hubWithRunners();
    const { run, names } = runner();
    const refused = await run(['-p', 'x'], { env: { SANBOT_HUB: 'postgres://alice@127.0.0.1:1/x?sslmode=disable' } });
    expect(refused).toMatchObject({ code: 9, out: '', err: expect.stringContaining('no server answers') });
    expect(names('sessions')).toEqual([]);
  });
});
