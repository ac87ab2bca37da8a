import { parentPort, workerData } from 'node:worker_threads';
import { processEnvironment } from '../../src/runtime/environment.ts';
import { createFileReplay, type ReplayFileOptions } from './replay-file.ts';

/** A thread that is told a file and answers with what came of its replay, one after the other. It ends with the first error. */
const options: ReplayFileOptions = workerData;
const replayFile = createFileReplay(processEnvironment(), options);

parentPort?.on('message', async (file: string) => {
  parentPort?.postMessage(await replayFile(file));
});
