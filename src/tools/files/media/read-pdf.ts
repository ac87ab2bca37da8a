import { Worker } from 'node:worker_threads';
import type { Deadline } from '../../../agent/ports/effects.ts';
import { AbortedError } from '../../../domain/errors.ts';

export type PdfOrder = { readonly bytes: Uint8Array; readonly maxChars: number; readonly maxPages: number };

export type PdfText =
  | { readonly kind: 'text'; readonly text: string; readonly pages: number /** How many of them the text has. */; readonly read: number }
  /** In words that follow its name. */
  | { readonly kind: 'failed'; readonly why: string };

/** What reads PDFs: the file that the thread runs. */
export type PdfReader = { readonly workerFile: string; readonly deadline: Deadline };

const MAX_MS = 30_000;
const MAX_HEAP_MB = 400;
const MAX_CHARS = 2_000_000;
const MAX_PAGES = 1_000;

/**
 * Reads the text of a PDF in a thread that is ended when it takes too long or too much memory: a file can be made so that its reader never
 * ends. Rejects only with AbortedError.
 */
export async function readPdfText(bytes: Uint8Array, { workerFile, deadline }: PdfReader, signal: AbortSignal): Promise<PdfText> {
  const tooLong = deadline(MAX_MS);
  const order: PdfOrder = { bytes, maxChars: MAX_CHARS, maxPages: MAX_PAGES };
  const worker = new Worker(workerFile, {
    ...{ workerData: order, resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB }, env: {}, stdout: true, stderr: true },
  });
  try {
    return await new Promise<PdfText>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', (error) => resolve({ kind: 'failed', why: `is a PDF that could not be read: ${whyOf(error)}` }));
      worker.once('exit', () => resolve({ kind: 'failed', why: 'is a PDF that could not be read' }));
      whenAborted(tooLong, () => resolve({ kind: 'failed', why: `is a PDF whose text was not found in ${MAX_MS / 1_000} seconds` }));
      whenAborted(signal, () => reject(new AbortedError('stopped')));
    });
  } finally {
    await worker.terminate();
  }
}

const whyOf = (error: Error): string =>
  'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? `it takes more than ${MAX_HEAP_MB} MB of memory` : error.message;

function whenAborted(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true });
}
