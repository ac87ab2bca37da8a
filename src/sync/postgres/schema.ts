import type { Client } from 'pg';
import { refuseHub } from './failure.ts';

/**
 * Each row belongs to the role that was logged in when it was written: `session_user`, which `set role` does not change. Keys begin with it,
 * so that a key that is taken tells nobody what another has.
 */
const OWN_ROWS = ['members', 'sessions', 'segments', 'objects'];

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
  ${OWN_ROWS.map(
    (table) => `alter table sanbot.${table} enable row level security;
  alter table sanbot.${table} force row level security;
  create policy own on sanbot.${table} using (owner = session_user) with check (owner = session_user);`,
  ).join('\n')}`,
  // How long a session stays with a process that is silent; a member reads it, and who made the hub may change it.
  `alter table sanbot.hub add lease interval not null default '30 seconds';
  alter table sanbot.sessions add holder text, add held_since timestamptz, add lease_until timestamptz, add name text,
    add written timestamptz;`,
];

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
  for (const member of members) {
    const role = client.escapeIdentifier(member);
    await client.query(`grant usage on schema sanbot to ${role}`);
    await client.query(`grant select on sanbot.hub to ${role}`);
    const tables = OWN_ROWS.map((table) => `sanbot.${table}`).join(', ');
    await client.query(`grant select, insert, update, delete on ${tables} to ${role}`);
  }
  await client.query('commit');
  return MIGRATIONS.length;
}
