/**
 * What a step costs in sessions of so many messages, none of which leaves the context: the CPU of a run with some steps, without that of a
 * run with one. Beside it the wire's own: the same bytes sent by a program that does nothing else.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text, writeConfig, writeSession } from './generated-home.mjs';
import { startServer, streamOf } from './model-server.mjs';
import { environment, exponentOf, inFolder, median, program, runNode } from './run-program.mjs';

const FILES = 50;
/** So that nothing leaves the context. */
const CONFIG = {
  model: { name: 'bench', contextWindow: 20_000_000, maxOutputTokens: 8_000 },
  compaction: { maxMessages: 1_000_000, softWindow: 0 },
};

export async function measureSteps({ counts = [100, 1_000, 10_000, 20_000], steps = 81, rounds = 3, more = {} } = {}) {
  const points = [];
  for (const count of counts) {
    const rows = [];
    for (let round = 0; round < rounds; round++) {
      const [one, all] = [await runSteps(count, 1, more), await runSteps(count, steps, more)];
      const [wireOne, wireAll] = [await sendPlainly(all.bytes, 1), await sendPlainly(all.bytes, steps)];
      const perStep = (few, many) => (many.cpuMs - few.cpuMs) / (steps - 1);
      rows.push({ step: perStep(one, all), wire: perStep(wireOne, wireAll), memoryMb: all.memoryMb, open: one.cpuMs });
    }
    const of = (key) => median(rows.map((row) => row[key]));
    points.push({
      count,
      step: of('step'),
      wire: of('wire'),
      own: median(rows.map(({ step, wire }) => step - wire)),
      memoryMb: of('memoryMb'),
      open: of('open'),
    });
  }
  return { points, exponent: exponentOf(points.map(({ count, own }) => [count, own])) };
}

/** Resumes a session of so many messages, and lets the model call a tool so often but once. */
async function runSteps(count, steps, more) {
  return inFolder(async (folder) => {
    const [home, cwd] = [join(folder, 'home'), join(folder, 'project')];
    mkdirSync(cwd);
    for (let i = 0; i < FILES; i++) writeFileSync(join(cwd, `f${i}.txt`), text(i));
    writeConfig(home, { ...CONFIG, ...more });
    const id = writeSession(home, cwd, { messages: count });
    let bytes = 0;
    const server = await startServer((body, n) => {
      bytes = body.length;
      const block = n < steps ? callOf(n) : { type: 'text', text: 'Done.' };
      return streamOf(n, block, Math.ceil(bytes / 3));
    });
    try {
      const env = environment(folder, { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'k' });
      const argv = ['--resume', id, '-p', 'go', '--permission-mode', 'bypass', '--max-steps', '10000', '--output-format', 'json'];
      const used = await runNode([program, ...argv], { cwd, env });
      if (server.requests() !== steps) throw new Error(`${server.requests()} requests for ${steps} steps: ${used.printed}`);
      return { ...used, bytes };
    } finally {
      server.close();
    }
  });
}

const callOf = (n) => ({ type: 'tool_use', id: `c${n}`, name: 'read_file', input: { path: `f${n % FILES}.txt` } });

const PLAIN = `
  const [url, bytes, times] = process.argv.slice(1);
  const body = 'x'.repeat(Number(bytes));
  for (let n = 0; n < Number(times); n++) await (await fetch(url, { method: 'POST', body })).text();`;

async function sendPlainly(bytes, times) {
  return inFolder(async (folder) => {
    const server = await startServer((_, n) => streamOf(n, callOf(n), 1));
    try {
      const argv = ['--input-type=module', '-e', PLAIN, server.url, String(bytes), String(times)];
      return await runNode(argv, { cwd: folder, env: environment(folder) });
    } finally {
      server.close();
    }
  });
}
