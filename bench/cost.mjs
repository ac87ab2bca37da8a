/**
 * What long work costs, in dollars at a provider's prices with its prompt cache: the real program in this process, against a model that
 * plays a script and bills as the provider does (test/support/cache-billing.ts). The long haul in windows of several sizes and by OpenAI's
 * wires, where a hit costs a tenth and a write nothing more; the other shapes of work in a window of 200,000 tokens.
 *
 *   npm run bench:cost -- [--shape NAME] [--window TOKENS] [--wire messages|chat|responses] [--set SECTION.KEY=VALUE]… [--json]
 *
 * `--set` gives a setting to the program, so that a frontier can be drawn: --set compaction.softWindow=64000.
 *
 * Chosen, so that version 0.1.0 costs what was measured of it by other means (18.3, 3.0 and 2.2 dollars): one turn; a short remark
 * before each call; sizes even on a logarithmic scale; bytes a token by kind of text; a command with one line of output after every second
 * Chinese one; summaries as long as they are asked to be. With these it costs 18.37 (reads 8.12, new text 2.57, rewritten 2.64 in 15
 * requests, summaries 4.81), 3.28 and 2.22.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runShape } from '../.bench/bench/cost-session.js';
import { shapes } from '../.bench/bench/cost-shapes.js';

const { values } = parseArgs({
  options: {
    set: { type: 'string', multiple: true, default: [] },
    shape: { type: 'string' },
    window: { type: 'string' },
    wire: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const settings = {};
for (const each of values.set) {
  const [, section, key, value] = /^(\w+)\.(\w+)=(.*)$/.exec(each) ?? [];
  if (section === undefined) throw new Error(`--set wants SECTION.KEY=VALUE, not ${each}`);
  settings[section] = { ...settings[section], [key]: /^[-\d"[{]|^(?:true|false|null)$/.test(value) ? JSON.parse(value) : value };
}
/** What the long haul may cost, in dollars. */
const goals = [
  { window: 32_000, wire: 'messages', goal: 5.5 },
  { window: 64_000, wire: 'messages', goal: 7 },
  { window: 100_000, wire: 'messages', goal: 8.6 },
  { window: 128_000, wire: 'messages', goal: 8.5 },
  { window: 200_000, wire: 'messages', goal: 8.5 },
  { window: 200_000, wire: 'chat', goal: 8.6 },
  { window: 200_000, wire: 'responses', goal: 8.6 },
];
const [haul, ...others] = shapes;
const rows = [...goals.map((goal) => ({ shape: haul, ...goal })), ...others.map((shape) => ({ shape, window: 200_000, wire: 'messages' }))];
const isWanted = ({ shape: { name }, window, wire }) =>
  name.toLowerCase().startsWith((values.shape ?? '').toLowerCase()) &&
  window === Number(values.window ?? window) &&
  wire === (values.wire ?? wire);
const figures = [];
for (const { shape, window, wire, goal } of rows.filter(isWanted)) {
  const own = { ...settings, model: { contextWindow: window, ...settings.model } };
  figures.push({ window, wire, goal, ...(await runShape(shape, own, join(import.meta.dirname, '..'), wire)) });
}
if (values.json) console.log(JSON.stringify(figures, undefined, 2));
else console.log(table(figures));

function table(rows) {
  const usd = (value) => value?.toFixed(2) ?? '–';
  const head = [
    'shape',
    'window',
    'wire',
    'dollars',
    'goal',
    '0.1.0',
    'reads',
    'new text',
    'rewritten',
    'times',
    'summaries',
    'requests',
    'output',
    'compactions',
    'each asks',
    'one slot',
    'offloads',
    'it said',
    'seconds',
  ];
  const cells = rows.map((r) => [
    r.shape,
    `${r.window / 1_000}k`,
    r.wire,
    usd(r.usd),
    usd(r.goal),
    usd(r.knownUsd),
    usd(r.reads),
    usd(r.newText),
    usd(r.rewritten),
    r.rewrites,
    usd(r.summaries),
    r.summaryRequests,
    usd(r.output),
    r.compactions,
    usd(r.compactions === 0 ? undefined : r.summaryRequests / r.compactions),
    r.reread.toFixed(2),
    r.offloads,
    usd(r.saidUsd),
    r.seconds.toFixed(1),
  ]);
  const widths = head.map((name, at) => Math.max(name.length, ...cells.map((row) => String(row[at]).length)));
  const line = (row) => row.map((cell, at) => (at === 0 ? String(cell).padEnd(widths[at]) : String(cell).padStart(widths[at]))).join('  ');
  return [head, ...cells].map(line).join('\n');
}
