import type { Client } from 'pg';
import { DELETED } from '../segment.ts';
import { tellRest } from './facts.ts';

/** `days`: since a session was last written, its results and snapshots; `logDays`: its logs. `maxBytes`: of all that this role has. */
export type RetainRules = {
  readonly days?: number | undefined;
  readonly logDays?: number | undefined;
  readonly maxBytes?: number | undefined;
  readonly isTried: boolean;
};

type Retained = { readonly objects: number; readonly sessions: number; readonly bytes: number };

const REFERRED = `select unnest(objects) as sha256, used, held from own join used using (session) where replaced <> '${DELETED}'`;

/** Of sessions: when each was last written, whether somebody has it open, and what they hold. A deleted line holds nothing. */
const USED = `with own as (select chain, hash, replaced, previous, last_at, objects, length(file) as bytes,
    case when chain like '~%' then split_part(chain, '~', 2) else chain end as session
    from sanbot.segments where owner = session_user and (chain not like '~%' or chain like '~%~%')),
  used as (select session, max(coalesce(s.written, own.last_at, clock_timestamp())) as used, sum(bytes) as bytes,
      coalesce(bool_or(s.lease_until > clock_timestamp()), false) as held, bool_or(replaced <> '') as purged
    from own left join sanbot.sessions s on s.owner = session_user and s.chain = own.chain group by session),
  refs as (select o.sha256, length(o.file) as bytes, max(used) as used, bool_or(held) as held from sanbot.objects o
    join (${REFERRED}) r using (sha256)
    where o.owner = session_user and o.file is not null and o.put < clock_timestamp() - interval '1 day' group by o.sha256, o.file)`;

/** The oldest first, until so many bytes are gone. */
const rankedOf = (table: string, key: string, where: string): string =>
  `select ${key} from (select *, sum(bytes) over (order by used, ${key}) - bytes as before from ${table} where ${where}) ranked
   where used < clock_timestamp() - $1 * interval '1 day' or before < $2`;

/**
 * Takes away what is old, and the oldest of what is too much: results and snapshots first, logs last, of which each home keeps what it has.
 * Nothing of a session that somebody has open, nor a log from which something was purged, since others have to hear of it. All of it or
 * nothing; undefined while another does the same.
 */
export async function retain(client: Client, { days, logDays, maxBytes, isTried }: RetainRules): Promise<Retained | undefined> {
  await tellRest(client);
  await client.query('begin');
  const { rows: locks } = await client.query<{ free: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended(session_user::text, 7266837302340)) as free',
  );
  if (locks[0]?.free !== true) await client.query('rollback');
  if (locks[0]?.free !== true) return undefined;
  const before = await sizeOf(client);
  const excess = async (): Promise<number> => (maxBytes === undefined ? 0 : (await sizeOf(client)) - maxBytes);
  const objects = await client.query(
    `${USED} update sanbot.objects set file = null where owner = session_user and sha256 in (${rankedOf('refs', 'sha256', 'not held')})`,
    [days ?? FOR_EVER, await excess()],
  );
  const { rows } = await client.query<{ session: string; used: Date }>(
    `${USED} select session from used where session in (${rankedOf('used', 'session', ALONE)})`,
    [logDays ?? FOR_EVER, await excess()],
  );
  const sessions = rows.map(({ session }) => session);
  // Whoever has begun to write meanwhile goes on.
  const { rows: chains } = await client.query<{ chain: string }>(
    `update sanbot.sessions set retired = clock_timestamp(), name = null where owner = session_user
    and (chain = any($1) or (chain like '~%~%' and split_part(chain, '~', 2) = any($1)))
    and coalesce(lease_until <= clock_timestamp(), true) and coalesce(written < now(), true) returning chain`,
    [sessions],
  );
  await client.query('delete from sanbot.segments where owner = session_user and chain = any($1)', [chains.map(({ chain }) => chain)]);
  // What was sent for a segment that never came, or has gone.
  const orphans = await client.query<{ file: boolean }>(
    `${USED} delete from sanbot.objects where owner = session_user and put < clock_timestamp() - interval '1 day'
    and sha256 not in (select sha256 from (${REFERRED}) r) returning file is not null as file`,
  );
  const swept = orphans.rows.filter(({ file }) => file).length;
  const bytes = before - (await sizeOf(client));
  await client.query(isTried ? 'rollback' : 'commit');
  return {
    objects: (objects.rowCount ?? 0) + swept,
    sessions: chains.filter(({ chain }) => !chain.startsWith('~')).length,
    bytes,
  };
}

/** No fork goes on from it, and nobody has yet to hear of a purge. */
const ALONE = `not held and not purged and not exists (select from own here join own f on f.session <> here.session
  and f.previous = left(here.hash, 16) where here.session = used.session)`;

/** In days; the server counts no further back than some thousand years. */
const FOR_EVER = 1_000_000;

async function sizeOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    `select (select coalesce(sum(length(file)), 0) from sanbot.segments where owner = session_user)
    + (select coalesce(sum(length(file)), 0) from sanbot.objects where owner = session_user) as bytes`,
  );
  return Number(rows[0]?.bytes);
}
