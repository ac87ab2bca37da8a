import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { encodeRecord } from '../../../../src/store/files/record-line.ts';
import { createLeases } from '../../../../src/sync/postgres/leases.ts';
import { initHub, withHub } from '../../../../src/sync/postgres/postgres.ts';
import { createPostgresTarget } from '../../../../src/sync/postgres/postgres-target.ts';
import { hashBytes, hashOfSegment, placeOf, replacedOf, replacing, type Segment } from '../../../../src/sync/segment.ts';
import { fenceOf, namesIn, promisesOfLeases, promisesOfTarget } from '../../../contract/sync-target.ts';
import { clientAt, PG_PASSWORD, startPostgres } from '../../../support/postgres-server.ts';
import { selfSigned } from '../../../support/self-signed.ts';
import { newFolder } from '../../../unit/store/files/world.ts';

const server = await startPostgres();
afterAll(server.stop);
const env = { PGPASSWORD: PG_PASSWORD };
const one: Segment = {
  ...{ chain: 's1', seq: 1, previous: null, writer: 'w-1', first: 1, last: 1, objects: [] },
  bytes: Buffer.from('the secret of alice\n'),
};

/** A hub with two members, neither of which owns it. */
async function hubOf() {
  const at = await server.database();
  await initHub(at('postgres'), ['alice', 'mallory'], { env });
  return at;
}

describe.skipIf(server.missing !== undefined)(`a hub in PostgreSQL (${server.missing ?? 'running'})`, async () => {
  if (server.missing === undefined) for (const name of ['alice', 'mallory', 'stranger']) await server.role(name);
  const clients: Client[] = [];
  afterAll(() => Promise.all(clients.map((client) => client.end())));

  promisesOfTarget('a hub', async () => {
    const client = clientAt((await hubOf())('alice'));
    clients.push(client);
    await client.connect();
    return createPostgresTarget(client, 'w-1');
  });

  promisesOfLeases('sessions that are open at a hub', async () => {
    const at = await hubOf();
    const client = clientAt(at('alice'));
    clients.push(client);
    await client.connect();
    return {
      as: (holder) => ({ target: createPostgresTarget(client, holder), leases: createLeases(client, holder) }),
      // No clock can be moved: what was written down moves the other way.
      pass: async (ms) => {
        await client.query("update sanbot.sessions set lease_until = lease_until - $1 * interval '1 millisecond'", [ms]);
      },
    };
  });

  test('keeps both forms of a segment that two machines purged apart, and only the deletion of one that was deleted', async () => {
    const at = await hubOf();
    const name = { ...placeOf(one), seq: 1, previous: '' };
    const [here, there] = ['the [purged] of alice\n', 'the secret of [purged]\n'].map((text) => replacing(one, Buffer.from(text), []));
    if (here === undefined || there === undefined) throw new Error('unreachable');
    await withHub(at('alice'), { env }, async ({ target }) => {
      await target.append(one, await fenceOf(target, 's1'));
      for (const form of [here, there]) await target.replace(form, name);
      expect((await target.list()).map(({ replaced }) => replaced)).toEqual([replacedOf(here), replacedOf(there)].sort());
      const deleted = replacing(here, Buffer.alloc(0), []);
      await target.replace(deleted, { ...name, replaced: replacedOf(here) });
      await target.replace(there, name);
      expect((await target.list()).map(({ replaced }) => replaced)).toEqual([replacedOf(deleted)]);
    });
  });

  test('finds a session by its name until the name is purged, and by a part of its id', async () => {
    const at = await hubOf();
    const titled = (title: string): Buffer => encodeRecord({ type: 'title', title, n: 1 });
    const segment: Segment = { ...one, chain: 's1-abc', bytes: titled('nightly') };
    const name = { ...placeOf(segment), seq: 1, previous: '' };
    await withHub(at('alice'), { env }, async ({ target, find }) => {
      await target.append(segment, await fenceOf(target, 's1-abc'));
      await target.append({ ...segment, chain: 's2-abc' }, await fenceOf(target, 's2-abc'));
      expect(await find({ name: 'nightly' })).toBe('s2-abc');
      expect(await find({ part: 's1-' })).toBe('s1-abc');
      expect(await find({ part: 'abc' })).toBeUndefined();
      const purged = replacing(segment, titled('[purged]'), []);
      await target.replace(purged, name);
      await target.replace(replacing({ ...segment, chain: 's2-abc' }, Buffer.alloc(0), []), { ...name, chain: 's2-abc' });
      expect(await find({ name: 'nightly' })).toBeUndefined();
      expect(await find({ name: '[purged]' })).toBe('s1-abc');
    });
    const { rows } = await server.admin(at('postgres'), (client) => client.query('select name from sanbot.sessions order by chain'));
    expect(rows).toEqual([{ name: '[purged]' }, { name: null }]);
    await withHub(at('mallory'), { env }, async ({ find }) => expect(await find({ part: 's1-abc' })).toBeUndefined());
  });

  test('a member who knows the schema sees and changes nothing of another, by whatever SQL', async () => {
    const at = await hubOf();
    const object = Buffer.from('the object of alice');
    await withHub(at('alice'), { env }, async ({ target, enter }) => {
      await enter('laptop-a');
      await target.put(hashBytes(object), object);
      await target.append(one, await fenceOf(target, 's1'));
    });
    await server.admin(at('mallory'), async (client) => {
      const rows = async (sql: string) => (await client.query(sql)).rows;
      const refused = (sql: string) =>
        expect(client.query(sql), sql).rejects.toMatchObject({ code: expect.stringMatching(/^(42|22|23|0A|25)/) });
      for (const table of ['members', 'sessions', 'segments', 'objects', 'events']) {
        const name = `sanbot.${table}`;
        expect(await rows(`select * from ${name}`), table).toEqual([]);
        expect(await rows(`select * from ${name} where owner = 'alice'`), table).toEqual([]);
        expect(await rows(`select ctid, xmin, tableoid from ${name}`), table).toEqual([]);
        expect(await rows(`select * from ${name} for update`), table).toEqual([]);
        expect((await client.query(`update ${name} set owner = 'mallory'`)).rowCount, table).toBe(0);
        expect((await client.query(`delete from ${name}`)).rowCount, table).toBe(0);
        expect((await client.query(`copy ${name} to stdout`)).rowCount ?? 0, table).toBe(0);
        for (const sql of [
          `truncate ${name}`,
          `alter table ${name} disable row level security`,
          `alter table ${name} no force row level security`,
          `drop policy own on ${name}`,
          `create policy all_rows on ${name} using (true)`,
          `create index on ${name} (owner)`,
          `create table public.refers_${table} (like ${name}, foreign key (owner) references ${name} (owner))`,
          `create trigger spy after insert on ${name} execute function now()`,
          `copy ${name} to '/tmp/stolen'`,
          `copy ${name} to program 'cat'`,
        ])
          await refused(sql);
      }
      // A key that is taken tells nothing: her rows have keys of their own.
      expect((await client.query(`insert into sanbot.objects (sha256, file) values ('${hashBytes(object)}', 'x')`)).rowCount).toBe(1);
      await refused(`insert into sanbot.objects (owner, sha256, file) values ('alice', 'x', 'x')`);
      await refused(`update sanbot.objects set owner = 'alice'`);
      await refused(
        `insert into sanbot.objects (owner, sha256, file) values ('alice', '${hashBytes(object)}', 'x') on conflict (owner, sha256) do update set file = 'x'`,
      );
      for (const sql of ['set role alice', 'set role postgres', 'set session authorization alice', 'update sanbot.hub set version = 0'])
        await refused(sql);
      await refused('alter role mallory bypassrls');
      await refused('grant alice to mallory');
      await client.query('set row_security = off');
      await refused('select * from sanbot.segments');
      await client.query('reset row_security');
      // What is called for each row before the policy would see the others' rows.
      await client.query(
        `create function pg_temp.spy(text) returns boolean language plpgsql cost 0.0000001 as $$ begin raise exception 'saw %', $1; end $$`,
      );
      expect(await rows('select * from sanbot.segments where pg_temp.spy(chain)')).toEqual([]);
      expect(await rows(`select most_common_vals, histogram_bounds from pg_stats where schemaname = 'sanbot'`)).toEqual([]);
      await refused('select * from pg_catalog.pg_statistic');
      await refused('select * from pg_catalog.pg_authid');
      await refused(`select pg_read_file('PG_VERSION')`);
      await refused(`select lo_import('/etc/passwd')`);
      const seen = JSON.stringify(await rows(`select query from pg_stat_activity where usename <> 'mallory'`));
      expect(seen).not.toContain('alice');
    });
    // A role that is granted hers stays who it is.
    await server.admin(at('postgres'), (client) => client.query('grant alice to stranger'));
    await server.admin(at('postgres'), (client) => client.query('analyze'));
    await server.admin(at('stranger'), async (client) => {
      await client.query('set role alice');
      expect((await client.query('select * from sanbot.segments')).rows).toEqual([]);
    });
    await server.admin(at('postgres'), (client) => client.query('revoke alice from stranger'));
    await withHub(at('alice'), { env }, async ({ target, members }) => {
      expect(await namesIn(target)).toEqual([{ ...placeOf(one), seq: 1, previous: '' }]);
      expect(await target.get(hashBytes(object))).toEqual(object);
      expect((await members()).map(({ writer }) => writer)).toEqual(['laptop-a']);
    });
    // Who runs the server could read all of it; SanBot asks for the rows of its role only.
    await withHub(at('postgres'), { env }, async ({ target, members, size }) => {
      expect([await target.list(), await target.get(hashBytes(object)), await members()]).toEqual([[], undefined, []]);
      expect(await size()).toEqual({ role: 'postgres', sessions: 0, bytes: 0 });
    });
  });

  test('many that make the hub at once make one, a newer one is refused, and what fails leaves nothing', async () => {
    const at = await server.database();
    await expect(initHub(at('postgres'), ['nobody_of_this_name'], { env })).rejects.toMatchObject({ code: 'refused' });
    await server.admin(at('postgres'), async (client) =>
      expect((await client.query("select 1 from pg_namespace where nspname = 'sanbot'")).rowCount).toBe(0),
    );
    expect(await Promise.all([1, 2, 3, 4].map(() => initHub(at('postgres'), ['alice'], { env })))).toEqual([4, 4, 4, 4]);
    await server.admin(at('postgres'), (client) => client.query('update sanbot.hub set version = 99'));
    for (const attempt of [() => initHub(at('postgres'), [], { env }), () => withHub(at('alice'), { env }, async () => undefined)])
      await expect(attempt()).rejects.toMatchObject({
        shown: { message: { en: expect.stringContaining('a newer SanBot made it (schema 99)') } },
      });
  });

  test('two that write one chain at once leave one line, whoever is quicker', async () => {
    const at = await hubOf();
    await withHub(at('alice'), { env }, (a) =>
      withHub(at('alice'), { env }, async (b) => {
        await a.target.append(one, await fenceOf(a.target, 's1'));
        const next = (text: string): Segment => ({ ...one, seq: 2, previous: placeOf(one), bytes: Buffer.from(`${text}\n`) });
        const outcomes = await Promise.all(
          [a, b].map(async ({ target }, at_) => target.append(next(`${at_}`), await fenceOf(target, 's1'))),
        );
        expect(outcomes.filter(({ kind }) => kind === 'appended')).toHaveLength(1);
        expect((await a.target.list()).map(({ hash }) => hash)).toContain(hashOfSegment(one));
        expect(await a.target.list()).toHaveLength(2);
      }),
    );
  });

  test('a server is believed by its certificate alone, unless the address says otherwise in so many words', async () => {
    const at = await hubOf();
    const files = selfSigned('localhost');
    const authority = join(newFolder(), 'authority.pem');
    writeFileSync(authority, files.cert);
    const enter = (query: string) => withHub(at('alice', query).replace('127.0.0.1', 'localhost'), { env }, async ({ id }) => id);
    await expect(enter('')).rejects.toThrow('the server offers no TLS');
    await server.offerTls(files);
    // The server reads its settings anew some time after it was told to.
    await expect.poll(() => enter('').catch(String)).toContain('its identity could not be verified');
    const id = await enter(`?sslrootcert=${authority}`);
    expect(await enter('?sslmode=no-verify')).toBe(id);
    expect(await enter('?sslmode=disable')).toBe(id);
    await expect(enter('?sslrootcert=/nowhere.pem')).rejects.toThrow('the file of sslrootcert cannot be read');
    // The certificate is for another name.
    await expect(withHub(at('alice', `?sslrootcert=${authority}`), { env }, async () => 'in')).rejects.toThrow('could not be verified');
  });

  test('a connection that breaks, and a server that takes no changes, are told with what to do', async () => {
    const at = await hubOf();
    const broken = withHub(at('alice'), { env }, async ({ target }) => {
      await server.admin(at('postgres'), (client) =>
        client.query(
          "select pg_terminate_backend(pid, 60000) from pg_stat_activity where usename = 'alice' and datname = current_database()",
        ),
      );
      return target.append(one, await fenceOf(target, 's1'));
    });
    await expect(broken).rejects.toMatchObject({ code: 'refused', hint: expect.stringContaining('run sanbot sync again') });
    await server.admin(at('postgres'), (client) => client.query('alter role alice set default_transaction_read_only = on'));
    const readOnly = withHub(at('alice'), { env }, ({ enter }) => enter('w-1'));
    await expect(readOnly).rejects.toMatchObject({ hint: 'Name the primary server, not a replica of it.' });
    await server.admin(at('postgres'), (client) => client.query('alter role alice reset default_transaction_read_only'));
    // A fault of the program is none of the server.
    await expect(withHub(at('alice'), { env }, () => Promise.reject(new TypeError('a fault')))).rejects.toThrow(TypeError);
  });
});
