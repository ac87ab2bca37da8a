/**
 * Where cost and fidelity meet: for soft windows of several sizes what the long haul of bench/cost.mjs costs, and how much of what recorded
 * sessions refer back to is still in the context or found by one look-up. Writes bench/frontier.md.
 *
 *   npm run bench:frontier -- FILE_OR_FOLDER…
 *
 * Only sessions long enough to be compacted count. In them rules write the summaries, since no model is asked; what is done about a full
 * context goes by the same prices as in the long haul.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PRICE, runShape } from '../.bench/bench/cost-session.js';
import { shapes } from '../.bench/bench/cost-shapes.js';
import { recordedFiles } from './recorded-files.mjs';

const root = join(import.meta.dirname, '..');
const SOFT_WINDOWS = [64_000, 80_000, 100_000, 140_000, 200_000, 300_000];
/** Larger than each of them. */
const WINDOW_TOKENS = 400_000;
const MIN_SESSION_TOKENS = 100_000;
const { hourWrite: _, ...price } = PRICE;

const files = recordedFiles('bench:frontier');
const folder = mkdtempSync(join(tmpdir(), 'sanbot-frontier-'));
try {
  const longFiles = longSessions(replay(0, files));
  const rows = [];
  for (const softWindow of SOFT_WINDOWS) {
    const row = { softWindow, ...(await haul(softWindow)), ...fidelity(replay(softWindow, longFiles)) };
    rows.push(row);
    console.log(line(row));
  }
  writeFileSync(join(root, 'bench', 'frontier.md'), page(rows, longFiles.length));
  console.log('written: bench/frontier.md');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function replay(softWindow, some) {
  const home = join(folder, `home-${softWindow}`);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'config.json'), JSON.stringify({ compaction: { softWindow }, model: { price } }));
  const path = join(folder, 'out.json');
  const out = openSync(path, 'w');
  const argv = [join(root, 'bench', 'replay.mjs'), '--home', home, ...some, '--json', '--window', String(WINDOW_TOKENS)];
  const { status } = spawnSync(process.execPath, argv, { stdio: ['ignore', out, 'inherit'] });
  closeSync(out);
  if (status !== 0) throw new Error(`bench/replay.mjs ended with ${status}`);
  return JSON.parse(readFileSync(path, 'utf8'));
}

function longSessions({ runs }) {
  return [...new Set(runs.filter(({ recordedTokens }) => recordedTokens >= MIN_SESSION_TOKENS).map(({ file }) => file))];
}

async function haul(softWindow) {
  const [shape] = shapes;
  const figures = await runShape(shape, { compaction: { softWindow }, model: { contextWindow: WINDOW_TOKENS } }, root);
  return { usd: figures.usd, compactions: figures.compactions, offloads: figures.offloads };
}

function fidelity({ totals: [total] }) {
  const { inContext, oneLookUp, lost } = total.references;
  return { references: inContext + oneLookUp + lost, inContext, oneLookUp, replayCompactions: total.compactions };
}

function percent(part, whole) {
  return `${(Math.floor((part / whole) * 1_000) / 10).toFixed(1)} %`;
}

function line({ softWindow, usd, compactions, offloads, references, inContext, oneLookUp, replayCompactions }) {
  const cells = [
    `${softWindow / 1_000}k`,
    usd.toFixed(2),
    compactions,
    offloads,
    percent(inContext, references),
    percent(inContext + oneLookUp, references),
    replayCompactions,
  ];
  return `| ${cells.join(' | ')} |`;
}

function page(rows, sessions) {
  return `# Cost and fidelity by soft window

Made by \`npm run bench:frontier -- FILE_OR_FOLDER…\`. Dollars: the long haul of \`npm run bench:cost\`, 400 steps. Fidelity: ${sessions} recorded files with a session of at least ${MIN_SESSION_TOKENS.toLocaleString('en-US')} tokens, in which ${rows[0].references} names are used again after more than 16,000 tokens.

| soft window | long haul, dollars | compactions | batches offloaded | references in context | within one look-up | compactions in the recorded sessions |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${rows.map(line).join('\n')}
`;
}
