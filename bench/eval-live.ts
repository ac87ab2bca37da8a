// Whether a real model goes on well after a compaction, with your own key and model, and at your own cost:
// npm run eval:live -- [--tasks N] [--seed N] [--out FOLDER] [--yes]
// Twenty long tasks (bench/live/tasks.ts), each with the window open and through three compactions in two ways; the price is told and asked
// before it starts. Ctrl-C stops it; the same command goes on. docs/measuring.md says more.

import { createInterface } from 'node:readline/promises';
import { evalLive } from './live/command.ts';

const stop = new AbortController();
process.on('SIGINT', () => stop.abort(new Error('Stopped. The same command goes on.')));

const ask = async (question: string): Promise<string> => {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  lines.on('SIGINT', () => stop.abort(new Error('Nothing was started.')));
  try {
    return await lines.question(question, { signal: stop.signal });
  } finally {
    lines.close();
  }
};

try {
  process.exitCode = await evalLive(process.argv.slice(2), {
    root: process.cwd(),
    env: process.env,
    signal: stop.signal,
    say: console.log,
    ask: process.stdin.isTTY ? ask : undefined,
  });
} catch (error) {
  const shown: unknown = stop.signal.aborted ? stop.signal.reason : error;
  console.error(shown instanceof Error ? shown.message : shown);
  process.exitCode = stop.signal.aborted ? 130 : 1;
}
