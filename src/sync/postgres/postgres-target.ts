import type { Client } from 'pg';
import { titleIn } from '../../store/files/record-line.ts';
import { type AppendResult, CHAIN, PREVIOUS_DIGITS, type SegmentName, type SyncTarget } from '../port.ts';
import { DELETED, decodeSegment, hashBytes, pack, placeOf, replacedOf, type Segment, unpack } from '../segment.ts';
import { insertSegment } from './facts.ts';
import { createLeases } from './leases.ts';

/**
 * A database that is a hub: one line of segments a chain, and one holder of it at a time. What is written is committed by the server when a
 * call resolves. Only rows of the role that is logged in are read, also where it might read all.
 */
export function createPostgresTarget(client: Client, holder: string): SyncTarget {
  return {
    put: async (sha256, bytes) => {
      await client.query(
        `insert into sanbot.objects as o (sha256, file) values ($1, $2) on conflict (owner, sha256)
        do update set put = clock_timestamp(), file = coalesce(o.file, excluded.file)`,
        [sha256, pack(bytes)],
      );
    },
    get: async (sha256) => {
      const { rows } = await client.query<File>(
        'select file from sanbot.objects where owner = session_user and sha256 = $1 and file is not null',
        [sha256],
      );
      const bytes = rows[0]?.file === undefined ? undefined : unpack(rows[0].file);
      return bytes !== undefined && hashBytes(bytes) === sha256 ? bytes : undefined;
    },
    append: (segment, { epoch }) => inTransaction(client, () => append(client, segment, epoch)),
    replace: (segment, name) => inTransaction(client, () => replace(client, segment, name)),
    drop: async (sha256) => {
      await client.query('delete from sanbot.objects where owner = session_user and sha256 = $1', [sha256]);
    },
    read: (chain, from) => read(client, chain, from),
    list: async (log) => {
      const { rows } = await client.query<Row>(
        `${NAMES} where owner = session_user ${log === undefined ? '' : WAY} order by chain, seq, hash, replaced`,
        log === undefined ? [] : [log],
      );
      return rows.filter(({ chain }) => CHAIN.test(chain)).map(nameOf);
    },
    retention: {
      gone: async (sha256) => {
        const sql = 'select from sanbot.objects where owner = session_user and sha256 = $1 and file is null';
        return (await client.query(sql, [sha256])).rowCount === 1;
      },
      retired: async () => {
        const sql = 'select chain from sanbot.sessions where owner = session_user and retired is not null';
        return new Set((await client.query<{ chain: string }>(sql)).rows.map(({ chain }) => chain));
      },
    },
    acquire: createLeases(client, holder).acquire,
  };
}

type File = { readonly file: Buffer };
type Row = Required<Omit<SegmentName, 'bytes'>> & { readonly replaced: string; readonly bytes: number | null };

const NAMES = 'select chain, seq, hash, previous, replaced, bytes from sanbot.segments';

/** The chains that a log may follow, by the names that forks have, and the forks of it. */
const WAY = "and (chain = $1 or starts_with($1, left(chain, 54) || '-') or starts_with(chain, left($1, 54) || '-'))";

const nameOf = ({ replaced, bytes, ...name }: Row): SegmentName => ({
  ...name,
  ...(replaced !== '' && { replaced }),
  ...(bytes !== null && { bytes }),
});

async function inTransaction<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    // A connection that is gone has ended it already.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Until the transaction ends, nobody else writes the chain. */
async function epochOf(client: Client, chain: string): Promise<number | undefined> {
  const { rows } = await client.query<{ epoch: string }>(
    'select epoch from sanbot.sessions where owner = session_user and chain = $1 for update',
    [chain],
  );
  return rows[0] === undefined ? undefined : Number(rows[0].epoch);
}

async function append(client: Client, segment: Segment, epoch: number): Promise<AppendResult> {
  const { chain, hash } = placeOf(segment);
  const { seq, previous } = segment;
  const held = await epochOf(client, chain);
  const has = async (place: { readonly chain: string; readonly hash: string }): Promise<number | undefined> =>
    (await client.query<Row>(`${NAMES} where owner = session_user and chain = $1 and hash = $2`, [place.chain, place.hash])).rows[0]?.seq;
  if ((await has({ chain, hash })) !== undefined) return { kind: 'known' };
  if (held !== epoch) return { kind: 'refused', why: 'fenced' };
  const before = previous === null ? 0 : await has(previous);
  const last = await client.query<Row>(`${NAMES} where owner = session_user and chain = $1 order by seq desc limit 1`, [chain]);
  const isOwn = previous?.chain === chain;
  if (!isOwn && last.rows[0] !== undefined) return { kind: 'refused', why: 'parted' };
  if (before === undefined || before + 1 !== seq) return { kind: 'refused', why: 'gap' };
  if (isOwn && last.rows[0]?.hash !== previous.hash) return { kind: 'refused', why: 'parted' };
  await insertSegment(client, { chain, hash, seq, previous: previous?.hash.slice(0, PREVIOUS_DIGITS) ?? '' }, segment);
  await client.query(
    'update sanbot.sessions set written = clock_timestamp(), retired = null, name = coalesce($2, name) where owner = session_user and chain = $1',
    [chain, titleIn(segment.bytes)],
  );
  return { kind: 'appended' };
}

/** Two machines may have purged one segment apart: each form stays until it is purged too. What was deleted is gone in every form. */
async function replace(client: Client, segment: Segment, name: SegmentName): Promise<void> {
  const replaced = replacedOf(segment) ?? '';
  await epochOf(client, name.chain);
  const deleted = await client.query(`${NAMES} where owner = session_user and chain = $1 and hash = $2 and replaced = $3`, [
    ...[name.chain, name.hash, DELETED],
  ]);
  if (deleted.rowCount !== 0) return;
  const gone = "owner = session_user and chain = $1 and hash = $2 and replaced <> $3 and ($3 = $4 or replaced in ('', $5))";
  await insertSegment(client, { ...name, replaced }, segment);
  // A name is a text of the session too.
  const title = titleIn(segment.bytes);
  if (title !== undefined || replaced === DELETED)
    await client.query('update sanbot.sessions set name = $2 where owner = session_user and chain = $1', [name.chain, title]);
  await client.query(`delete from sanbot.segments where ${gone}`, [name.chain, name.hash, replaced, DELETED, name.replaced ?? '']);
}

/** One at a time: neither a long session nor the names of its segments fit into one answer. */
async function* read(client: Client, chain: string, from: number): AsyncGenerator<Segment> {
  for (let at = { seq: from, hash: '', replaced: '' }; ; ) {
    const { rows } = await client.query<typeof at & File>(
      `select seq, hash, replaced, file from sanbot.segments where owner = session_user and chain = $1 and seq >= $2
      and (seq, hash, replaced) > ($2, $3, $4) order by seq, hash, replaced limit 1`,
      [chain, at.seq, at.hash, at.replaced],
    );
    const [row] = rows;
    if (row === undefined) return;
    at = row;
    const segment = decodeSegment(row.file, { chain, hash: row.hash });
    if (segment?.seq === row.seq && (replacedOf(segment) ?? '') === row.replaced) yield segment;
  }
}
