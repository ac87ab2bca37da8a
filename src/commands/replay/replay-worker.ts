import { parentPort, workerData } from 'node:worker_threads';
import { type ErrorCode, errorKinds, SanbotError } from '../../domain/errors.ts';
import { type Bilingual, sameInBoth, setLanguage } from '../../domain/language.ts';
import { processEnvironment } from '../../runtime/environment.ts';
import { createFileReplay, type FileReplayOptions, type ReplayedFile } from './replay-file.ts';

export type WorkerAnswer =
  | { readonly kind: 'replayed'; readonly replayed: ReplayedFile }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: Bilingual; readonly hint: Bilingual };

/** A thread that is told a file and answers with what came of its replay, one after the other. */
const options: FileReplayOptions = workerData;
setLanguage(options.language);
const replay = createFileReplay({ ...processEnvironment(), cwd: () => options.cwd }, options);

parentPort?.on('message', async (file: string) => {
  parentPort?.postMessage(await replayFile(file));
});

async function replayFile(file: string): Promise<WorkerAnswer> {
  try {
    return { kind: 'replayed', replayed: await replay(file) };
  } catch (error) {
    if (error instanceof SanbotError) return { kind: 'failed', code: error.code, ...error.shown };
    return {
      kind: 'failed',
      code: 'internal',
      message: sameInBoth(error instanceof Error ? (error.stack ?? error.message) : String(error)),
      hint: errorKinds.internal.hint,
    };
  }
}
