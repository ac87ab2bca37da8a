/**
 * Replays recorded sessions at four windows, and at one of them under every policy, and writes the figures to
 * bench/results.md. Builds the program first: npm run bench:replay -- FILE_OR_FOLDER…
 */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordedFiles } from './recorded-files.mjs';
import { table, writeResults } from './results.mjs';

const root = join(import.meta.dirname, '..');
/** The simpler policies are replayed at one window: what they search for takes several times as long as all of SanBot's. */
const POLICY_WINDOW = '64k';
const files = recordedFiles('bench:replay');
const isOwn = ({ policy }) => policy === 'sanbot';
const folder = mkdtempSync(join(tmpdir(), 'sanbot-bench-'));
try {
  const isShared = loadavg()[0] > 1;
  const single = replay(['--window', '32k']);
  const tokens = single.totals[0]?.recordedTokens ?? 0;
  const speed = `${count(tokens)} recorded tokens at one window in ${single.seconds.toFixed(1)} s: ${count(tokens / single.seconds)} a second on ${availableParallelism()} processors${isShared ? ', with other programs beside it' : ''}, Node ${process.version}.`;
  console.log(speed);
  const compared = replay(['--window', POLICY_WINDOW, '--policy', 'all']).totals;
  const wide = replay(['--window', '128k,200k']).totals;
  writeResults('Replay of recorded sessions', page({ own: [...single.totals, ...compared.filter(isOwn), ...wide], compared }, speed));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
function replay(args) {
  const path = join(folder, 'out.json');
  const out = openSync(path, 'w');
  const started = performance.now();
  const argv = [join(root, 'bin', 'sanbot.js'), '--home', join(folder, 'home'), 'replay', ...files, '--json', ...args];
  const { status } = spawnSync(process.execPath, argv, { stdio: ['ignore', out, 'inherit'] });
  const seconds = (performance.now() - started) / 1_000;
  closeSync(out);
  if (status !== 0) throw new Error(`sanbot replay ended with ${status}`);
  return { totals: JSON.parse(readFileSync(path, 'utf8')).totals, seconds };
}
function count(n) {
  return Math.round(n).toLocaleString('en-US');
}
/** Rounded down, so that a target that is just missed is not shown as met. */
function tenths(part) {
  return (Math.floor(part * 1_000) / 10).toFixed(1);
}
function share(part, whole, between) {
  if (whole === 0) return '–';
  return `${tenths(part / whole)} %${between ? ` (${tenths(between.low)}–${tenths(between.high)})` : ''}`;
}
function sum({ inContext, oneLookUp, lost }) {
  return inContext + oneLookUp + lost;
}
function page({ own, compared }, speed) {
  const at = ({ windowTokens }) => `${windowTokens / 1_000}k`;
  const main = own.map((t) => [
    at(t),
    share(t.overflowRequests, t.requests, t.between.overflow),
    share(t.facts.inContext, sum(t.facts), t.between.known),
    share(t.facts.inContext + t.facts.oneLookUp, sum(t.facts), t.between.reachable),
    t.meanOfKinds === undefined ? '–' : `${tenths(t.meanOfKinds.known)} %`,
    mustKeep(t),
    share(t.references.inContext, sum(t.references), t.between.referencesKnown),
    share(t.references.inContext + t.references.oneLookUp, sum(t.references), t.between.referencesReachable),
    share(t.grounded, t.identifiers, t.between.grounded),
    share(t.cachedTokens, t.inputTokens, t.between.cacheable),
    `${t.snapshotsEqual} of ${t.snapshots}`,
  ]);
  const kinds = Object.keys(own[0]?.kinds ?? {});
  const byKind = kinds.map((kind) => [
    kind,
    ...own.flatMap(({ kinds: { [kind]: tally } }) =>
      tally === undefined ? ['–', '–'] : [share(tally.inContext, sum(tally)), share(tally.inContext + tally.oneLookUp, sum(tally))],
    ),
  ]);
  const byPolicy = compared.map((t) => {
    const { ratio, between } =
      own.find(({ windowTokens }) => windowTokens === t.windowTokens)?.costAgainst.find(({ policy }) => policy === t.policy) ?? {};
    return [
      `${at(t)} ${t.policy}`,
      `${t.overflowSessions} of ${t.sessions}`,
      share(t.overflowRequests, t.requests, t.between.overflow),
      count(t.compactions),
      `${count(t.cost / 1_000)}k`,
      ratio === undefined ? '–' : `${ratio.toFixed(2)}${between ? ` (${between.low.toFixed(2)}–${between.high.toFixed(2)})` : ''}`,
      share(t.cachedTokens, t.inputTokens, t.between.cacheable),
      share(t.facts.inContext, sum(t.facts), t.between.known),
      share(t.references.inContext, sum(t.references), t.between.referencesKnown),
      share(sum(t.again), t.looks),
      share(t.again.inContext, sum(t.again)),
    ];
  });
  return `Made by \`npm run bench:replay -- FILE_OR_FOLDER…\`: ${count(files.length)} files, ${count(own[0]?.sessions ?? 0)} conversations, ${count(own[0]?.requests ?? 0)} requests, replayed offline with SanBot's own code. No model is asked: summaries are made by rule. In brackets: 95 % confidence, drawing sessions anew with replacement (1,000 draws). What the columns mean is in docs/measuring.md.

${speed}

## SanBot by window

${table(['window', 'overflow', 'facts known', 'with one look-up', 'mean of the kinds', 'files and constraints after five compactions', 'names used again known', 'with one look-up', 'grounded', 'cacheable', 'rollback equal'], main)}

## Facts by kind, known and with one look-up

${table(['kind', ...own.flatMap((t) => [`${at(t)} known`, `${at(t)} + look-up`])], byKind)}

## Policies

Cost in thousands of input tokens at cache prices (read 0.1, written 1.25).

${table(['window, policy', 'sessions that overflow', 'requests that overflow', 'compactions', 'cost', 'SanBot costs, of this', 'cacheable', 'facts known', 'names used again known', 'reads and commands made again', 'of these still in the context'], byPolicy)}
`;
}
function mustKeep({ afterFive, between }) {
  const [file, constraint] = [afterFive.file, afterFive.constraint];
  if (file === undefined || constraint === undefined) return '–';
  return share(file.inContext + constraint.inContext, sum(file) + sum(constraint), between.mustKeepAfterFive);
}
