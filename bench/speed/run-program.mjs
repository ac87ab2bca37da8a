/** Runs programs in processes of their own and says what they took: CPU of all their threads, since others on the machine change the clock. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');
export const program = join(root, 'bin', 'sanbot.js');

/** A folder that is gone once `work` is done. */
export async function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'sanbot-speed-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What every run finds: nothing of the person who measures. */
export const environment = (folder, more = {}) => ({
  PATH: process.env.PATH,
  HOME: folder,
  SANBOT_HOME: join(folder, 'home'),
  CI: '1',
  ...more,
});

/** What the person who measures wants of Node: `--cpu-prof --cpu-prof-dir=FOLDER` writes a profile of each program. */
const profiling = (process.env.BENCH_NODE_OPTIONS ?? '').split(' ').filter((each) => each !== '');

/** Runs node with these arguments to its end. Throws what it printed when it fails. */
export async function runNode(argv, { cwd, env, node = process.execPath }) {
  const usage = join(cwd, `usage-${Math.random()}.json`);
  const tell = ['--require', join(import.meta.dirname, 'tell-usage.cjs')];
  const { printed } = await start(node, [...profiling, ...tell, ...argv], { cwd, env: { ...env, BENCH_USAGE: usage } });
  const used = JSON.parse(readFileSync(usage, 'utf8'));
  rmSync(usage);
  return { ...used, printed };
}

/** The same, and the CPU is that of the whole process, its beginning and end too: what a start is compared by. */
export async function timeNode(argv, { cwd, env, node = process.execPath }) {
  const script = 'TIMEFORMAT="%3U %3S"; time "$@" >/dev/null 2>&1';
  const { printed } = await start('bash', ['-c', script, 'bash', node, ...argv], { cwd, env });
  const [user, system] = printed.trim().split(' ').map(Number);
  return { cpuMs: (user + system) * 1_000, memoryMb: undefined };
}

async function start(file, argv, { cwd, env }) {
  const child = spawn(file, argv, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}: ${printed.slice(-2_000)}`);
  return { printed };
}

/** What a process that still runs has taken so far. Linux tells it. */
export function usageOf(pid) {
  const ns = readdirSync(`/proc/${pid}/task`).reduce(
    (sum, task) => sum + Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]),
    0,
  );
  const [, kb] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return { cpuMs: ns / 1e6, memoryMb: Number(kb) / 1_024 };
}

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;

/** The exponent of growth: 0 where a value does not grow, 1 where it grows as fast as the size. */
export function exponentOf(points) {
  const logs = points.map(([size, value]) => [Math.log(size), Math.log(Math.max(value, 0.01))]);
  const mean = (at) => logs.reduce((sum, point) => sum + point[at], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  return logs.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0) / logs.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
}

export const nodeVersion = (node) => `Node ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}`;
