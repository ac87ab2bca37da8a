// How long very long sessions take: npm run bench:long -- [MESSAGES…]
// A session of so many messages without a checkpoint is opened, takes one step with the offline model, which compacts it, takes another, is
// compacted by hand, and what its end remembers of all its calls is gathered. Each in a process of its own, with its processor time and the
// most memory it took. The processor's time for a message is what to compare: the clock's depends on what else the machine does.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

const ID = '20260102-030405-abcdef';
const AT = '2026-01-02T03:04:05.000Z';
const [, self = '', ...args] = process.argv;

async function measure(count) {
  const folder = mkdtempSync(join(tmpdir(), 'sanbot-long-'));
  try {
    const home = join(folder, '.sanbot');
    const cpu = await writeLog(home, folder, count);
    const bytes = statSync(join(home, 'sessions', ID, 'log.jsonl')).size;
    console.log(`${count} messages, ${(bytes / 1e6).toFixed(0)} MB`);
    for (const what of ['open', 'step', 'step again', 'compact', 'end']) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [self, '--child', what, home], { cwd: folder, encoding: 'utf8' });
      if (status !== 0) throw new Error(`${what}: ${stderr}`);
      const { ms, cpuMs, memoryMb, note } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
      console.log(
        `  ${what.padEnd(11)}${(ms / 1_000).toFixed(2)} s, processor ${(cpuMs / 1_000).toFixed(2)} s, ${((cpuMs / count) * 1_000).toFixed(0)} µs a message, ${memoryMb.toFixed(0)} MB${note}`,
      );
    }
    const share = (part) => `${((100 * part) / cpu.json).toFixed(1)} %`;
    console.log(`  checksum   ${(bytes / 1e6 / (cpu.crc / 1_000)).toFixed(0)} MB/s, ${share(cpu.crc)} of the time to write the JSON`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Words of a language of some thousands, the same in each run. */
function text(i) {
  const words = Array.from({ length: 30 }, (_, n) => `w${((i * 30 + n) * 2_654_435_761) % 4_093}`);
  return `Message ${i}: ${words.join(' ')}.`;
}

function messageOf(i) {
  const base = { id: `m${i}`, at: AT };
  if (i % 4 === 0) return { ...base, role: 'user', origin: 'user', content: [{ type: 'text', text: text(i) }] };
  if (i % 4 === 1)
    return {
      ...base,
      role: 'assistant',
      origin: 'model',
      content: [{ type: 'tool_use', id: `t${i}`, name: 'read_file', input: { path: `src/p${i}.ts` } }],
      stopReason: 'tool_use',
    };
  if (i % 4 === 2)
    return { ...base, role: 'user', origin: 'tools', content: [{ type: 'tool_result', tool_use_id: `t${i - 1}`, content: text(i) }] };
  return { ...base, role: 'assistant', origin: 'model', content: [{ type: 'text', text: text(i) }], stopReason: 'end_turn' };
}

async function writeLog(home, cwd, count) {
  const { encodeRecord } = await import('../dist/store/files/record-line.js');
  const context = { system: 'You are SanBot.', shortTermSummary: '', tools: [], messages: [], anchorFloor: 0 };
  const records = [{ type: 'header', n: 0, at: AT, v: 1, sessionId: ID, group: 'main', cwd, model: 'offline', context }];
  for (let i = 0; i < count; i++) records.push({ type: 'message', n: i + 1, at: AT, message: messageOf(i) });
  const lines = records.map(encodeRecord);
  const started = process.cpuUsage();
  const plain = records.map((record) => Buffer.from(JSON.stringify(record)));
  const json = process.cpuUsage(started);
  const begun = process.cpuUsage();
  for (const line of plain) crc32(line);
  const crc = process.cpuUsage(begun);
  mkdirSync(join(home, 'sessions', ID), { recursive: true, mode: 0o700 });
  writeFileSync(join(home, 'sessions', ID, 'log.jsonl'), Buffer.concat(lines), { mode: 0o600 });
  return { json: (json.user + json.system) / 1_000, crc: (crc.user + crc.system) / 1_000 };
}

async function child(what, home) {
  process.env.SANBOT_PROVIDER = 'offline';
  const started = performance.now();
  const note = what === 'open' ? await open(home) : what === 'end' ? await end(home) : await run(what, home);
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage();
  console.log(`\n${JSON.stringify({ ms, cpuMs: (user + system) / 1_000, memoryMb: process.resourceUsage().maxRSS / 1024, note })}`);
}

/** What the end of a session looks up, however short its context is by then: each of its calls. */
async function end(home) {
  const { sessionRuntime } = await import('../dist/context/memory/runtime-entries.js');
  const { allRecords } = await import('../dist/store/session/peek-session.js');
  const { pathsOf } = await import('../dist/store/files/paths.js');
  const session = await openSession(home);
  const entries = sessionRuntime(
    session.calls.tally(() => allRecords(pathsOf(home), ID)),
    { sessionId: ID },
  );
  session.close();
  return `, ${entries.length} entries`;
}

async function open(home) {
  const session = await openSession(home);
  const { length } = session.context.messages;
  session.close();
  return `, ${length} messages in the context`;
}

async function openSession(home) {
  const { Session } = await import('../dist/agent/session/session.js');
  const { createMeasure } = await import('../dist/context/measure/measure.js');
  const { createStore } = await import('../dist/store/store.js');
  const newId = () => Math.random().toString(36).slice(2);
  const probePid = (pid) => process.kill(pid, 0);
  const world = { home, now: () => new Date(), newId, pid: process.pid, platform: process.platform, probePid };
  const store = createStore(world, { maxSessionBytes: 1e9, warn: console.error });
  const session = new Session(store.sessions.open(ID), store.bodies(ID), {
    now: world.now,
    newId,
    measure: createMeasure((each) => each.length / 4),
  });
  return session;
}

async function run(what, home) {
  const { runCli } = await import('../dist/commands/program.js');
  const { processEnvironment } = await import('../dist/runtime/environment.js');
  const { openStreams } = await import('../dist/runtime/io-streams.js');
  const environment = processEnvironment();
  const io = openStreams(environment, () => undefined);
  const command = what === 'compact' ? ['compact', '--session', ID] : ['--resume', ID, '-p', 'status', '--output-format', 'json'];
  const code = await runCli([...command, '--home', home], { environment, io });
  return code === 0 ? '' : `, exit code ${code}`;
}

if (args[0] === '--child') await child(args[1] ?? '', args[2] ?? '');
else for (const count of args.length === 0 ? [10_000, 20_000, 100_000] : args.map(Number)) await measure(count);
