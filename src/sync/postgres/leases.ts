import type { Client } from 'pg';
import type { Fence, Holder, Leases } from '../port.ts';

/** Times are those of the server alone, so that no clock of a machine decides who writes. */
const LEASE = 'clock_timestamp() + (select lease from sanbot.hub)';
const IS_FREE = 's.lease_until is null or s.lease_until <= clock_timestamp() or s.holder = $2';

/** `holder`: whoever asks; a chain that it holds already it gets again. */
export function createLeases(client: Client, holder: string): Leases & { readonly acquire: (chain: string) => Promise<Fence | Holder> } {
  const lastHolder = async (chain: string): Promise<Holder | undefined> => {
    const { rows } = await client.query<Holder>(
      'select holder, held_since as since from sanbot.sessions where owner = session_user and chain = $1 and holder is not null',
      [chain],
    );
    return rows[0];
  };
  const take = async (chain: string, sql: string): Promise<Fence | Holder> => {
    for (;;) {
      const { rows } = await client.query<{ epoch: string }>(sql, [chain, holder]);
      if (rows[0] !== undefined) return { chain, epoch: Number(rows[0].epoch) };
      const other = await lastHolder(chain);
      // It may be gone by now.
      if (other !== undefined) return other;
    }
  };
  return {
    lastHolder,
    // An exchange writes beside the process of this home that has the session open, by its right.
    acquire: (chain) =>
      take(
        chain,
        `insert into sanbot.sessions as s (chain, epoch) values ($1, 1) on conflict (owner, chain) do update
        set epoch = s.epoch + case when s.lease_until > clock_timestamp() then 0 else 1 end where ${IS_FREE} returning epoch`,
      ),
    hold: (chain) =>
      take(
        chain,
        `insert into sanbot.sessions as s (chain, epoch, holder, held_since, lease_until)
        values ($1, 1, $2, clock_timestamp(), ${LEASE}) on conflict (owner, chain) do update
        set epoch = s.epoch + 1, holder = $2, held_since = clock_timestamp(), lease_until = ${LEASE} where ${IS_FREE} returning epoch`,
      ),
    renew: async ({ chain, epoch }) => {
      const { rowCount } = await client.query(
        `update sanbot.sessions set lease_until = ${LEASE} where owner = session_user and chain = $1 and epoch = $2`,
        [chain, epoch],
      );
      return rowCount === 1;
    },
    release: async ({ chain, epoch }) => {
      await client.query(
        'update sanbot.sessions set lease_until = clock_timestamp() where owner = session_user and chain = $1 and epoch = $2',
        [chain, epoch],
      );
    },
    ms: async () => {
      const { rows } = await client.query<{ ms: string }>('select extract(epoch from lease) * 1000 as ms from sanbot.hub');
      return Number(rows[0]?.ms);
    },
  };
}
