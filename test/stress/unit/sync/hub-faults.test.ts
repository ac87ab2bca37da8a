import { afterAll, describe, expect, test } from 'vitest';
import { initHub, withHub } from '../../../../src/sync/postgres/postgres.ts';
import { ACTS, breakOff, type Hub } from '../../../contract/broken-hub.ts';
import { afterThisTest } from '../../../support/clean-up.ts';
import { type Cut, proxyTo } from '../../../support/cut-proxy.ts';
import { PG_PASSWORD, startPostgres } from '../../../support/postgres-server.ts';
import { isWhole } from '../../../support/share.ts';

const server = await startPostgres();
afterAll(server.stop);
const env = { PGPASSWORD: PG_PASSWORD };

describe.skipIf(server.missing !== undefined)(`a hub that breaks off (${server.missing ?? 'with a server'})`, async () => {
  if (server.missing === undefined) await server.role('alice');

  const at = server.missing === undefined ? await server.database() : () => '';

  const tried = async (act: (typeof ACTS)[number], { at: cutAt, mode, act: does }: Cut): Promise<boolean> => {
    await server.admin(at('postgres'), (client) => client.query('drop schema if exists sanbot cascade'));
    await initHub(at('postgres'), ['alice'], { env });
    const direct: Hub = (machine, work) => withHub(at('alice'), { env }, work, machine);
    const port = Number(/:(\d+)\//.exec(at('alice'))?.[1]);
    const proxy = await proxyTo(port);
    afterThisTest(proxy.close);
    let isDone: Promise<void> | undefined;
    const once = (): Promise<void> => {
      isDone = does();
      return isDone;
    };
    const through: Hub = (machine, work) =>
      withHub(at('alice').replace(`:${port}/`, `:${proxy.port}/`), { env }, work, machine).finally(() => isDone);
    proxy.cutAt({ at: cutAt, mode, act: once });
    const where = `${act.name}, cut ${mode} word ${cutAt}`;
    const failed = await breakOff(act, { direct, broken: () => through, where });
    const came = proxy.cutAt(undefined);
    // One line with what, where and what next; at the very last word nobody waits for an answer.
    if (failed !== undefined) expect(failed, where).toMatchObject({ code: 'refused', shown: { hint: { en: expect.any(String) } } });
    return came;
  };

  const HOUR = 3_600_000;
  const SERVER_WORDS = isWhole ? 1 : 7;
  const CUT_WORDS = isWhole ? 1 : 3;

  test.each(ACTS)(
    'loses nothing, and parts from nothing twice, where $name is cut off in the middle of any statement',
    async (act) => {
      let count = 0;
      for (const mode of ['before', 'after'] as const)
        for (let word = 1; await tried(act, { at: word, mode, act: async () => undefined }); word += CUT_WORDS) count += 1;
      expect(count).toBeGreaterThan(10);
      process.stdout.write(`hub cut off during ${act.name}: ${count} of ${count}\n`);
    },
    HOUR,
  );

  test.each(ACTS)(
    'the same where the server is killed',
    async (act) => {
      let count = 0;
      const cut = (at: number): Cut => ({ at, mode: count % 2 === 0 ? 'after' : 'before', act: server.crash });
      for (let word = 5; await tried(act, cut(word)); word += SERVER_WORDS) count += 1;
      expect(count).toBeGreaterThan(2);
      process.stdout.write(`hub killed during ${act.name}: kills: ${count} of ${count}\n`);
    },
    HOUR,
  );
});
