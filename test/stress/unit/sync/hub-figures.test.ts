import { afterAll, describe, expect, test } from 'vitest';
import { encodeRecord } from '../../../../src/store/files/record-line.ts';
import { initHub, withHub } from '../../../../src/sync/postgres/postgres.ts';
import { hashBytes, placeOf, replacing, type Segment } from '../../../../src/sync/segment.ts';
import { fenceOf } from '../../../contract/sync-target.ts';
import { PG_PASSWORD, startPostgres } from '../../../support/postgres-server.ts';

const server = await startPostgres();
afterAll(server.stop);
const env = { PGPASSWORD: PG_PASSWORD };

const lines = (...records: readonly object[]): Buffer => Buffer.concat(records.map(encodeRecord));
const segment = (chain: string, bytes: Buffer, objects: readonly string[] = []): Segment => ({
  ...{ chain, seq: 1, previous: null, writer: 'w-1', first: 1, last: 1 },
  ...{ bytes, objects },
});
const header = { type: 'header', n: 0, at: '2026-05-01T10:00:00.000Z', cwd: '/work\0/\ud800shop', model: 'sonnet' };
const message = (n: number) => ({ type: 'message', n, at: `2026-05-01T10:0${n}:00.000Z`, message: {} });
const usage = { inputTokens: 100, cacheReadTokens: 20, cacheWriteTokens: 3, outputTokens: 10 };
const event = (at: string, fields: object) => ({ v: 1, at, sessionId: 's1', ...fields });
const compacted = { type: 'compacted', snapshotId: 's1-snap', trigger: 'auto', method: 'model', tokensBefore: 900, tokensAfter: 90 };
const told = lines(
  { type: 'audit', session: 's1', writer: 'w-1' },
  event('2026-05-01T10:01:00.000Z', { type: 'reply', usage, costUsd: 0.25 }),
  event('2026-05-01T23:59:59.000Z', { type: 'helper_step', usage }),
  event('2026-05-02T00:00:01.000Z', { ...compacted, usage, costUsd: 0.5 }),
  event('2026-05-02T00:00:02.000Z', { type: 'turn_ended', usage, costUsd: 9 }),
  event('no time', { type: 'reply', usage, costUsd: 9 }),
);
const [body, snapshot] = [Buffer.from('a result'), Buffer.from('a snapshot')].map((bytes) => [hashBytes(bytes), bytes] as const) as [
  readonly [string, Buffer],
  readonly [string, Buffer],
];

async function hubOf() {
  const at = await server.database();
  await initHub(at('postgres'), ['alice', 'mallory'], { env });
  const send = (...segments: readonly Segment[]) =>
    withHub(at('alice'), { env }, async ({ target }) => {
      for (const each of segments) await target.append(each, await fenceOf(target, each.chain));
    });
  const sql = async (text: string, role = 'postgres') => (await server.admin(at(role), (client) => client.query(text))).rows;
  return { at, send, sql };
}

const SUMS = { requests: '2', unpriced: '1', input_tokens: '200', cache_read_tokens: '40', cache_write_tokens: '6', output_tokens: '20' };

describe.skipIf(server.missing !== undefined)(`what a hub tells (${server.missing ?? 'with a server'})`, async () => {
  if (server.missing === undefined) for (const name of ['alice', 'mallory', 'viewer']) await server.role(name);
  const log = segment('s1', lines(header, message(1), message(2), { type: 'title', title: 'nightly', n: 3 }), [body[0]]);

  test('views tell sessions, what each day cost, and compactions, of the own role alone, and follow a purge', async () => {
    const { at, send, sql } = await hubOf();
    await send(log, segment('~s1~w-1', told), segment('~w-1', lines({ type: 'memory', n: 1 })));
    const sessions = await sql('select * from sanbot.session_list', 'alice');
    expect(sessions).toEqual([
      expect.objectContaining({ session: 's1', name: 'nightly', cwd: '/work/\ufffdshop', model: 'sonnet', messages: '2', machine: 'w-1' }),
    ]);
    expect(sessions[0]).toMatchObject({ began: new Date(header.at), written: new Date(message(2).at), open_on: null, owner: 'alice' });
    expect(await sql('select day::text, requests, unpriced, usd::float8, input_tokens from sanbot.cost order by day', 'alice')).toEqual([
      { day: '2026-05-01', requests: SUMS.requests, unpriced: SUMS.unpriced, usd: 0.25, input_tokens: SUMS.input_tokens },
      { day: '2026-05-02', requests: '1', unpriced: '0', usd: 0.5, input_tokens: '100' },
    ]);
    expect(
      await sql('select session, machine, trigger, method, tokens_before, tokens_after, snapshot from sanbot.compactions', 'alice'),
    ).toEqual([
      { session: 's1', machine: 'w-1', trigger: 'auto', method: 'model', tokens_before: '900', tokens_after: '90', snapshot: 's1-snap' },
    ]);
    await withHub(at('alice'), { env }, async (hub) => {
      expect(await hub.sessions()).toEqual([
        expect.objectContaining({ session: 's1', requests: 3, unpriced: 1, usd: 0.75, compactions: 1 }),
      ]);
      expect(await hub.compactions('s1')).toEqual([expect.objectContaining({ tokens_before: 900, usd: 0.5 })]);
    });
    // Whoever is let to the views is not let to the rows; others see their own, and a superuser all.
    for (const view of ['session_list', 'told_once', 'cost', 'compactions']) {
      expect(await sql(`select * from sanbot.${view}`, 'mallory'), view).toEqual([]);
      expect((await sql(`select * from sanbot.${view}`)).length, view).toBeGreaterThan(0);
      await sql(`grant usage on schema sanbot to viewer; grant select on sanbot.${view} to viewer`);
      await expect(sql(`select * from sanbot.${view}`, 'viewer'), view).rejects.toMatchObject({ code: '42501' });
      await expect(sql(`alter view sanbot.${view} set (security_invoker = false)`, 'mallory')).rejects.toMatchObject({ code: '42501' });
      await expect(sql(`create or replace view sanbot.${view} as select 1`, 'mallory')).rejects.toMatchObject({ code: '42501' });
    }
    await expect(
      sql(`insert into sanbot.events (owner, chain, hash, replaced, type, at) values ('alice', 's1', 'x', '', 'cost', now())`, 'mallory'),
    ).rejects.toThrow();
    await withHub(at('alice'), { env }, async ({ target }) => {
      const purged = replacing(log, lines({ ...header, cwd: '/work/[purged]' }, message(1)), []);
      await target.replace(purged, { ...placeOf(log), seq: 1, previous: '' });
      const audit = segment('~s1~w-1', told);
      await target.replace(replacing(audit, Buffer.alloc(0), []), { ...placeOf(audit), seq: 1, previous: '' });
    });
    expect(await sql('select cwd, messages from sanbot.session_list', 'alice')).toEqual([{ cwd: '/work/[purged]', messages: '1' }]);
    expect(await sql('select 1 from sanbot.events')).toEqual([]);
  });

  test('a hub of the schema before tells the same once its member was there again', async () => {
    const { at, send, sql } = await hubOf();
    await send(log, segment('~s1~w-1', told));
    const before = [await sql('select * from sanbot.session_list'), await sql('select * from sanbot.cost order by day')];
    await sql(`drop view sanbot.compactions, sanbot.cost, sanbot.told_once, sanbot.session_list; drop table sanbot.events;
      alter table sanbot.segments drop bytes, drop told, drop objects, drop writer, drop cwd, drop model, drop messages, drop first_at, drop last_at;
      drop index sanbot.segments_owner_previous_idx; alter table sanbot.objects drop put, alter file set not null;
      alter table sanbot.sessions drop retired; update sanbot.hub set version = 2`);
    // Nobody has to be let in again.
    expect(await initHub(at('postgres'), [], { env })).toBe(4);
    expect(await sql('select * from sanbot.cost')).toEqual([]);
    await withHub(at('alice'), { env }, ({ enter }) => enter('w-1'));
    expect([await sql('select * from sanbot.session_list'), await sql('select * from sanbot.cost order by day')]).toEqual(before);
  });

  test('keeps what is young, open, purged or gone on from, and takes results and snapshots before logs, the oldest first', async () => {
    const { at, send, sql } = await hubOf();
    const noise = (name: string): Buffer =>
      Buffer.from(Array.from({ length: 9_000 }, (_, i) => hashBytes(Buffer.from(`${name}${i}`))).join(''));
    const objects = ['old', 'mid', 'new', 'both'].map((name) => [hashBytes(noise(name)), noise(name)] as const);
    const [old, mid, fresh, both] = objects.map(([sha256]) => sha256) as [string, string, string, string];
    const of = (chain: string, ...names: readonly string[]) => segment(chain, lines(header, { chain }), names);
    await withHub(at('alice'), { env }, async ({ target }) => {
      for (const [sha256, bytes] of objects) await target.put(sha256, bytes);
      await target.put(...snapshot);
    });
    const base = of('base');
    const fork: Segment = { ...of('base-12345678'), seq: 2, previous: placeOf(base) };
    await send(
      of('old', old, both),
      segment('~old~w-1', lines({ session: 'old' }), [snapshot[0]]),
      of('mid', mid),
      of('new', fresh, both),
      base,
      fork,
    );
    await send(segment('~w-1', lines({ type: 'memory', n: 1 })));
    const age = (chain: string, days: number) =>
      sql(`update sanbot.sessions set written = now() - interval '${days} days' where chain like '%${chain}%'`);
    for (const [chain, days] of [
      ['old', 90],
      ['mid', 40],
      ['base', 400],
    ] as const)
      await age(chain, days);
    await sql(`update sanbot.sessions set written = now() where chain = 'base-12345678'`);
    await sql(`update sanbot.objects set put = now() - interval '2 days'`);
    const left = async () => (await sql('select sha256 from sanbot.objects where file is not null')).map(({ sha256 }) => sha256).sort();
    const chains = async () => (await sql(`select chain from sanbot.segments`)).map(({ chain }) => chain).sort();
    const all = await chains();
    const retain = (rules: object) => withHub(at('alice'), { env }, (hub) => hub.retain({ isTried: false, ...rules }));
    expect(await retain({ days: 30, isTried: true })).toMatchObject({ objects: 3, sessions: 0 });
    // Somebody has it open.
    await sql(`update sanbot.sessions set lease_until = now() + interval '1 hour', holder = 'x' where chain = 'mid'`);
    expect(await retain({ days: 30 })).toMatchObject({ objects: 2, sessions: 0 });
    expect(await left()).toEqual([mid, fresh, both].sort());
    expect(await chains()).toEqual(all);
    await withHub(at('alice'), { env }, async ({ target }) => {
      expect([await target.retention?.gone(old), await target.retention?.gone(mid), await target.retention?.gone('0'.repeat(64))]).toEqual([
        true,
        false,
        false,
      ]);
      expect(await target.get(old)).toBeUndefined();
    });
    // 400 days, but a fork goes on from it; it is not a log that another's rows can free.
    expect(await retain({ logDays: 60 })).toMatchObject({ sessions: 1 });
    expect(await chains()).toEqual(all.filter((chain) => !chain.includes('old')));
    await withHub(at('alice'), { env }, async ({ target, find }) => {
      expect([...((await target.retention?.retired()) ?? [])].sort()).toEqual(['old', '~old~w-1']);
      expect(await find({ part: 'old' })).toBeUndefined();
      // It goes on where a home has it.
      expect(await target.append(of('old', old), await fenceOf(target, 'old'))).toEqual({ kind: 'appended' });
      await target.put(old, noise('old'));
      expect(await target.get(old)).toEqual(noise('old'));
      expect([...((await target.retention?.retired()) ?? [])]).toEqual(['~old~w-1']);
    });
    await sql('update sanbot.sessions set lease_until = null');
    await sql(`update sanbot.objects set put = now() - interval '2 days'`);
    await age('old', 90);
    // So much that two results have to go, and no log.
    const { size } = await withHub(at('alice'), { env }, async (hub) => ({ size: (await hub.size()).bytes }));
    expect(await retain({ maxBytes: size - 400_000 })).toMatchObject({ sessions: 0 });
    expect(await left()).toEqual([fresh, both].sort());
    expect(await retain({ maxBytes: 1 })).toMatchObject({ objects: 2, sessions: 4 });
    // The fork went, and what it went on from goes the next time; memories stay.
    expect(await chains()).toEqual(['base', '~w-1']);
    expect(await retain({ maxBytes: 1 })).toMatchObject({ sessions: 1 });
    expect(await chains()).toEqual(['~w-1']);
    // One at a time, and nobody's but the own.
    await server.admin(at('alice'), async (client) => {
      await client.query("begin; select pg_advisory_xact_lock(hashtextextended('alice', 7266837302340))");
      expect(await retain({ maxBytes: 1 })).toBeUndefined();
    });
    await send(of('again'));
    await withHub(at('mallory'), { env }, async (hub) =>
      expect(await hub.retain({ maxBytes: 1, isTried: false })).toEqual({ objects: 0, sessions: 0, bytes: 0 }),
    );
    expect(await chains()).toContain('again');
  });
});
