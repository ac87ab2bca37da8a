import { afterAll, describe, expect, test } from 'vitest';
import { PG_PASSWORD, startPostgres } from '../../support/postgres-server.ts';
import { createSandbox } from '../../support/sanbot.ts';
import { talking } from '../../support/talking.ts';

const server = await startPostgres();
afterAll(server.stop);
const env = { SANBOT_PROVIDER: 'offline', PGPASSWORD: PG_PASSWORD };

/** A clock that is wrong by so many hours, in the whole process. */
const clockOff = (hours: number): readonly string[] => {
  const code = `const Real = Date; const off = ${hours} * 3600000;
  globalThis.Date = class extends Real { constructor(...a) { super(...(a.length === 0 ? [Real.now() + off] : a)); } static now() { return Real.now() + off; } };`;
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`];
};

describe.skipIf(server.missing !== undefined)(`a session that is open (${server.missing ?? 'with a server'})`, async () => {
  if (server.missing === undefined) await server.role('alice');

  test('of a process that was stopped for longer than its lease goes on in a fork, told in one line, whatever the clocks say', async () => {
    const [a, b, at] = [createSandbox(env), createSandbox(env), await server.database()];
    await a.run(['hub', 'init', at('postgres'), '--member', 'alice']);
    const lastWords = (chain: string) =>
      server.admin(at('postgres'), async (client) => {
        const sql = 'select holder, lease_until as until, lease_until > clock_timestamp() as held from sanbot.sessions where chain = $1';
        return (await client.query(sql, [chain])).rows[0];
      });
    await server.admin(at('postgres'), (client) => client.query("update sanbot.hub set lease = '2 seconds'"));
    for (const home of [a, b]) await home.run(['hub', 'join', at('alice')]);

    const late = talking(a, [], clockOff(1));
    await late.say('begun in a');
    const [id = ''] = a.names('sessions');
    await expect.poll(() => lastWords(id), { timeout: 200_000 }).toMatchObject({ held: true });
    await expect.poll(async () => (await b.run(['sync'])).code === 0 && b.names('sessions').includes(id), { timeout: 200_000 }).toBe(true);
    // Nothing is written, and it is renewed.
    const { until } = await lastWords(id);
    await expect.poll(async () => (await lastWords(id)).until > until, { timeout: 200_000 }).toBe(true);

    late.kill('SIGSTOP');
    await expect.poll(() => lastWords(id), { timeout: 200_000 }).toMatchObject({ held: false });
    const other = talking(b, ['--resume', id], clockOff(-1));
    await other.say('gone on with in b');
    await expect.poll(() => lastWords(id), { timeout: 200_000 }).toMatchObject({ held: true, holder: expect.not.stringMatching(/^$/) });
    late.kill('SIGCONT');
    await late.say('only in a');
    await expect
      .poll(late.err, { timeout: 200_000 })
      .toMatch(
        new RegExp(
          `^sanbot: Session ${id} was taken over by \\S+ at \\S+Z: what is said here goes on in the hub as session ${id}-[0-9a-f]{8}\\.$`,
          'm',
        ),
      );
    await late.say('still only in a');
    await other.say('and once more in b');
    await late.end();
    await other.end();
    expect(late.err().match(/was taken over/g)).toHaveLength(1);
    expect(other.err()).not.toContain('taken over');

    // Nothing that was said is lost, and each state is whole.
    const c = createSandbox(env);
    await c.run(['hub', 'join', at('alice')]);
    await expect
      .poll(
        async () => {
          await c.run(['sync']);
          return c
            .names('sessions')
            .map((name) =>
              ['begun in a', 'gone on with in b', 'once more in b', '"only in a', 'still only in a'].filter((said) =>
                c.read(`sessions/${name}/log.jsonl`).includes(said),
              ),
            );
        },
        { timeout: 200_000 },
      )
      .toEqual([
        ['begun in a', 'gone on with in b', 'once more in b'],
        ['begun in a', '"only in a', 'still only in a'],
      ]);
  });
});
