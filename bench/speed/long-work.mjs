/**
 * What long work costs the machine: results of 1 to 30 KB in a window of 200,000 tokens, summaries by a model among them; and how much
 * memory the program holds as its steps go on.
 */

import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { narrativeSections } from '../../dist/context/summary/summary-sections.js';
import { text, writeConfig } from './generated-home.mjs';
import { startServer, streamOf } from './model-server.mjs';
import { environment, inFolder, median, program, runNode, usageOf } from './run-program.mjs';

const CONFIG = { model: { name: 'bench', contextWindow: 200_000, maxOutputTokens: 32_000 } };
const FILES = 100;
const ARGV = ['-p', 'Read all files.', '--permission-mode', 'bypass', '--max-steps', '100000', '--output-format', 'json'];

/** Sizes even on a logarithmic scale. */
function writeFiles(cwd, { from, to }) {
  mkdirSync(cwd);
  for (let i = 0; i < FILES; i++) {
    const size = from * (to / from) ** (((i * 37) % FILES) / (FILES - 1));
    let body = '';
    for (let line = 0; body.length < size; line++) body += `${text(i * 1_000 + line)}\n`;
    writeFileSync(join(cwd, `f${i}.txt`), body.slice(0, size));
  }
}

const EDGE_BYTES = 8_000;
const summary = narrativeSections
  .map((name) => `## ${name}\nThe files were read one after the other, and what they hold was noted.`)
  .join('\n\n');

/** A request for a summary names its sections, at its beginning or at its end. */
const asksForSummary = (body) =>
  [body.subarray(0, EDGE_BYTES), body.subarray(-EDGE_BYTES)].some((edge) => narrativeSections.every((name) => edge.includes(`## ${name}`)));

function answerer(steps, onStep = () => undefined) {
  let step = 0;
  return (body, n) => {
    if (asksForSummary(body)) return streamOf(n, { type: 'text', text: summary }, Math.ceil(body.length / 3));
    step += 1;
    onStep(step);
    const call = { type: 'tool_use', id: `c${step}`, name: 'read_file', input: { path: `f${step % FILES}.txt`, offset: 1 + (step % 3) } };
    return streamOf(n, step <= steps ? call : { type: 'text', text: 'Done.' }, Math.ceil(body.length / 3));
  };
}

/** Medians of the rounds, for what the collector keeps at once changes from run to run. */
export async function measureLongWork({ steps = 400, rounds = 3 } = {}) {
  const all = [];
  for (let round = 0; round < rounds; round++) all.push(await runLongWork(steps));
  return { ...all[0], cpuMs: median(all.map(({ cpuMs }) => cpuMs)), memoryMb: median(all.map(({ memoryMb }) => memoryMb)) };
}

async function runLongWork(steps) {
  return inFolder(async (folder) => {
    const [home, cwd] = [join(folder, 'home'), join(folder, 'project')];
    writeFiles(cwd, { from: 1_000, to: 30_000 });
    writeConfig(home, CONFIG);
    const server = await startServer(answerer(steps));
    try {
      const env = environment(folder, { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'k' });
      const used = await runNode([program, ...ARGV], { cwd, env });
      const { steps: made, compactions } = JSON.parse(used.printed.trim().split('\n').at(-1));
      return { ...used, steps: made, compactions };
    } finally {
      server.close();
    }
  });
}

const SAMPLED_STEPS = 200;
const EVERY = 10;

/** Memory at some steps of one turn: the median of the steps before, since it goes up and down with each compaction. */
export async function measureMemory({ at = [500, 1_000, 3_000, 10_000] } = {}) {
  return inFolder(async (folder) => {
    const [home, cwd] = [join(folder, 'home'), join(folder, 'project')];
    writeFiles(cwd, { from: 300, to: 3_000 });
    writeConfig(home, CONFIG);
    const samples = new Map(at.map((step) => [step, []]));
    let child;
    const note = (step) => {
      if (step % EVERY !== 0) return;
      const point = at.find((to) => step <= to && step > to - SAMPLED_STEPS);
      samples.get(point)?.push(usageOf(child.pid).memoryMb);
    };
    const server = await startServer(answerer(Math.max(...at), note));
    try {
      const env = environment(folder, { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'k' });
      child = spawn(process.execPath, [program, ...ARGV], { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });
      const code = await new Promise((resolve) => child.on('close', resolve));
      if (code !== 0) throw new Error(`It ended with ${code}`);
      return at.map((step) => [step, median(samples.get(step))]);
    } finally {
      server.close();
    }
  });
}
