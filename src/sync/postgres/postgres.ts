/**
 * A hub: a PostgreSQL database that keeps the segments and objects of the homes of its members, each by a role of the server.
 *
 * In come an address and, from the environment or the address, a password. Out comes a target of the exchange, which stands beside folders.
 *
 * It promises that a role reads and writes its own rows only, by row-level security, that a chain has one writer at a time, and that what it
 * answers was committed. The server is verified by TLS unless the address says otherwise. Nothing shows a password. It is loaded, and `pg`
 * with it, only for a home that joined a hub.
 */

import { Client } from 'pg';
import type { Leases, SyncTarget } from '../port.ts';
import { hashBytes } from '../segment.ts';
import { parseAddress, shownAddress } from './address.ts';
import { tellRest } from './facts.ts';
import { asHubFailure, noHub, otherHub, refuseHub } from './failure.ts';
import { createLeases } from './leases.ts';
import { createPostgresTarget } from './postgres-target.ts';
import { type RetainRules, retain } from './retain.ts';
import { migrate, readHub, requireCurrent } from './schema.ts';

/** As the views of the hub have it. A price that is not known is none; `unpriced`: the requests of which that is so. */
export type HubSession = {
  readonly session: string;
  readonly name: string | null;
  readonly cwd: string | null;
  readonly model: string | null;
  readonly began: Date | null;
  readonly written: Date | null;
  readonly messages: number;
  readonly bytes: number;
  readonly machine: string | null;
  readonly open_on: string | null;
  readonly requests: number;
  readonly unpriced: number;
  readonly tokens: number;
  readonly usd: number;
  readonly compactions: number;
};

export type HubCompaction = {
  readonly at: Date;
  readonly machine: string;
  readonly trigger: string;
  readonly method: string;
  readonly tokens_before: number;
  readonly tokens_after: number;
  readonly usd: number | null;
  readonly snapshot: string;
};

type HubMember = { readonly writer: string; readonly joined: Date; readonly seen: Date };

/** `id`: of this hub as this role sees it. */
type OpenHub = {
  readonly id: string;
  /** Throws refused unless it is the one with this id: another database must not be taken for an empty hub. */
  readonly require: (id: string) => void;
  readonly target: SyncTarget;
  readonly leases: Leases;
  /** The session of this id, or the only one with this part of it; or the one of this name that was written last. */
  readonly find: (wanted: { readonly part?: string | undefined; readonly name?: string | undefined }) => Promise<string | undefined>;
  /** This machine is here; the server's clock says when. */
  readonly enter: (writer: string) => Promise<void>;
  readonly leave: (writer: string) => Promise<void>;
  readonly members: () => Promise<readonly HubMember[]>;
  readonly sessions: () => Promise<readonly HubSession[]>;
  readonly compactions: (session: string) => Promise<readonly HubCompaction[]>;
  readonly retain: (rules: RetainRules) => ReturnType<typeof retain>;
  readonly size: () => Promise<{ readonly role: string; readonly sessions: number; readonly bytes: number }>;
};

type Environment = { readonly env: Readonly<Record<string, string | undefined>> };

/** Makes or upgrades the hub at an address, for its own role and these. Resolves with the version of its schema. */
export const initHub = (address: string, members: readonly string[], environment: Environment): Promise<number> =>
  withClient(address, environment, (client) => migrate(client, shownAddress(address), members));

/**
 * Calls `work` while connected. What the server or the network refuses is a SanbotError that says what, where and what next. `holder` names
 * to others who has a session open; two that have one name are one to the hub.
 */
export const withHub = <T>(address: string, environment: Environment, work: (hub: OpenHub) => Promise<T>, holder = ''): Promise<T> =>
  withClient(address, environment, async (client, role) => {
    const hub = await readHub(client, shownAddress(address));
    if (hub === undefined) throw noHub(shownAddress(address));
    requireCurrent(hub, shownAddress(address));
    const own = hashBytes(Buffer.from(`${hub.id} ${role}`)).slice(0, 32);
    return work({
      id: own,
      require: (id) => {
        if (id !== own) throw otherHub(shownAddress(address));
      },
      target: createPostgresTarget(client, holder),
      leases: createLeases(client, holder),
      find: ({ part, name }) => findChain(client, part, name),
      enter: async (writer) => {
        await client.query('insert into sanbot.members (writer) values ($1) on conflict (owner, writer) do update set seen = now()', [
          writer,
        ]);
        await tellRest(client);
      },
      leave: async (writer) => {
        await client.query('delete from sanbot.members where owner = session_user and writer = $1', [writer]);
      },
      members: async () =>
        (
          await client.query<HubMember>(
            'select writer, joined, seen from sanbot.members where owner = session_user order by joined, writer',
          )
        ).rows,
      sessions: async () => (await client.query<HubSession>(SESSIONS)).rows,
      compactions: async (session) =>
        (
          await client.query<HubCompaction>(
            `select at, machine, trigger, method, tokens_before::float8, tokens_after::float8, usd::float8, snapshot
            from sanbot.compactions where owner = session_user and session = $1 order by at`,
            [session],
          )
        ).rows,
      retain: (rules) => retain(client, rules),
      size: async () => {
        const { rows } = await client.query<{ role: string; sessions: string; bytes: string }>(
          `select session_user::text as role,
          (select count(distinct chain) from sanbot.segments where owner = session_user and chain not like '~%') as sessions,
          (select coalesce(sum(length(file)), 0) from sanbot.segments where owner = session_user)
          + (select coalesce(sum(length(file)), 0) from sanbot.objects where owner = session_user) as bytes`,
        );
        return { role: rows[0]?.role ?? '', sessions: Number(rows[0]?.sessions), bytes: Number(rows[0]?.bytes) };
      },
    });
  });

/** The newest first. Numbers as JavaScript has them. */
const SESSIONS = `select session, name, cwd, model, began, written, messages::float8, bytes::float8, machine, open_on,
  coalesce(requests, 0)::float8 as requests, coalesce(unpriced, 0)::float8 as unpriced, coalesce(tokens, 0)::float8 as tokens,
  coalesce(usd, 0)::float8 as usd, coalesce(compactions, 0)::float8 as compactions
  from sanbot.session_list
  left join (select session, sum(requests) as requests, sum(unpriced) as unpriced, sum(usd) as usd,
    sum(input_tokens + cache_read_tokens + cache_write_tokens + output_tokens) as tokens
    from sanbot.cost where owner = session_user group by session) c using (session)
  left join (select session, count(*) as compactions from sanbot.compactions where owner = session_user group by session) n using (session)
  where owner = session_user order by written desc nulls last, session`;

async function findChain(client: Client, part: string | undefined, name: string | undefined): Promise<string | undefined> {
  if (name !== undefined) {
    const sql = 'select chain from sanbot.sessions where owner = session_user and name = $1 order by written desc limit 1';
    return (await client.query<{ chain: string }>(sql, [name])).rows[0]?.chain;
  }
  const { rows } = await client.query<{ chain: string }>(
    `select distinct chain from sanbot.segments where owner = session_user and chain not like '~%' and strpos(chain, $1) > 0`,
    [part],
  );
  const exact = rows.find(({ chain }) => chain === part) ?? (rows.length === 1 ? rows[0] : undefined);
  return exact?.chain;
}

async function withClient<T>(address: string, { env }: Environment, work: (client: Client, role: string) => Promise<T>): Promise<T> {
  const config = parseAddress(address, env);
  const where = { address: shownAddress(address), secret: config.password };
  // Given as a function, so that the driver looks for none by itself.
  const client = new Client({ ...config, password: () => config.password ?? '' });
  // A connection that breaks is told of by the query that meets it; without a listener it would end the program.
  client.on('error', () => undefined);
  try {
    await client.connect();
    // What others may have put before the functions of the server is not called.
    await client.query('set search_path = pg_catalog, pg_temp');
    const { rows } = await client.query<{ version: number }>("select current_setting('server_version_num')::int as version");
    if ((rows[0]?.version ?? 0) < 150_000)
      throw refuseHub(
        where.address,
        { en: 'the server is older than PostgreSQL 15', zh: '服务器版本低于 PostgreSQL 15' },
        { en: 'Name a newer one.', zh: '请指定更新的服务器。' },
      );
    return await work(client, config.user);
  } catch (error) {
    throw asHubFailure(error, where);
  } finally {
    await client.end().catch(() => undefined);
  }
}
