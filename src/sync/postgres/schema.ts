import type { Client } from 'pg';
import { DELETED } from '../segment.ts';
import { refuseHub } from './failure.ts';

/**
 * Each row belongs to the role that was logged in when it was written: `session_user`, which `set role` does not change. Keys begin with it,
 * so that a key that is taken tells nobody what another has.
 */
const ownRows = (table: string): string => `alter table sanbot.${table} enable row level security;
  alter table sanbot.${table} force row level security;
  create policy own on sanbot.${table} using (owner = session_user) with check (owner = session_user);`;

const MIGRATIONS: readonly string[] = [
  `create schema sanbot;
  create table sanbot.hub (version int not null, id text not null);
  insert into sanbot.hub values (0, replace(gen_random_uuid()::text, '-', ''));
  create table sanbot.members (owner name default session_user, writer text, joined timestamptz not null default now(),
    seen timestamptz not null default now(), primary key (owner, writer));
  create table sanbot.sessions (owner name default session_user, chain text, epoch bigint not null, primary key (owner, chain));
  create table sanbot.segments (owner name default session_user, chain text, hash text, replaced text, seq int not null,
    previous text not null, file bytea not null, primary key (owner, chain, hash, replaced));
  create index on sanbot.segments (owner, chain, seq);
  create table sanbot.objects (owner name default session_user, sha256 text, file bytea not null, primary key (owner, sha256));
  alter table sanbot.segments alter file set storage external;
  alter table sanbot.objects alter file set storage external;
  ${['members', 'sessions', 'segments', 'objects'].map(ownRows).join('\n')}`,
  // How long a session stays with a process that is silent; a member reads it, and who made the hub may change it.
  `alter table sanbot.hub add lease interval not null default '30 seconds';
  alter table sanbot.sessions add holder text, add held_since timestamptz, add lease_until timestamptz, add name text,
    add written timestamptz;`,
  // What is compressed is told beside it, for views and for who clears the hub; each member tells it of what was there before.
  `alter table sanbot.segments add told boolean not null default false, add objects text[] not null default '{}', add writer text,
    add cwd text, add model text, add messages int not null default 0, add first_at timestamptz, add last_at timestamptz;
  alter table sanbot.segments alter told set default true;
  create index on sanbot.segments (owner) where not told;
  create index on sanbot.segments (owner, previous);
  alter table sanbot.objects alter file drop not null, add put timestamptz not null default clock_timestamp();
  alter table sanbot.sessions add retired timestamptz;
  create table sanbot.events (owner name default session_user, chain text, hash text, replaced text, type text not null,
    at timestamptz not null, requests int, unpriced int, input_tokens bigint, cache_read_tokens bigint, cache_write_tokens bigint,
    output_tokens bigint, usd numeric, snapshot text, trigger text, method text, tokens_before bigint, tokens_after bigint,
    foreign key (owner, chain, hash, replaced) references sanbot.segments on delete cascade);
  create index on sanbot.events (owner, chain, hash, replaced);
  ${ownRows('events')}
  -- Of a segment that two machines purged apart, one form.
  create view sanbot.session_list with (security_invoker = true) as
    select g.owner, g.chain as session, s.name, g.cwd, g.model, g.began, g.written, g.messages, g.bytes, g.machine,
      case when s.lease_until > clock_timestamp() then s.holder end as open_on
    from (select owner, chain, (array_agg(cwd order by seq) filter (where cwd is not null))[1] as cwd,
        (array_agg(model order by seq desc) filter (where model is not null))[1] as model, min(first_at) as began,
        max(last_at) as written, sum(messages) as messages, sum(length(file)) as bytes, (array_agg(writer order by seq desc))[1] as machine
      from (select distinct on (owner, chain, seq) * from sanbot.segments
        where chain not like '~%' and replaced <> '${DELETED}' order by owner, chain, seq, replaced) f
      group by owner, chain) g
    left join sanbot.sessions s using (owner, chain);
  create view sanbot.told_once with (security_invoker = true) as
    select e.*, split_part(e.chain, '~', 2) as session, split_part(e.chain, '~', 3) as machine from sanbot.events e
    where not exists (select from sanbot.segments f where f.owner = e.owner and f.chain = e.chain and f.hash = e.hash
      and f.replaced < e.replaced);
  create view sanbot.cost with (security_invoker = true) as
    select owner, session, (at at time zone 'UTC')::date as day, sum(requests) as requests, sum(input_tokens) as input_tokens,
      sum(cache_read_tokens) as cache_read_tokens, sum(cache_write_tokens) as cache_write_tokens,
      sum(output_tokens) as output_tokens, sum(usd) as usd, sum(unpriced) as unpriced
    from sanbot.told_once where type = 'cost' group by 1, 2, 3;
  create view sanbot.compactions with (security_invoker = true) as
    select owner, session, at, machine, trigger, method, tokens_before, tokens_after, usd, snapshot from sanbot.told_once
    where type = 'compacted';`,
  // How long the lines of a segment are, so that the end of a session can be fetched without what is before it.
  `alter table sanbot.segments add bytes int;`,
];

const OWN_ROWS = ['members', 'sessions', 'segments', 'objects', 'events'];
const VIEWS = ['session_list', 'told_once', 'cost', 'compactions'];

const namesOf = (tables: readonly string[]): string => tables.map((table) => `sanbot.${table}`).join(', ');

type Hub = { readonly id: string; readonly version: number };

/** Undefined where there is none. Throws where it is of a newer version than this SanBot. */
export async function readHub(client: Client, address: string): Promise<Hub | undefined> {
  const found = await client.query("select 1 from pg_catalog.pg_namespace where nspname = 'sanbot'");
  if (found.rowCount === 0) return undefined;
  const hub = (await client.query<Hub>('select version, id from sanbot.hub')).rows[0];
  if (hub === undefined || !/^[a-z0-9]{4,64}$/.test(hub.id))
    throw refuseHub(
      address,
      { en: 'its schema "sanbot" is not that of a hub', zh: '其中的 "sanbot" 模式不是 hub 的模式' },
      { en: 'Name another database.', zh: '请指定另一个数据库。' },
    );
  if (hub.version > MIGRATIONS.length)
    throw refuseHub(
      address,
      { en: `a newer SanBot made it (schema ${hub.version})`, zh: `它由更新版本的 SanBot 建立（模式版本 ${hub.version}）` },
      { en: 'Nothing was written. Update this SanBot.', zh: '没有写入任何内容。请更新此 SanBot。' },
    );
  return hub;
}

/** Throws where a newer SanBot would have to upgrade it first. */
export function requireCurrent({ version }: Hub, address: string): void {
  if (version === MIGRATIONS.length) return;
  throw refuseHub(
    address,
    { en: `an older SanBot made it (schema ${version})`, zh: `它由较早版本的 SanBot 建立（模式版本 ${version}）` },
    {
      en: 'Nothing was written. Upgrade it with sanbot hub init ADDRESS, as the role that made it.',
      zh: '没有写入任何内容。请以建立它的角色运行 sanbot hub init ADDRESS 进行升级。',
    },
  );
}

/** Makes or upgrades the schema and lets roles use it; all of it or nothing. */
export async function migrate(client: Client, address: string, members: readonly string[]): Promise<number> {
  await client.query('begin');
  // The digits have no meaning; nobody else takes this lock.
  await client.query('select pg_advisory_xact_lock(7266837302339)');
  const from = (await readHub(client, address))?.version ?? 0;
  for (const sql of MIGRATIONS.slice(from)) await client.query(sql);
  if (from < MIGRATIONS.length) await client.query('update sanbot.hub set version = $1', [MIGRATIONS.length]);
  // What is new is for those too who were let in before.
  const { rows: before } = await client.query<{ name: string }>(
    `select distinct rolname as name from pg_class c, aclexplode(c.relacl) a, pg_roles r
    where c.oid = 'sanbot.segments'::regclass and a.grantee = r.oid and r.oid <> c.relowner`,
  );
  for (const member of new Set([...members, ...before.map(({ name }) => name)])) {
    const role = client.escapeIdentifier(member);
    await client.query(`grant usage on schema sanbot to ${role}`);
    await client.query(`grant select on sanbot.hub to ${role}`);
    await client.query(`grant select, insert, update, delete on ${namesOf(OWN_ROWS)} to ${role}`);
    await client.query(`grant select on ${namesOf(VIEWS)} to ${role}`);
  }
  await client.query('commit');
  return MIGRATIONS.length;
}
