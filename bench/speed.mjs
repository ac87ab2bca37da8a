/**
 * How fast SanBot is, and how it grows: npm run bench -- [--only PART]… [--node PATH]… [--quick]
 *
 * Every figure is a ratio within one run, or CPU time beside that of `node -e 0`: the clock of a machine that others use tells little. The
 * parts are start, doors, steps, work, memory, counting and home; --node names other versions of Node, of which the start is measured too. Takes
 * about ten minutes, and a third of that with --quick, which measures most things once. Writes its part of bench/results.md when no part is
 * left out. It needs Linux, and runs the bundle as a person does.
 */
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { table, writeResults } from './results.mjs';
import { measureCounting } from './speed/counting.mjs';
import { measureDoors } from './speed/doors.mjs';
import { measureLargeHome } from './speed/large-home.mjs';
import { measureLongWork, measureMemory } from './speed/long-work.mjs';
import { environment, exponentOf, inFolder, median, nodeVersion, timeNode } from './speed/run-program.mjs';
import { measureStart } from './speed/start.mjs';
import { measureSteps } from './speed/steps.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    node: { type: 'string', multiple: true, default: [] },
    quick: { type: 'boolean', default: false },
  },
});
/** Medians of so many runs, or of fewer where that is enough to see the size of a figure. */
const rounds = (full, quick) => (values.quick ? quick : full);
const begun = { load: loadavg()[0], at: Date.now() };
const isWanted = (name) => values.only.length === 0 || values.only.includes(name);
const goals = [];
const parts = [];
const seconds = (ms) => `${(ms / 1_000).toFixed(2)} s`;

/** CPU of a Node that does nothing, in this run: what the machine is worth at the moment. */
const emptyMs = await inFolder(async (folder) => {
  const all = [];
  for (let round = 0; round < 7; round++) all.push((await timeNode(['-e', '0'], { cwd: folder, env: environment(folder) })).cpuMs);
  return median(all);
});
const times = (ms) => (ms / emptyMs).toFixed(ms < emptyMs ? 2 : 1);

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
    const rows = await measureStart(at === 0 ? { rounds: rounds(15, 9) } : { node, rounds: rounds(7, 3), homes: [0] });
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
    const cpuOf = (count) => rows.find(({ name }) => name === `history, ${count} sessions`).cpuMs;
    const growth = [1_000, 10_000].map((count) => [count, cpuOf(count) - cpuOf(0)]);
    parts.push(`Exponent of what \`history\` takes by the number of sessions, without a start: ${exponentOf(growth).toFixed(2)}.`);
    for (const { name, times } of rows) if (name in startGoals) judge(name, times, startGoals[name], { unit: ' times' });
    judge('memory at the prompt', rows.find(({ name }) => name === 'prompt ready').memoryMb, 70, { unit: ' MB' });
  }
}

async function doors() {
  const { headless, acp, acpIdleMb, serveIdleMb, serveUsedMb, firstRecall, recall } = await measureDoors({ rounds: rounds(9, 3) });
  const ms = (value) => [`${value.toFixed(0)} ms`, times(value)];
  const mb = (value) => [`${value.toFixed(0)} MB`, ''];
  add(
    'Doors for other programs',
    ['what', '', 'times `node -e 0`'],
    [
      ['first token of `sanbot -p`', ...ms(headless)],
      ['first token through `sanbot acp`', ...ms(acp)],
      ['`sanbot acp`, waiting', ...mb(acpIdleMb)],
      ['`sanbot mcp serve`, 1,000 sessions: first `recall`, which makes the index', ...ms(firstRecall)],
      ['each later one', ...ms(recall)],
      ['`sanbot mcp serve`, waiting', ...mb(serveIdleMb)],
      ['after eight calls', ...mb(serveUsedMb)],
    ],
  );
  judge('first token through `sanbot acp`, more than of `-p`', acp - headless, 15, { unit: ' ms' });
  judge('a later `recall` in a home of 1,000 sessions', recall, 50, { unit: ' ms' });
  judge('`sanbot acp`, waiting', acpIdleMb, 80, { unit: ' MB' });
  judge('`sanbot mcp serve`, waiting', serveIdleMb, 80, { unit: ' MB' });
}

async function steps() {
  for (const [how, more] of [
    ['', {}],
    [', more tool output than is kept', { compaction: { maxMessages: 1_000_000, softWindow: 0, maxToolOutputBytes: 51_200 } }],
  ]) {
    const { points, exponent } = await measureSteps(how === '' ? { rounds: rounds(3, 1) } : { more, rounds: 1, counts: [1_000, 10_000] });
    const ms = (value) => `${value.toFixed(1)} ms`;
    add(
      `A step by the messages of the session${how}`,
      ['messages', 'CPU of a step', 'of it, sending the bytes', 'the rest', 'the rest, times `node -e 0`', 'memory'],
      points.map(({ count, step, wire, own, memoryMb }) => [
        count.toLocaleString('en-US'),
        ms(step),
        ms(wire),
        ms(own),
        times(own),
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
  add(
    'Long work',
    ['steps', 'compactions', 'CPU', 'times `node -e 0`', 'memory'],
    [[made, compactions, seconds(cpuMs), times(cpuMs), `${memoryMb.toFixed(0)} MB`]],
  );
  judge('400 steps of 1 to 30 KB: CPU', cpuMs / 1_000, 4, { unit: ' s' });
  judge('400 steps of 1 to 30 KB: memory', memoryMb, 150, { unit: ' MB' });
}

async function memory() {
  const points = await measureMemory(values.quick ? { at: [500, 1_000, 2_000] } : {});
  add(
    'Memory by steps of one turn',
    ['steps', 'memory'],
    points.map(([step, mb]) => [step.toLocaleString('en-US'), `${mb.toFixed(0)} MB`]),
  );
  const late = points.filter(([step]) => step >= 1_000);
  parts.push(`Exponent of the memory from step 1,000 on: ${exponentOf(late).toFixed(2)}.`);
  judge('exponent of memory from step 1,000 on', exponentOf(late), 0.1);
}

async function counting() {
  const rows = await measureCounting({ rounds: rounds(3, 1) });
  add(
    'Counting tokens, cold',
    ['text', 'MB a second of CPU', 'a megabyte as one text, which is sampled'],
    rows.map(({ name, mbPerSecond, wholeMs }) => [name, mbPerSecond.toFixed(1), `${wholeMs.toFixed(0)} ms`]),
  );
  const speedOf = (wanted) => rows.find(({ name }) => name === wanted).mbPerSecond;
  judge('counting Chinese', speedOf('Chinese'), 2, { unit: ' MB/s', least: true });
  judge('counting base64', speedOf('base64'), 3, { unit: ' MB/s', least: true });
  judge('the slowest megabyte', 1 / Math.min(...rows.map(({ mbPerSecond }) => mbPerSecond)), 0.25, { unit: ' s' });
}

async function home() {
  const rows = await measureLargeHome({ rounds: rounds(3, 1) });
  const sizes = [...new Set(rows.map(({ count }) => count))];
  const names = [...new Set(rows.map(({ name }) => name))];
  const of = (name, count) => rows.find((row) => row.name === name && row.count === count);
  const cell = ({ cpuMs, ms }) => `${seconds(cpuMs)} (${seconds(ms)})`;
  add(
    'A large home of 5 GB: CPU (and clock)',
    ['what', ...sizes.map((count) => `${count.toLocaleString('en-US')} sessions`), 'the last, times `node -e 0`', 'exponent'],
    names.map((name) => [
      name,
      ...sizes.map((count) => cell(of(name, count))),
      times(of(name, sizes.at(-1)).cpuMs),
      exponentOf(sizes.map((count) => [count, of(name, count).cpuMs])).toFixed(2),
    ]),
  );
}

function add(title, head, rows) {
  const text = `## ${title}\n\n${table(head, rows)}`;
  console.log(`${text}\n`);
  parts.push(text);
}

for (const [name, part] of Object.entries({ start, doors, steps, work, memory, counting, home })) if (isWanted(name)) await part();
/** What was done for a goal, and what is known to be left. Said where it is missed. */
const DONE = [
  [
    / times$/,
    'Start: docs/measuring.md says what was done for it and what is left. A variable such as NODE_EXTRA_CA_CERTS makes node itself 45 ms slower and these ratios smaller; none is set here.',
  ],
  [
    / ms$|^0\./,
    'A step: measuring, planning, checking pairs and writing the body take what they made of the past from the step before (120 ms at 20,000 messages before, most of it for that); the body is kept and joined as bytes. A test counts that a step reads no block of the past (test/property/growing-lists.test.ts). Left: lists of all messages are copied some times a step, and the bytes of the body are copied into one.',
  ],
  [
    / s$| MB$/,
    'Long work: names of the words met before are remembered, texts are parted by hand where they are ASCII, and a request is sent as bytes of which most were in the one before: two runs of each in turn took 6.6 and 6.9 s and 205 and 212 MB, before 7.6 and 7.4 s and 211 and 219 MB. Of the CPU before, 5.5 of 7.1 s are of the main thread, 1.3 of the collector and the compiler, 0.3 of files. In a profile of the main thread before that, waiting left out: the collector 7 %, the library that asks the model and fetch 6, writing to the socket 4, counting 8, names for stubs 9, files 12, places of paths 3; the rest in parts below 2. Tried with V8 in one run (7.0 s, 211 MB without): a young generation of 2, 4 or 8 MB takes 0.6 to 1.1 s more for 195 to 229 MB, a heap of at most 96 MB 118 MB and 2.2 s more. So memory can be had for CPU, not both. Since then each text of a transcript is counted once, not twice, when it is packed (6 % of a profile), and messages of a request are written anew in groups of 16, not 64 (300 steps: 60 ms beside 134). Tried: a table of the ASCII characters where the counter looks for the end of a slice (8 % of a profile) took 3.9 ms beside 4.3 for 90,000 characters of prose, and for Chinese 4.9 beside 3.9. Since then files are found and read without the pool of threads, and texts are counted once, words scanned by hand, facts of a model made once and requests sent in parts (docs/measuring.md). Known and left: the sizes of stubs are computed, names and all, for each result that could leave, also where the past is compacted instead; each body of a batch is followed by a flush of its folder.',
  ],
];

const notes = DONE.flatMap(([figure, note]) =>
  goals.some(([, value, , verdict]) => verdict === 'missed' && figure.test(value)) ? [note] : [],
);
const judged = `## Goals\n\n${table(['what', 'measured', 'goal', ''], goals)}\n\n${notes.join('\n\n')}`;
console.log(judged);
const minutes = Math.round((Date.now() - begun.at) / 60_000);
const how = values.quick ? 'with `--quick`: medians of 9 starts, and one run of most other things' : 'medians of interleaved runs';
const intro = `Made by \`npm run bench\` in one run of ${minutes} minute${minutes === 1 ? '' : 's'}, ${how}. CPU of all threads of the bundle, ${nodeVersion(process.execPath)}, on ${availableParallelism()} processors; other programs had a load of ${begun.load.toFixed(1)} when it began and ${loadavg()[0].toFixed(1)} at its end. \`node -e 0\` took ${emptyMs.toFixed(0)} ms.`;
if (values.only.length === 0) writeResults('Speed', [intro, judged, ...parts].join('\n\n'));
