/**
 * Recorded sessions are gone through again, offline, to measure what SanBot does to their context: bench/replay.mjs bundles and starts
 * this.
 *
 * In come recorded files, variants of window and policy, and a home with settings. Out go the figures of each run, and on request every
 * request that would be sent, and the replayed sessions as a home.
 *
 * Each run has a home of its own and goes by the code that a real session runs (run.ts with real stores). The same files give the same
 * figures, however many threads there are. Nothing is left behind: the temporary folder goes also when a replay is stopped.
 */

import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, freemem } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { MIN_WINDOW_TOKENS } from '../../src/domain/config/endpoint-settings.ts';
import { processEnvironment } from '../../src/runtime/environment.ts';
import { readSettings } from '../../src/runtime/settings.ts';
import { temporaryFolder } from '../../test/support/memory-disk.ts';
import type { ReplayRun } from './measure/summarise-runs.ts';
import { type Policy, policies } from './policy.ts';
import type { ReplayedFile, ReplayFileOptions, Variant } from './replay-file.ts';

export { figuresJson } from './figures-json.ts';
export { resultsPage } from './results-page.ts';

export type ReplayOptions = Pick<ReplayFileOptions, 'variants' | 'requests' | 'keepHome'> & {
  readonly files: readonly string[];
  /** Whose settings the replays go by. */
  readonly home?: string | undefined;
};

/** Replays each file under each variant. `onNote` is told what was not taken over of a recording. Rejects with what is wrong with a file. */
export async function replayFiles(
  { files, home, ...options }: ReplayOptions,
  onNote: (note: string) => void,
): Promise<readonly ReplayRun[]> {
  const { config, notices } = readSettings(processEnvironment(), { home });
  for (const notice of notices) onNote(notice.en);
  const folder = mkdtempSync(join(temporaryFolder(), `sanbot-replay-${process.pid}-`));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const replayed = await replayAll([...new Set(files)], { ...options, config, temporaryFolder: folder });
  for (const note of replayed.flatMap(({ notes }) => notes)) onNote(note);
  return replayed.flatMap(({ runs }) => runs);
}

/** A replay holds its file's conversation and its counts: some 300 MB for the largest seen. */
const BYTES_PER_REPLAY = 1_500_000_000;

/** Several files side by side where there are processors and memory for it; the results in the order of the files. */
async function replayAll(files: readonly string[], workerData: ReplayFileOptions): Promise<readonly ReplayedFile[]> {
  // One home takes one session after the other.
  const most = workerData.keepHome === undefined ? Math.min(availableParallelism(), Math.floor(freemem() / BYTES_PER_REPLAY)) : 1;
  const script = join(dirname(fileURLToPath(import.meta.url)), 'replay-worker.js');
  const workers = Array.from({ length: Math.max(1, Math.min(files.length, most)) }, () => new Worker(script, { workerData }));
  // Nothing is written any more once they have ended.
  const close = () => Promise.all(workers.map((worker) => worker.terminate()));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void close().then(() => process.exit(130)));
  const results = new Map<string, ReplayedFile>();
  // The largest first, so that no processor waits long for the last one; into one home in their order.
  const queue = workers.length === 1 ? [...files] : files.toSorted((a, b) => sizeOf(b) - sizeOf(a));
  const work = workers.map(async (worker) => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      const answered = once(worker, 'message');
      worker.postMessage(file);
      const [result] = await answered;
      results.set(file, result);
    }
  });
  await Promise.all(work).finally(close);
  return files.flatMap((file) => results.get(file) ?? []);
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** The simpler policies are replayed at one window: what they search for takes several times as long as all of SanBot's. */
const USUAL_WINDOWS = '32k,64k,128k,200k';
const POLICY_WINDOW = '64k';

/** `--window 32k,200000 --policy sanbot,none`: each window with each policy. With neither, what bench/results.md shows. */
export function variantsFor(windows: string | undefined, names: string | undefined): readonly Variant[] {
  if (windows !== undefined || names !== undefined) return combined(windows ?? '200k', names ?? 'sanbot');
  return [...combined(USUAL_WINDOWS, 'sanbot'), ...combined(POLICY_WINDOW, 'all').filter(({ policy }) => policy !== 'sanbot')];
}

function combined(windows: string, names: string): readonly Variant[] {
  const chosen = names === 'all' ? policies : [...new Set(names.split(','))].map(policyNamed);
  return windows.split(',').flatMap((size) => chosen.map((policy) => ({ windowTokens: tokensIn(size), policy })));
}

function policyNamed(name: string): Policy {
  const policy = policies.find((each) => each === name);
  if (policy === undefined) throw new Error(`--policy: expected one of ${policies.join(', ')} or all, found ${name}`);
  return policy;
}

/** 32000, 32k or 1m. */
function tokensIn(size: string): number {
  const [, amount, unit = ''] = /^(\d{1,9})([km]?)$/.exec(size) ?? [];
  const tokens = Number(amount) * (unit === 'k' ? 1_000 : unit === 'm' ? 1_000_000 : 1);
  if (tokens >= MIN_WINDOW_TOKENS) return tokens;
  throw new Error(`--window: expected sizes of at least ${MIN_WINDOW_TOKENS} tokens, such as 32000 or 32k, found ${size}`);
}
