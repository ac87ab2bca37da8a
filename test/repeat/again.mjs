/**
 * `npm run test:again -- [RUNS] [--full] [FILE…]`: runs the tests, or those of some files, so many times (20) with two busy loops beside them,
 * and says which were red. A test that is red once in a while reads too early what comes late: a busy machine brings that about. It can be
 * interrupted, and goes on where it was; why a test was red stands in node_modules/.cache/again.jsonl.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { keptRuns, runTests, tell } from './kept-runs.mjs';

const BUSY_LOOPS = 2;

const words = process.argv.slice(2);
const isFull = words.includes('--full');
const wanted = Number(words.find((word) => /^[1-9]\d*$/.test(word)) ?? 20);
const files = words.filter((word) => word !== '--full' && !/^\d+$/.test(word));

/** As the script of that name has vitest run. */
const script = JSON.parse(readFileSync('package.json', 'utf8')).scripts[isFull ? 'test:full' : 'test'];
const [, before = '', behind = ''] = /((?:[A-Z_]+=\S+ )*)vitest run([^'&]*)/.exec(script) ?? [];
const variables = Object.fromEntries(before.split(' ').flatMap((each) => (each === '' ? [] : [each.split('=')])));
const tests = files.length > 0 ? files : behind.split(' ').filter((word) => word !== '');

const { key, runs, add } = keptRuns('again', [isFull ? 'full' : 'quick', ...files].join(' '));
console.log(`${key}, beside ${BUSY_LOOPS} busy loops on ${availableParallelism()} processors`);
const loops = Array.from({ length: BUSY_LOOPS }, () => spawn(process.execPath, ['-e', 'for(;;);'], { stdio: 'ignore' }));
process.on('exit', () => {
  for (const loop of loops) loop.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));

const name = (at) => `run ${at + 1} of ${wanted}`;
for (const [at, run] of runs.entries()) tell(`${name(at)}, done before`, run);
while (runs.length < wanted) {
  const { printed: _, ...run } = await runTests(tests, variables);
  tell(name(runs.length), run);
  add(run);
}

const those = runs.slice(0, wanted);
const green = those.filter(({ red }) => red.length === 0).length;
const reds = those.flatMap(({ red }) => [...new Set(red.map((test) => test.name))]);
for (const red of new Set(reds)) console.log(`red in ${reds.filter((each) => each === red).length} of ${wanted}: ${red}`);
console.log(`${green} of ${wanted} green`);
process.exit(green === wanted ? 0 : 1);
