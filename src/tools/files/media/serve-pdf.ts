import { Worker } from 'node:worker_threads';
import { quotedText } from '../../../domain/language.ts';
import { isObject, isString, parseJson } from '../../../domain/value/json.ts';
import { MAX_MEMORY_MB, MAX_MS, type PdfOrder, type PdfText, tookTooLong, tookTooMuch, unreadablePdf } from './pdf-limits.ts';

export type PdfServer = {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  /** What this process takes of the machine's memory. */
  readonly memoryBytes: () => number;
};

const POLL_MS = 25;

/**
 * Reads the text of one PDF in a thread and watches over the memory of the process, of which a thread's own limits bound only a part. A thread
 * that runs out of memory may end the process, which its parent sees.
 */
export async function servePdf({ stdin, stdout, memoryBytes }: PdfServer): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  const input = Buffer.concat(chunks);
  const headEnd = input.indexOf(0x0a);
  const head = parseJson(input.toString('utf8', 0, Math.max(0, headEnd)));
  if (!isObject(head) || !isString(head.workerFile)) return;
  const order: PdfOrder = { bytes: input.subarray(headEnd + 1) };
  const worker = new Worker(head.workerFile, {
    ...{ workerData: order, resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB }, env: {}, stdout: true, stderr: true },
  });
  const found = await new Promise<PdfText>((resolve) => {
    const watch = setInterval(() => {
      if (memoryBytes() > MAX_MEMORY_MB * 1_000_000) resolve(tookTooMuch);
    }, POLL_MS);
    // Whoever waits ends it earlier; this is for one that nobody waits for any more.
    const end = setTimeout(() => resolve(tookTooLong), 2 * MAX_MS);
    worker.once('exit', () => {
      clearInterval(watch);
      clearTimeout(end);
      resolve(unreadablePdf());
    });
    worker.once('message', resolve);
    worker.once('error', (error) =>
      resolve('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tookTooMuch : unreadablePdf(quotedText(error.message))),
    );
  });
  await worker.terminate();
  stdout.write(JSON.stringify(found));
}
