import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withHub } from '../../../src/sync/postgres/postgres.ts';
import { textsIn } from '../../contract/broken-hub.ts';
import { stepsToKill, tellKills } from '../../crash/kills.ts';
import { afterThisFile } from '../../support/clean-up.ts';
import { copyTree } from '../../support/copied-world.ts';
import { proxyTo } from '../../support/cut-proxy.ts';
import { PG_PASSWORD, startPostgres } from '../../support/postgres-server.ts';
import { binary, createSandbox, type Sandbox } from '../../support/sanbot.ts';
import { filesWith } from '../../support/synced-homes.ts';

const server = await startPostgres();
afterAll(server.stop);
const ENV = { SANBOT_PROVIDER: 'offline', PGPASSWORD: PG_PASSWORD };
const SECRET = 'hunter2-long-secret';

/** The database of the kills, and from which it is made anew for each. */
const DATABASE = 'killed';
const PARTED = 'hub1';
const OLDER = 'older';

let proxy: Awaited<ReturnType<typeof proxyTo>>;
let direct: (role: string) => string;
let through: (role: string) => string;
/** Two machines that are to pull a session, push one, a fork of one that went on on both, purge a text and delete a session. */
let world: readonly [Sandbox, Sandbox];
let forked: string;
let saved: string;

const asAdmin = (...lines: readonly string[]) =>
  server.admin(direct('postgres').replace(DATABASE, 'postgres'), async (client) => {
    for (const sql of lines) await client.query(sql);
  });

async function restore(from = PARTED): Promise<void> {
  for (const [at, { home }] of world.entries()) copyTree(join(saved, String(at)), home);
  await asAdmin(`drop database if exists ${DATABASE} with (force)`, `create database ${DATABASE} template ${from}`);
}

async function makeWorld(): Promise<void> {
  await server.role('alice');
  const at = await server.database();
  const port = Number(/:(\d+)\//.exec(at('alice'))?.[1]);
  proxy = await proxyTo(port);
  afterThisFile(proxy.close);
  direct = (role) => at(role).replace(PARTED, DATABASE);
  through = (role) => direct(role).replace(`:${port}/`, `:${proxy.port}/`);
  world = [createSandbox(ENV), createSandbox(ENV)];
  const [a, b] = world;
  saved = join(createSandbox(ENV).cwd, 'saved');
  await a.run(['hub', 'init', at('postgres'), '--member', 'alice']);
  await server.admin(at('postgres'), (client) => client.query("update sanbot.hub set lease = '1 second'"));
  await a.run(['-p', `together, with ${SECRET}`]);
  await a.run(['-p', 'a session to be deleted']);
  for (const home of world) await home.run(['hub', 'join', at('alice')]);
  for (const home of world) await home.run(['sync']);
  const ids = a.names('sessions');
  forked = ids.find((id) => a.read(`sessions/${id}/log.jsonl`).includes('together')) ?? '';
  const targets = (home: Sandbox) => join(home.home, 'sync', 'targets.json');
  const replaceIn = (home: Sandbox, from: string, to: string): void =>
    writeFileSync(targets(home), readFileSync(targets(home), 'utf8').replaceAll(from, to), { mode: 0o600 });
  // Nobody hears of what is said meanwhile.
  for (const home of world) replaceIn(home, `:${port}/`, ':1/');
  await b.run(['--resume', forked, '-p', 'went on on b']);
  await b.run(['-p', 'only on b']);
  replaceIn(b, ':1/', `:${port}/`);
  await b.run(['sync']);
  await a.run(['sessions', 'delete', ids.find((id) => id !== forked) ?? '', '--everywhere', '--yes']);
  await a.run(['--resume', forked, '-p', 'went on on a']);
  await a.run(['-p', 'only on a']);
  await a.run(['purge', '--match', SECRET, '--yes']);
  replaceIn(a, ':1/', `:${port}/`);
  for (const home of world) replaceIn(home, `:${port}/${PARTED}`, `:${proxy.port}/${DATABASE}`);
  mkdirSync(saved);
  for (const [which, { home }] of world.entries()) copyTree(home, join(saved, String(which)));
  await asAdmin(`create database ${OLDER} template ${PARTED}`);
  await server.admin(at('postgres').replace(PARTED, OLDER), (client) =>
    client.query('update sanbot.hub set version = 3; alter table sanbot.segments drop column bytes'),
  );
}

type Killed = 'SanBot' | 'the server';
type Line = { readonly home: Sandbox; readonly args: readonly string[]; readonly env?: Readonly<Record<string, string>> };

/** Runs the program; at its K-th word to the server, or while that answers, one of the two is killed. */
async function runKilled({ home, args, env }: Line, kill: number, killed: Killed) {
  const child = spawn(process.execPath, [binary, ...args], {
    cwd: home.cwd,
    env: { ...home.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once('close', (_, signal) => resolve(signal)));
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => {
      out += piece;
    });
  let restarted: Promise<void> | undefined;
  const act = async (): Promise<void> => {
    restarted = killed === 'SanBot' ? undefined : server.crash();
    if (killed === 'SanBot') child.kill('SIGKILL');
    await (restarted ?? ended);
  };
  const before = proxy.words();
  proxy.cutAt({ at: kill, mode: kill % 2 === 0 ? 'before' : 'after', act });
  const signal = await ended;
  await restarted;
  proxy.cutAt(undefined);
  return { isKilled: killed === 'SanBot' ? signal === 'SIGKILL' : restarted !== undefined, out, words: proxy.words() - before };
}

type Trial = { readonly what: string; readonly killed: Killed; readonly from?: string; readonly line: () => Promise<Line> };

/** Kills one of the two at each word; `check` says what is wrong afterwards. */
async function killAtEachWord({ what, killed, from, line }: Trial, check: (told: string) => Promise<readonly string[]>): Promise<void> {
  await restore(from);
  const { words } = await runKilled(await line(), Number.POSITIVE_INFINITY, killed);
  expect(words, what).toBeGreaterThan(5);
  const problems: string[] = [];
  const chosen = stepsToKill(words, { least: 3 });
  let kills = 0;
  for (const kill of chosen) {
    await restore(from);
    const { isKilled, out } = await runKilled(await line(), kill, killed);
    kills += Number(isKilled);
    // After its last words, which nothing answers, it may have ended.
    const wrong = isKilled || kill >= words - 1 ? [] : [`not killed: ${out}`];
    problems.push(...[...wrong, ...(await check(out))].map((problem) => `word ${kill}: ${problem}`));
  }
  tellKills(`${killed} killed over a hub: ${what}`, { kills, steps: words, problems: problems.length });
  expect(problems).toEqual([]);
}

const inHub = () => textsIn((machine, work) => withHub(direct('alice'), { env: ENV }, work, machine));

describe.skipIf(server.missing !== undefined)(`over a hub (${server.missing ?? 'with a server'})`, () => {
  if (server.missing === undefined) beforeAll(makeWorld, 600_000);

  test.each([
    ['an exchange that sends, purges and deletes', 0],
    ['an exchange that receives, purges and deletes', 1],
  ] as const)(
    '%s, killed at any word, loses nothing and forks nothing that nobody is told of',
    async (what, who) => {
      const line = async (): Promise<Line> => {
        if (who === 1) await world[0].run(['sync']);
        return { home: world[who], args: ['sync'] };
      };
      await killAtEachWord({ what, killed: 'SanBot', line }, async (out) => {
        const wrong: string[] = [];
        let told = out;
        for (const at of [who, 1 - who, who, 1 - who]) {
          const next = await (world[at] ?? world[0]).run(['sync']);
          if (next.code !== 0) wrong.push(next.err);
          if (at === who) told += next.out;
        }
        for (const { home, names } of world) {
          for (const text of ['together', 'went on on a', 'went on on b', 'only on a', 'only on b'])
            if (filesWith(join(home, 'sessions'), text).length === 0) wrong.push(`${text} is gone`);
          if (names('sessions').length !== 4) wrong.push(`${names('sessions').length} sessions`);
          if (filesWith(home, SECRET).length > 0) wrong.push('the secret is there');
        }
        const there = await inHub();
        for (const text of [SECRET, 'a session to be deleted']) if (there.includes(text)) wrong.push(`${text} is in the hub`);
        if (!told.includes(`session ${forked} went on on`)) wrong.push('nobody was told of the fork');
        return wrong;
      });
    },
    3_600_000,
  );

  test('a run that takes a session and goes on with it, killed at any word, loses nothing that it told, and another goes on', async () => {
    const runnerOf = (): Sandbox => {
      const made = createSandbox({ ...ENV, SANBOT_HUB: through('alice') });
      mkdirSync(made.home, { recursive: true });
      writeFileSync(join(made.home, 'config.json'), JSON.stringify({ hub: { acknowledge: 'hub' } }), { mode: 0o600 });
      return made;
    };
    let first = runnerOf();
    const line = async (): Promise<Line> => {
      first = runnerOf();
      return { home: first, args: ['-p', 'said by the runner', '--resume', forked] };
    };
    await killAtEachWord({ what: 'a lease, a pull and a push', killed: 'SanBot', line }, async (out) => {
      const wrong: string[] = [];
      const next = await runnerOf().run(['-p', 'said by the next', '--resume', forked, '--wait', '60']);
      if (next.code !== 0) wrong.push(next.err);
      // The disk of the killed one is not always thrown away.
      const wrote = filesWith(join(first.home, '..'), 'said by the runner').length > 0;
      const isHere = first.names('sessions').length > 0;
      const synced = isHere ? await first.run(['sync']) : undefined;
      if (synced !== undefined && synced.code !== 0) wrong.push(synced.err);
      const there = await inHub();
      for (const text of ['together', 'went on on b', 'said by the next', ...(wrote || out !== '' ? ['said by the runner'] : [])])
        if (!there.includes(text)) wrong.push(`${text} is gone`);
      const { rows } = await server.admin(direct('alice'), (client) =>
        client.query(`select distinct chain from sanbot.segments where starts_with(chain, '${forked}')`),
      );
      if (rows.length > 1 && synced?.out.includes('went on') !== true) wrong.push(`${rows.length} continuations, and nobody was told`);
      return wrong;
    });
  }, 3_600_000);

  test.each([
    ['SanBot', 'an upgrade', OLDER],
    ['the server', 'an upgrade', OLDER],
    ['SanBot', 'a new hub', 'template1'],
    ['the server', 'a new hub', 'template1'],
  ] as const)(
    '%s killed at any word of %s leaves the schema as it was, or all of the new one',
    async (killed, what, from) => {
      const args = ['hub', 'init', through('postgres'), '--member', 'alice'];
      await killAtEachWord({ what, killed, from, line: async () => ({ home: world[0], args }) }, async () => {
        const wrong: string[] = [];
        const { rows } = await server.admin(direct('postgres'), (client) =>
          client.query(`select (select count(*) from information_schema.tables where table_schema = 'sanbot')::int as tables,
            (select count(*) from information_schema.columns where table_schema = 'sanbot' and column_name = 'bytes')::int as columns`),
        );
        const [{ tables, columns }] = rows;
        // The view of sessions has a column of that name too.
        const isWhole = tables === 0 ? from === 'template1' : columns === 2 || (columns === 1 && from === OLDER);
        if (!isWhole) wrong.push(`${tables} tables, ${columns} columns`);
        for (const line of [args, args]) {
          const again = await world[0].run(line);
          if (again.code !== 0) wrong.push(again.err);
        }
        for (const home of from === OLDER ? [...world, ...world] : []) {
          const next = await home.run(['sync']);
          if (next.code !== 0) wrong.push(next.err);
        }
        if (from === OLDER && !(await inHub()).includes('only on a')) wrong.push('something is gone');
        return wrong;
      });
    },
    3_600_000,
  );
});
