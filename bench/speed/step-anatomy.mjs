/**
 * What one step of long work does, counted and not timed: node bench/speed/step-anatomy.mjs (after `tsc -b`)
 * A run of 81 steps less one of 21, by the step: what is written, flushed, hashed, serialised and parsed, and how often each function of the
 * program that deals with a whole text, record or event is called.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text, writeConfig } from './generated-home.mjs';
import { startServer, streamOf } from './model-server.mjs';
import { environment, inFolder, root, runNode } from './run-program.mjs';

const FILES = 100;
const FEW = 21;
const MANY = 81;
/** So that nothing leaves the context. */
const CONFIG = {
  model: { name: 'bench', contextWindow: 20_000_000, maxOutputTokens: 32_000 },
  compaction: { maxMessages: 1_000_000, softWindow: 0 },
};
/** Functions of the program, by what they do; those in them are called by them. */
const FUNCTIONS = {
  'events made': 'runtime/conversation/conversation emit',
  'records sealed': 'store/files/record-line seal',
  'texts looked through for secrets': 'domain/value/redact redactPart',
  'texts counted': 'context/measure/tokens countExact',
  'parts of the body written anew': 'model/http/ask-over-http itemsJson',
  'contexts measured': 'context/measure/measure tally',
  'states of files and folders asked for a path': 'tools/place/folders statOf',
};

async function workOf(steps) {
  return inFolder(async (folder) => {
    const [home, cwd, work] = [join(folder, 'home'), join(folder, 'project'), join(folder, 'work.json')];
    mkdirSync(cwd);
    for (let i = 0; i < FILES; i++) {
      const lines = Array.from({ length: 1 + ((i * 37) % FILES) }, (_, line) => text(i * 1_000 + line));
      writeFileSync(join(cwd, `f${i}.txt`), `${lines.join('\n')}\n`);
    }
    writeConfig(home, CONFIG);
    const callOf = (n) => ({ type: 'tool_use', id: `c${n}`, name: 'read_file', input: { path: `f${n % FILES}.txt` } });
    const server = await startServer((body, n) =>
      streamOf(n, n < steps ? callOf(n) : { type: 'text', text: 'Done.' }, Math.ceil(body.length / 3)),
    );
    try {
      const env = environment(folder, { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'k', BENCH_WORK: work });
      const program = ['--import', join(import.meta.dirname, 'count-work.mjs'), join(root, 'dist', 'main.js')];
      await runNode([...program, '-p', 'Read.', '--permission-mode', 'bypass', '--max-steps', '1000'], { cwd, env });
      return JSON.parse(readFileSync(work, 'utf8'));
    } finally {
      server.close();
    }
  });
}

const [few, many] = [await workOf(FEW), await workOf(MANY)];
const perStep = (of) => (of(many) - of(few)) / (MANY - FEW);
const kinds = Object.keys(many.counts).map((name) => [
  name,
  perStep(({ counts }) => counts[name]?.times ?? 0),
  perStep(({ counts }) => counts[name]?.bytes ?? 0),
]);
const functions = Object.entries(FUNCTIONS).map(([what, name]) => {
  if (many.calls[name] === undefined) throw new Error(`There is no ${name}`);
  return [what, perStep(({ calls }) => calls[name] ?? 0), 0];
});
console.log('| of one step | times | bytes |\n| --- | ---: | ---: |');
for (const [what, times, bytes] of [...kinds, ...functions].filter(([, times]) => times >= 0.05))
  console.log(`| ${what} | ${times.toFixed(1)} | ${bytes < 1 ? '' : Math.round(bytes).toLocaleString('en-US')} |`);
