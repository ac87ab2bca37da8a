import { statSync, writeFileSync } from 'node:fs';
import { availableParallelism, freemem } from 'node:os';
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AbortedError, SanbotError } from '../../domain/errors.ts';
import type { ReplayRun } from '../../replay/measure/summarise-runs.ts';
import { replayPage } from '../../report/replay/replay-page.ts';
import { replayText } from '../../report/replay/replay-text.ts';
import type { Screen } from '../../runtime/screen.ts';
import { readSettings } from '../../runtime/settings.ts';
import type { World } from '../../runtime/world.ts';
import { storeFailure } from '../../store/files/failure.ts';
import { count } from '../../terminal/text/figures.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import type { ReplayOptions } from '../actions.ts';
import { makePassingFolder } from './passing-folder.ts';
import type { FileReplay, ReplayedFile, ReplayWish } from './replay-file.ts';
import { replayJson } from './replay-json.ts';
import type { Answer } from './replay-worker.ts';

/** Replays recorded sessions under every window and policy that was asked for, and prints what came of it. */
export async function replayFiles(world: World, options: ReplayOptions, screen: Screen): Promise<number> {
  const { config, notices } = readSettings(world, { home: options.home });
  for (const notice of notices) screen.err(`sanbot: ${notice}\n`);
  const passing = makePassingFolder(world);
  const replayed = await replayAll(world, { options, config, passing: passing.path }, progressOn(world, options, screen)).finally(
    passing.remove,
  );
  for (const { notes } of replayed) for (const note of notes) screen.err(`sanbot: ${note}\n`);
  const runs = replayed.flatMap((each) => each.runs);
  if (options.keepHome !== undefined) tellKept(options.keepHome, runs, screen);
  if (options.html !== undefined) writePage(world, options.html, replayPage(runs, options));
  screen.out(options.json ? replayJson(runs, options) : replayText(runs, options, screen.columns));
  return 0;
}

function writePage(world: World, file: string, page: string): void {
  const path = resolve(world.cwd(), file);
  try {
    writeFileSync(path, page, { mode: 0o600 });
  } catch (error) {
    throw storeFailure(error, 'write', path);
  }
}

function tellKept(home: string, runs: readonly ReplayRun[], screen: Screen): void {
  for (const { sessionId } of runs) screen.err(`sanbot: kept: sanbot search --home ${safeLine(home)} --session ${sessionId} WORDS\n`);
}

type OnDone = (replayed: ReplayedFile) => void;

/** One line on a terminal that is written over, and gone at the end. */
function progressOn(world: World, { files }: ReplayOptions, screen: Screen): OnDone {
  if (!world.stderr.isTTY) return () => undefined;
  const started = world.now().getTime();
  let done = 0;
  let tokens = 0;
  screen.err(`replaying ${count(files.length)} files`);
  return ({ runs }) => {
    done += 1;
    tokens += runs.reduce((sum, run) => sum + run.outcome.recordedTokens, 0);
    const seconds = Math.max(0.1, (world.now().getTime() - started) / 1_000);
    const line = `replayed ${count(done)} of ${count(files.length)} files, ${count(tokens)} tokens, ${count(tokens / seconds)} a second`;
    screen.err(done < files.length ? `\r\u001b[K${line}` : '\r\u001b[K');
  };
}

/** A replay holds its file's conversation and its counts: some 300 MB for the largest seen. */
const BYTES_EACH = 1_500_000_000;

/** Several files side by side where there are processors and memory for it; the results in the order of the files, so that two runs are equal. */
async function replayAll(world: World, asked: ReplayWish, onDone: OnDone): Promise<readonly ReplayedFile[]> {
  const { options } = asked;
  const most = Math.min(options.files.length, availableParallelism(), Math.floor(freemem() / BYTES_EACH));
  const alone = most < 2 || options.keepHome !== undefined;
  const lanes = Array.from({ length: alone ? 1 : most }, () => inWorker(asked));
  const results = new Map<string, ReplayedFile>();
  // The largest first, so that no processor waits long for the last one; one after the other they keep their order.
  const waiting = alone ? [...options.files] : [...new Set(options.files)].sort((a, b) => sizeOf(world, b) - sizeOf(world, a));
  const work = lanes.map(async (lane) => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const replayed = await lane.replay(file);
      results.set(file, replayed);
      onDone(replayed);
    }
  });
  try {
    await Promise.race([Promise.all(work), untilStopped(world)]);
  } finally {
    // Nothing is written any more once they have ended.
    await Promise.all(lanes.map((lane) => lane.close()));
  }
  return [...new Set(options.files)].flatMap((file) => results.get(file) ?? []);
}

const untilStopped = (world: World): Promise<never> =>
  new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      world.onSignal(signal, () => reject(new AbortedError(`ended by ${signal}`)));
  });

const sizeOf = (world: World, file: string): number => statSync(resolve(world.cwd(), file), { throwIfNoEntry: false })?.size ?? 0;

type Lane = { readonly replay: FileReplay; readonly close: () => Promise<unknown> };

/** Always a thread of its own: this one stays free to be told to stop. */
function inWorker(workerData: ReplayWish): Lane {
  const worker = new Worker(new URL('./replay-worker.js', import.meta.url), { workerData });
  return {
    close: () => worker.terminate(),
    replay: (file) =>
      new Promise((resolved, rejected) => {
        const take = (answer: Answer): void => {
          worker.off('error', rejected);
          if (answer.kind === 'replayed') resolved(answer.replayed);
          else rejected(new SanbotError(answer.code, answer.message, answer.hint === undefined ? {} : { hint: answer.hint }));
        };
        worker.once('error', rejected);
        worker.once('message', take);
        worker.postMessage(file);
      }),
  };
}
