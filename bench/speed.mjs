/**
 * How fast SanBot is, and how it grows: npm run bench -- [--only PART]… [--node PATH]…
 *
 * Every figure is a ratio within one run, or CPU time beside that of `node -e 0`: the clock of a machine that others use tells little. The
 * parts are start, steps, work, memory, counting and home; --node names other versions of Node, of which the start is measured too. Takes
 * about ten minutes, and writes its part of bench/results.md when nothing is left out. It needs Linux, and runs the bundle as a person does.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { table, writeResults } from './results.mjs';
import { measureCounting } from './speed/counting.mjs';
import { measureLargeHome } from './speed/large-home.mjs';
import { measureLongWork, measureMemory } from './speed/long-work.mjs';
import { exponentOf, nodeVersion } from './speed/run-program.mjs';
import { measureStart } from './speed/start.mjs';
import { measureSteps } from './speed/steps.mjs';

const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true, default: [] }, node: { type: 'string', multiple: true, default: [] } },
});
const isWanted = (name) => values.only.length === 0 || values.only.includes(name);
const goals = [];
const parts = [];
const seconds = (ms) => `${(ms / 1_000).toFixed(2)} s`;

/** A figure beside its goal; `at most` unless said otherwise. */
function judge(what, value, goal, { unit = '', least = false } = {}) {
  const isMet = least ? value >= goal : value <= goal;
  goals.push([what, `${value.toFixed(2)}${unit}`, `${least ? 'at least' : 'at most'} ${goal}${unit}`, isMet ? 'met' : 'missed']);
}

const startGoals = {
  version: 1.3,
  help: 1.3,
  'history, 0 sessions': 2,
  'history, 1000 sessions': 2.5,
  'history, 10000 sessions': 4,
  'prompt ready': 3,
  'headless answer offline': 4,
  'first request': 4,
};

async function start() {
  for (const [at, node] of [process.execPath, ...values.node].entries()) {
    const rows = await measureStart(at === 0 ? {} : { node, rounds: 7, homes: [0] });
    const title = `Start, ${nodeVersion(node)}`;
    add(
      title,
      ['what', 'times `node -e 0`', 'CPU', 'memory'],
      rows.map(({ name, times, cpuMs, memoryMb }) => [
        name,
        times.toFixed(2),
        `${cpuMs.toFixed(0)} ms`,
        memoryMb === undefined ? '' : `${memoryMb.toFixed(0)} MB`,
      ]),
    );
    if (at > 0) continue;
    for (const { name, times } of rows) if (name in startGoals) judge(name, times, startGoals[name], { unit: ' times' });
    judge('memory at the prompt', rows.find(({ name }) => name === 'prompt ready').memoryMb, 70, { unit: ' MB' });
  }
}

async function steps() {
  for (const [how, more] of [
    ['', {}],
    [', more tool output than is kept', { compaction: { maxMessages: 1_000_000, softWindow: 0, maxToolOutputBytes: 51_200 } }],
  ]) {
    const { points, exponent } = await measureSteps(how === '' ? {} : { more, rounds: 1, counts: [1_000, 10_000] });
    const ms = (value) => `${value.toFixed(1)} ms`;
    add(
      `A step by the messages of the session${how}`,
      ['messages', 'CPU of a step', 'of it, sending the bytes', 'the rest', 'memory'],
      points.map(({ count, step, wire, own, memoryMb }) => [
        count.toLocaleString('en-US'),
        ms(step),
        ms(wire),
        ms(own),
        `${memoryMb.toFixed(0)} MB`,
      ]),
    );
    parts.push(`Exponent of the rest: ${exponent.toFixed(2)} (0 is flat, 1 linear).`);
    if (how !== '') continue;
    judge('exponent of a step beside the wire', exponent, 0.1);
    const [first, last] = [points[0], points.at(-1)];
    judge(
      `a step at ${last.count.toLocaleString('en-US')} messages, beside the wire, more than at ${first.count}`,
      last.own - first.own,
      5,
      { unit: ' ms' },
    );
  }
}

async function work() {
  const { cpuMs, memoryMb, steps: made, compactions } = await measureLongWork();
  add('Long work', ['steps', 'compactions', 'CPU', 'memory'], [[made, compactions, seconds(cpuMs), `${memoryMb.toFixed(0)} MB`]]);
  judge('400 steps of 1 to 30 KB: CPU', cpuMs / 1_000, 4, { unit: ' s' });
  judge('400 steps of 1 to 30 KB: memory', memoryMb, 150, { unit: ' MB' });
}

async function memory() {
  const points = await measureMemory();
  add(
    'Memory by steps of one turn',
    ['steps', 'memory'],
    points.map(([step, mb]) => [step.toLocaleString('en-US'), `${mb.toFixed(0)} MB`]),
  );
  const late = points.filter(([step]) => step >= 1_000);
  judge('exponent of memory from step 1,000 on', exponentOf(late), 0.1);
}

async function counting() {
  const rows = await measureCounting();
  add(
    'Counting tokens, cold',
    ['text', 'MB a second of CPU'],
    rows.map(({ name, mbPerSecond }) => [name, mbPerSecond.toFixed(1)]),
  );
  const speedOf = (wanted) => rows.find(({ name }) => name === wanted).mbPerSecond;
  judge('counting Chinese', speedOf('Chinese'), 2, { unit: ' MB/s', least: true });
  judge('counting base64', speedOf('base64'), 3, { unit: ' MB/s', least: true });
  judge('the slowest megabyte', 1 / Math.min(...rows.map(({ mbPerSecond }) => mbPerSecond)), 0.25, { unit: ' s' });
}

async function home() {
  const rows = await measureLargeHome();
  const sizes = [...new Set(rows.map(({ count }) => count))];
  const names = [...new Set(rows.map(({ name }) => name))];
  const of = (name, count) => rows.find((row) => row.name === name && row.count === count);
  const cell = ({ cpuMs, ms }) => `${seconds(cpuMs)} (${seconds(ms)})`;
  add(
    'A large home: CPU (and clock)',
    ['what', ...sizes.map((count) => `${count.toLocaleString('en-US')} sessions`)],
    names.map((name) => [name, ...sizes.map((count) => cell(of(name, count)))]),
  );
}

function add(title, head, rows) {
  const text = `## ${title}\n\n${table(head, rows)}`;
  console.log(`${text}\n`);
  parts.push(text);
}

for (const [name, part] of Object.entries({ start, steps, work, memory, counting, home })) if (isWanted(name)) await part();
/** What was done for a goal, and what is known to be left. Said where it is missed. */
const DONE = [
  [
    / times$/,
    'Start: one file of the bundle for each way in (117 files before, 9 now), patterns with classes of Unicode made when they are used (15 ms of each start), no vocabulary of tokens as program, one file for the list of sessions. Left: schemas are built at each start (56 of 466 ms of a headless answer in a profile), the grammar of every command for `--help`, the rules of memories, three system calls for each session of a list. A variable such as NODE_EXTRA_CA_CERTS makes node itself 45 ms slower and these ratios smaller; none is set here.',
  ],
  [
    / ms$|^0\./,
    'A step: measuring, planning, checking pairs and writing the body take what they made of the past from the step before (120 ms at 20,000 messages before, most of it for that). Left: lists of all messages are copied some times a step, and the body is put together from its parts.',
  ],
  [/ s$| MB$/, 'Long work: nothing was done for it beside the step.'],
];

const notes = DONE.flatMap(([figure, note]) =>
  goals.some(([, value, , verdict]) => verdict === 'missed' && figure.test(value)) ? [note] : [],
);
const judged = `## Goals\n\n${table(['what', 'measured', 'goal', ''], goals)}\n\n${notes.join('\n\n')}`;
console.log(judged);
const intro = `Made by \`npm run bench\`: CPU of all threads, medians of interleaved runs of the bundle, ${nodeVersion(process.execPath)}, ${availableParallelism()} processors that others used too.`;
if (values.only.length === 0) writeResults('Speed', [intro, judged, ...parts].join('\n\n'));
