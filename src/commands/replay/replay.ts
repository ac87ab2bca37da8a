/**
 * `sanbot replay`: recorded sessions are gone through again, offline, to measure what SanBot does to their context.
 *
 * In come recorded files, sizes of the window and policies. Out go figures as a table, as JSON or as a page with plots, and on request every
 * request that would be sent, and the replayed sessions as a home.
 *
 * Files are replayed in threads (replay-worker), each run in a home of its own (replay-home), by the code that a real session
 * runs: replay/run with real stores. The same files give the same figures, however many threads there are.
 *
 * It asks no model and runs no tool, and it leaves nothing behind: its temporary folder goes also when it is stopped.
 */

import { statSync, writeFileSync } from 'node:fs';
import { availableParallelism, freemem } from 'node:os';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AbortedError, SanbotError } from '../../domain/errors.ts';
import { inEnglish, localize } from '../../domain/language.ts';
import type { ReplayRun } from '../../replay/measure/summarise-runs.ts';
import { replayPage } from '../../report/replay/replay-page.ts';
import { replayText } from '../../report/replay/replay-text.ts';
import type { Environment } from '../../runtime/environment.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import type { IoStreams } from '../../runtime/io-streams.ts';
import { readSettings } from '../../runtime/settings.ts';
import { storeFailure } from '../../store/files/failure.ts';
import { formatCount } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import type { CommandContext } from '../command.ts';
import type { FileReplay, FileReplayOptions, ReplayedFile, ReplaySettings } from './replay-file.ts';
import { replayJson } from './replay-json.ts';
import type { WorkerAnswer } from './replay-worker.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

export type ReplayOptions = HomeOptions &
  ReplaySettings & {
    /** At least one, as typed. */
    readonly files: readonly string[];
    /** A file that gets the page with plots. */
    readonly html?: string;
    readonly json?: boolean;
  };

/** Replays recorded sessions under every window and policy that was asked for, and prints what came of it. */
export async function replayFiles(options: ReplayOptions, { environment, io }: CommandContext): Promise<number> {
  const { config, notices } = readSettings(environment, { home: options.home });
  for (const notice of notices) io.warn(notice);
  const temporaryFolder = createTemporaryFolder(environment);
  const replayedFiles = await replayAll(
    environment,
    { options, config, cwd: environment.cwd(), temporaryFolder: temporaryFolder.path, language: localize({ en: 'en', zh: 'zh' }) },
    progressPrinter(options, { environment, io }),
  ).finally(temporaryFolder.remove);
  for (const { notes } of replayedFiles) for (const note of notes) io.warn(note);
  const runs = replayedFiles.flatMap((each) => each.runs);
  if (options.keepHome !== undefined) printKeptHint(options.keepHome, runs, io);
  if (options.html !== undefined)
    writePage(
      environment,
      options.html,
      inEnglish(() => replayPage(runs, options)),
    );
  io.out(options.json ? replayJson(runs, options) : replayText(runs, options, io.columns));
  return 0;
}

function writePage(environment: Environment, file: string, page: string): void {
  const path = resolve(environment.cwd(), file);
  try {
    writeFileSync(path, page, { mode: 0o600 });
  } catch (error) {
    throw storeFailure(error, 'write', path);
  }
}

function printKeptHint(home: string, runs: readonly ReplayRun[], io: IoStreams): void {
  for (const { sessionId } of runs)
    io.warn({
      en: `kept; to search it: sanbot search --home ${safeLine(home)} --session ${sessionId} WORDS`,
      zh: `已保留；搜索：sanbot search --home ${safeLine(home)} --session ${sessionId} WORDS`,
    });
}

type OnDone = (replayed: ReplayedFile) => void;

/** One line on a terminal that is written over, and gone at the end. */
function progressPrinter({ files }: ReplayOptions, { environment, io }: CommandContext): OnDone {
  if (!environment.stderr.isTTY) return () => undefined;
  const started = environment.now().getTime();
  let done = 0;
  let tokens = 0;
  io.err(localize({ en: `replaying ${formatCount(files.length)} files`, zh: `正在重放 ${formatCount(files.length)} 个文件` }));
  return ({ runs }) => {
    done += 1;
    tokens += runs.reduce((sum, run) => sum + run.outcome.recordedTokens, 0);
    const seconds = Math.max(0.1, (environment.now().getTime() - started) / 1_000);
    const [all, speed] = [formatCount(files.length), formatCount(tokens / seconds)];
    const line = localize({
      en: `replayed ${formatCount(done)} of ${all} files, ${formatCount(tokens)} tokens, ${speed} per second`,
      zh: `已重放 ${formatCount(done)}/${all} 个文件，${formatCount(tokens)} token，每秒 ${speed}`,
    });
    io.err(done < files.length ? `\r\u001b[K${line}` : '\r\u001b[K');
  };
}

/** A replay holds its file's conversation and its counts: some 300 MB for the largest seen. */
const BYTES_PER_REPLAY = 1_500_000_000;

type ReplayRequest = FileReplayOptions & { readonly options: Pick<ReplayOptions, 'files'> };

/** Several files side by side where there are processors and memory for it; the results in the order of the files, so that two runs are equal. */
async function replayAll(environment: Environment, request: ReplayRequest, onDone: OnDone): Promise<readonly ReplayedFile[]> {
  const { options } = request;
  const maxWorkers = Math.min(options.files.length, availableParallelism(), Math.floor(freemem() / BYTES_PER_REPLAY));
  const isSequential = maxWorkers < 2 || options.keepHome !== undefined;
  const workers = Array.from({ length: isSequential ? 1 : maxWorkers }, () => startWorker(environment, request));
  const results = new Map<string, ReplayedFile>();
  // The largest first, so that no processor waits long for the last one; one after the other they keep their order.
  const queue = isSequential
    ? [...options.files]
    : [...new Set(options.files)].sort((a, b) => sizeOf(environment, b) - sizeOf(environment, a));
  const work = workers.map(async (worker) => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      const result = await worker.replay(file);
      results.set(file, result);
      onDone(result);
    }
  });
  try {
    await Promise.race([Promise.all(work), rejectOnSignal(environment)]);
  } finally {
    // Nothing is written any more once they have ended.
    await Promise.all(workers.map((worker) => worker.close()));
  }
  return [...new Set(options.files)].flatMap((file) => results.get(file) ?? []);
}

const rejectOnSignal = (environment: Environment): Promise<never> =>
  new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      environment.onSignal(signal, () => reject(new AbortedError(`ended by ${signal}`)));
  });

const sizeOf = (environment: Environment, file: string): number =>
  statSync(resolve(environment.cwd(), file), { throwIfNoEntry: false })?.size ?? 0;

type ReplayWorker = { readonly replay: FileReplay; readonly close: () => Promise<unknown> };

/** Always a thread of its own: this one stays free to be told to stop. It runs what is built, since no thread of Node 20 loads TypeScript. */
function startWorker({ packageRoot }: Environment, workerData: FileReplayOptions): ReplayWorker {
  const worker = new Worker(join(packageRoot, 'dist', 'bundle', 'replay-worker.js'), { workerData });
  return {
    close: () => worker.terminate(),
    replay: (file) =>
      new Promise((resolveReplay, rejectReplay) => {
        const onAnswer = (answer: WorkerAnswer): void => {
          worker.off('error', rejectReplay);
          if (answer.kind === 'replayed') resolveReplay(answer.replayed);
          else rejectReplay(new SanbotError(answer.code, answer.message, { hint: answer.hint }));
        };
        worker.once('error', rejectReplay);
        worker.once('message', onAnswer);
        worker.postMessage(file);
      }),
  };
}
