import { connect, createServer } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { initHub, withHub } from '../../../../src/sync/postgres/postgres.ts';
import { ACTS, breakOff, type Hub } from '../../../contract/broken-hub.ts';
import { afterThisTest } from '../../../support/clean-up.ts';
import { PG_PASSWORD, startPostgres } from '../../../support/postgres-server.ts';
import { isWhole } from '../../../support/share.ts';

const server = await startPostgres();
afterAll(server.stop);
const env = { PGPASSWORD: PG_PASSWORD };

type Cut = { at: number; readonly mode: 'before' | 'after'; readonly act: () => Promise<void> };

/** Stands before the server and counts what a client says. At one of its words the connection breaks: before the server hears it, or before its answer comes. */
async function proxyTo(port: number) {
  let cut: Cut | undefined;
  const proxy = createServer((client) => {
    const to = connect(port, '127.0.0.1');
    const both = [client, to];
    for (const socket of both) socket.on('error', () => undefined);
    const end = (): void => {
      for (const socket of both) socket.destroy();
    };
    for (const socket of both) socket.on('close', end);
    client.on('data', async (bytes) => {
      const mine = cut !== undefined && --cut.at === 0 ? cut : undefined;
      if (mine === undefined) return void to.write(bytes);
      to.removeAllListeners('data');
      if (mine.mode === 'after') {
        const answered = new Promise((resolve) => to.once('data', resolve));
        to.write(bytes);
        await answered;
      }
      await mine.act();
      end();
    });
    to.on('data', (bytes) => client.write(bytes));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => proxy.once('listening', resolve));
  afterThisTest(() => void proxy.close());
  const address = proxy.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    /** Whether the next cut came. */
    cutAt: (next: Cut | undefined): boolean => {
      const came = cut !== undefined && cut.at <= 0;
      cut = next;
      return came;
    },
  };
}

describe.skipIf(server.missing !== undefined)(`a hub that breaks off (${server.missing ?? 'with a server'})`, async () => {
  if (server.missing === undefined) await server.role('alice');

  const at = server.missing === undefined ? await server.database() : () => '';

  const tried = async (act: (typeof ACTS)[number], { at: cutAt, mode, act: does }: Cut): Promise<boolean> => {
    await server.admin(at('postgres'), (client) => client.query('drop schema if exists sanbot cascade'));
    await initHub(at('postgres'), ['alice'], { env });
    const direct: Hub = (machine, work) => withHub(at('alice'), { env }, work, machine);
    const port = Number(/:(\d+)\//.exec(at('alice'))?.[1]);
    const proxy = await proxyTo(port);
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

  const SERVER_WORDS = isWhole ? 1 : 7;
  const CUT_WORDS = isWhole ? 1 : 3;

  test.each(ACTS)('loses nothing, and parts from nothing twice, where $name is cut off in the middle of any statement', async (act) => {
    let count = 0;
    for (const mode of ['before', 'after'] as const)
      for (let word = 1; await tried(act, { at: word, mode, act: async () => undefined }); word += CUT_WORDS) count += 1;
    expect(count).toBeGreaterThan(10);
    process.stdout.write(`hub cut off during ${act.name}: ${count} of ${count}\n`);
  });

  test.each(ACTS)('the same where the server is killed', async (act) => {
    let count = 0;
    for (let word = 5; await tried(act, { at: word, mode: count % 2 === 0 ? 'after' : 'before', act: server.crash }); word += SERVER_WORDS)
      count += 1;
    expect(count).toBeGreaterThan(2);
    process.stdout.write(`hub killed during ${act.name}: kills: ${count} of ${count}\n`);
  });
});
