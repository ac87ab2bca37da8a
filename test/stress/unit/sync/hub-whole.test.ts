import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { purge } from '../../../../src/store/purge/purge.ts';
import type { SyncTarget } from '../../../../src/sync/port.ts';
import { initHub, withHub } from '../../../../src/sync/postgres/postgres.ts';
import { textsIn } from '../../../contract/broken-hub.ts';
import { user } from '../../../support/build.ts';
import { PG_PASSWORD, startPostgres } from '../../../support/postgres-server.ts';
import { filesWith, type SyncedHome, statesOf, syncedHome } from '../../../support/synced-homes.ts';
import { storeOf } from '../../../unit/store/files/world.ts';

const server = await startPostgres();
afterAll(server.stop);
const env = { PGPASSWORD: PG_PASSWORD };

const SECRET = 'hunter2-long-secret';

const exchanged = (address: string, home: SyncedHome) =>
  withHub(address, { env }, ({ target }: { readonly target: SyncTarget }) => home.exchange(target), home.home);

describe.skipIf(server.missing !== undefined)(`a hub as a whole (${server.missing ?? 'with a server'})`, async () => {
  if (server.missing === undefined) await server.role('alice');

  const FULL = `create function full_disk() returns trigger language plpgsql as $$ begin
    raise exception 'could not extend file "base/5/1": No space left on device' using errcode = '53100'; end $$;`;

  test.each([
    [
      'whose disk is full for segments',
      `${FULL} create trigger full_disk before insert on sanbot.segments execute function full_disk()`,
      'its disk is full',
    ],
    [
      'whose disk is full for results',
      `${FULL} create trigger full_disk before insert on sanbot.objects execute function full_disk()`,
      'its disk is full',
    ],
    ['that is a replica', 'alter role alice in database DB set default_transaction_read_only = on', 'the server takes no changes'],
  ])('%s says so, keeps nothing half done, and gets all of it later', async (_, sql, said) => {
    const at = await server.database();
    await initHub(at('postgres'), ['alice'], { env });
    const [a, b] = [syncedHome('laptop'), syncedHome('desktop')];
    a.write('s1', 'hello');
    await exchanged(at('alice'), a);
    saysResult(a, 's1', 'a large result');
    const name = /\/(hub\d+)/.exec(at('alice'))?.[1] ?? '';
    const asAdmin = (text: string) => server.admin(at('postgres'), (client) => client.query(text.replace('DB', name)));
    await asAdmin(sql);
    await expect(exchanged(at('alice'), a)).rejects.toMatchObject({
      code: 'refused',
      shown: { message: { en: expect.stringContaining(said) }, hint: { zh: expect.any(String) } },
    });
    const segments = 'select 1 from sanbot.segments';
    const before = (await asAdmin(segments)).rowCount;
    await asAdmin(sql.startsWith('alter') ? 'alter role alice in database DB reset all' : 'drop function full_disk cascade');
    expect(await exchanged(at('alice'), a)).toMatchObject({ sent: 1, forks: [] });
    expect((await asAdmin(segments)).rowCount).toBe(Number(before) + 1);
    await exchanged(at('alice'), b);
    expect(statesOf(b)).toEqual(statesOf(a));
  });

  const dump = join(server.programs, 'pg_dump');
  test.skipIf(!existsSync(dump))(
    'that was dumped and restored into a new server is the same hub: its members go on, and what they wrote after the dump goes there again',
    async () => {
      const at = await server.database();
      await initHub(at('postgres'), ['alice'], { env });
      const [a, b] = [syncedHome('laptop'), syncedHome('desktop')];
      a.write('s1', 'hello');
      a.write('s3', `the password is ${SECRET}`);
      for (const home of [a, b]) await exchanged(at('alice'), home);
      const idAt = (address: string) => withHub(address, { env }, async ({ id }) => id);
      const id = await idAt(at('alice'));
      const run = (program: string, address: string, input?: string) =>
        spawnSync(join(server.programs, program), [address], { env: { PGPASSWORD: PG_PASSWORD }, encoding: 'utf8', input });
      const dumped = run('pg_dump', at('postgres'));
      expect(dumped).toMatchObject({ status: 0, stderr: '' });
      a.write('s1', 'after the dump');
      a.write('s2', 'a session after the dump');
      saysResult(a, 's2', 'a result after the dump');
      a.store.memories('main').remember(a.fact('The port after the dump is 5433'));
      for (const home of [a, b]) await exchanged(at('alice'), home);
      b.write('s2', 'gone on with after the dump');
      purge(storeOf({ home: b.home }).disk, b.paths, SECRET);
      for (const home of [b, a]) await exchanged(at('alice'), home);
      const other = await startPostgres();
      try {
        await other.role('alice');
        const to = await other.database();
        expect(run('psql', to('postgres'), dumped.stdout)).toMatchObject({ status: 0, stderr: '' });
        expect(await idAt(to('alice'))).toBe(id);
        b.write('s1', 'after the restore');
        expect(await exchanged(to('alice'), b)).toMatchObject({ forks: [], waiting: new Set() });
        expect(await exchanged(to('alice'), a)).toMatchObject({ received: 1, forks: [], waiting: new Set() });
        const c = syncedHome('new');
        expect(await exchanged(to('alice'), c)).toMatchObject({ forks: [], waiting: new Set() });
        expect(await textsIn((machine, work) => withHub(to('alice'), { env }, work, machine))).not.toContain(SECRET);
        for (const home of [b, c]) {
          expect(statesOf(home)).toEqual(statesOf(a));
          expect(home.facts()).toBe(a.facts());
          expect(filesWith(home.home, 'a result after the dump')).toHaveLength(1);
        }
        const all = statesOf(c).join();
        for (const text of ['hello', 'after the dump', 'a session after', 'gone on with after', 'after the restore'])
          expect(all).toContain(text);
        for (const home of [a, b]) expect(await exchanged(to('alice'), home)).toMatchObject({ sent: 0, received: 0 });
      } finally {
        await other.stop();
      }
    },
  );
});

function saysResult(home: SyncedHome, id: string, text: string): void {
  const saved = home.store.bodies(id).save(text);
  if (saved === undefined) throw new Error('unreachable');
  const { log } = home.store.sessions.open(id);
  log.append({ type: 'message', message: { ...user('look'), stubs: [{ toolUseId: 't1', tool: 'read_file', body: saved.ref }] } });
  log.close();
}
