/**
 * Measures SanBot on recorded sessions, its own or those of other agents, offline: overflow, cost, how much stays known, rollback.
 *
 *   npm run bench:replay -- [options] FILE_OR_FOLDER…
 *
 * --window 32k,200000   sizes of the window in tokens
 * --policy sanbot,none  how to keep within the window: sanbot, sliding-window, truncate, summary-only, none, or all
 *                       Without both: SanBot at 32k, 64k, 128k and 200k, and the others at 64k.
 * --requests FOLDER     writes every request as it would be sent, a JSON file for each recorded reply
 * --keep-home FOLDER    keeps the replayed sessions, for sanbot search and show with --home
 * --home FOLDER         whose settings the replays go by
 * --json                prints all figures; without it a page of tables
 * --write               puts that page into bench/results.md
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isOlder } from '../build/is-older.mjs';
import { recordedFiles } from './recorded-files.mjs';
import { writeResults } from './results.mjs';

const root = join(import.meta.dirname, '..');
const target = join(root, '.bench', 'replay');
const SOURCES = ['src', 'build', 'bench/replay', 'test/support', 'package-lock.json'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...{ window: { type: 'string' }, policy: { type: 'string' }, requests: { type: 'string' }, 'keep-home': { type: 'string' } },
    ...{ home: { type: 'string' }, json: { type: 'boolean' }, write: { type: 'boolean' } },
  },
});
try {
  await run();
} catch (error) {
  console.error(`bench:replay: ${error.message}`);
  process.exitCode = 1;
}

async function run() {
  const files = recordedFiles('bench:replay', positionals);
  if (
    isOlder(
      join(target, 'replay.js'),
      SOURCES.map((source) => join(root, source)),
    )
  )
    await bundle();
  const { figuresJson, replayFiles, resultsPage, variantsFor } = createRequire(import.meta.url)(join(target, 'replay.js'));
  const variants = variantsFor(values.window, values.policy);
  const { requests, home } = values;
  const started = performance.now();
  const runs = await replayFiles({ files, variants, requests, home, keepHome: values['keep-home'] }, (note) => console.error(note));
  const seconds = (performance.now() - started) / 1_000;
  for (const { sessionId } of runs)
    if (sessionId !== undefined)
      console.error(`kept; to search it: sanbot search --home ${values['keep-home']} --session ${sessionId} WORDS`);
  if (values.json) process.stdout.write(figuresJson(runs, variants));
  else {
    const page = `Made by \`npm run bench:replay -- --write FILE_OR_FOLDER…\`: ${resultsPage(runs, variants)}\n\n${speed(runs, seconds)}\n`;
    process.stdout.write(page);
    if (values.write) writeResults('Replay of recorded sessions', page);
  }
}

function speed(runs, seconds) {
  const tokens = runs.reduce((sum, { outcome }) => sum + outcome.recordedTokens, 0);
  const count = (n) => Math.round(n).toLocaleString('en-US');
  const beside = loadavg()[0] > availableParallelism() + 1 ? ', with other programs beside it' : '';
  return `${count(tokens)} recorded tokens, each window and policy counted, in ${seconds.toFixed(1)} s: ${count(tokens / seconds)} a second on ${availableParallelism()} processors${beside}, Node ${process.version}.`;
}

/** As the program is bundled: Node 20 runs no TypeScript, and a bundle is made in a second. The entry last. */
async function bundle() {
  const { roll } = await import('../build/roll.mjs');
  const entries = { 'replay-worker': 'bench/replay/replay-worker.ts', replay: 'bench/replay/replay.ts' };
  const files = (await roll(entries, target)).filter(({ type }) => type === 'chunk');
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, 'package.json'), '{ "type": "commonjs" }\n');
  for (const { fileName, code } of files.toSorted((a, b) => (a.fileName === 'replay.js' ? 1 : 0) - (b.fileName === 'replay.js' ? 1 : 0))) {
    const path = join(target, fileName);
    writeFileSync(`${path}.${process.pid}`, code);
    renameSync(`${path}.${process.pid}`, path);
  }
}
