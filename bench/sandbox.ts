// What a command costs more because it runs in the sandbox: npm run bench:sandbox -- [FOLDER]
// Plans one for the folder (this one, when none is named) with the home and the /tmp of whoever runs this, and runs `true` by turns outside
// and inside. Printed are the processor's time of the two looks before a command, the mounts, and medians of the differences of the pairs: the
// clock's, and the processor's of all processes, for which bubblewrap waits for its child (`--as-pid-1`), as it otherwise does not.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isBilingual } from '../src/domain/language.ts';
import { findProblem, planMounts } from '../src/tools/command/sandbox/plan.ts';
import { createSessionTemporary } from '../src/tools/command/sandbox/temporary/session-temporary.ts';

const PAIRS = 50;
const WARM_UP = 20;
const COMMAND = ['/bin/sh', '-c', 'exec "$0" "$@" 2>&1', '/bin/sh', '-c', 'true'];

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Milliseconds of the processor, as a median, once the program is warm. */
function processorTime(work: () => void): number {
  const times = Array.from({ length: WARM_UP + PAIRS }, () => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  });
  return median(times.slice(WARM_UP));
}

/** Of the processes that have ended, in hundredths of a second. */
function childTime(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return Number(fields[13]) + Number(fields[14]);
}

type Cost = { readonly clock: number; readonly processor: number };

function run([program = '', ...args]: readonly string[]): Cost {
  const [start, before] = [performance.now(), childTime()];
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
  return { clock: performance.now() - start, processor: (childTime() - before) * 10 };
}

/** One is too short for the processor's clock, so that its figure is a mean. */
function pairs(inside: readonly string[]): Cost {
  const all = Array.from({ length: PAIRS }, () => ({ off: run(COMMAND), on: run(inside) }));
  const sum = (of: (each: (typeof all)[number]) => number): number => all.reduce((total, each) => total + of(each), 0);
  return {
    clock: median(all.map(({ off, on }) => on.clock - off.clock)),
    processor: sum(({ off, on }) => on.processor - off.processor) / PAIRS,
  };
}

const ms = (value: number): string => `${value.toFixed(1)} ms`;

const home = mkdtempSync(join(tmpdir(), 'sandbox-bench-'));
try {
  const folder = join(home, 'sessions', 'temporary');
  mkdirSync(folder, { recursive: true });
  const cwd = process.argv[2] ?? process.cwd();
  const temporary = createSessionTemporary(folder, () => false);
  const prepare = () => temporary.prepare('true', [cwd, home, process.env.HOME ?? home]);
  const { mounts, done } = prepare();
  done();
  const place = { cwd, home, userHome: process.env.HOME, readable: [], shown: [], runFiles: [], env: process.env, temporary: mounts };
  const plan = planMounts(place, { network: false });
  if (isBilingual(plan)) throw new Error(plan.en);
  const { args } = plan;
  const wrapped = (all: readonly string[]) => ['bwrap', ...all.slice(0, -1), '--as-pid-1', '--', ...COMMAND];
  const mountCount = args.filter((arg) => /^--(?:ro-)?bind(?:-try|-data)?$|^--(?:tmpfs|dev|proc)$/.test(arg)).length;
  const isolated = args.slice(args.indexOf('--unshare-all'));
  console.log(`the look before a question: ${ms(processorTime(() => findProblem(place, { network: false })))}`);
  console.log(`the plan: ${ms(processorTime(() => planMounts(place, { network: false })))}`);
  console.log(`the session's /tmp: ${ms(processorTime(() => prepare().done()))}`);
  console.log(`mounts: ${mountCount}, of them ${mounts.readable.length} for what the user has in /tmp and /var/tmp`);
  for (const [what, inside] of [
    ['a command', args],
    ['– without these of /tmp', planWithout(place)],
    ['– with one mount, the disk', ['--ro-bind', '/', '/', ...isolated]],
  ] as const) {
    const { clock, processor } = pairs(wrapped(inside));
    console.log(`${what}: ${ms(processor)} of the processor more than outside, ${ms(clock)} of the clock`);
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}

function planWithout(place: Parameters<typeof planMounts>[0]): readonly string[] {
  const { folders = [] } = place.temporary ?? {};
  const plan = planMounts({ ...place, temporary: { folders, readable: [] } }, { network: false });
  return isBilingual(plan) ? [] : plan.args;
}
