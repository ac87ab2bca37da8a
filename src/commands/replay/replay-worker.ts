import { parentPort, workerData } from 'node:worker_threads';
import { type ErrorCode, SanbotError } from '../../domain/errors.ts';
import { processEnvironment } from '../../runtime/environment.ts';
import { createFileReplay, type FileReplayOptions, type ReplayedFile } from './replay-file.ts';

export type WorkerAnswer =
  | { readonly kind: 'replayed'; readonly replayed: ReplayedFile }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string; readonly hint: string | undefined };

/** A thread that is told a file and answers with what came of its replay, one after the other. */
const options: FileReplayOptions = workerData;
const replay = createFileReplay({ ...processEnvironment(), cwd: () => options.cwd }, options);

parentPort?.on('message', async (file: string) => {
  parentPort?.postMessage(await replayFile(file));
});

async function replayFile(file: string): Promise<WorkerAnswer> {
  try {
    return { kind: 'replayed', replayed: await replay(file) };
  } catch (error) {
    if (error instanceof SanbotError) return { kind: 'failed', code: error.code, message: error.message, hint: error.hint };
    return {
      kind: 'failed',
      code: 'internal',
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
      hint: undefined,
    };
  }
}
