import { spawn } from 'node:child_process';
import { z } from 'zod';
import type { Deadline } from '../../../agent/ports/effects.ts';
import { AbortedError } from '../../../domain/errors.ts';
import { quotedText } from '../../../domain/language.ts';
import { parseJson } from '../../../domain/value/json.ts';
import { MAX_MS, MAX_TEXT_CHARS, type PdfText, tookTooLong, tookTooMuch, unreadablePdf } from './pdf-limits.ts';

const answerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string(), pages: z.int(), read: z.int() }),
  z.object({ kind: z.literal('failed'), why: z.object({ en: z.string(), zh: z.string() }) }),
]);

/** What reads PDFs: a process of its own, which runs a thread. */
export type PdfReader = { readonly node: string; readonly file: string; readonly workerFile: string };

/** A character takes six bytes where it is escaped. */
const MAX_ANSWER_BYTES = MAX_TEXT_CHARS * 6 + 1_000;

type Reading = { readonly reader: PdfReader; readonly deadline: Deadline };

/**
 * Reads the text of a PDF in a process that is ended when it takes too long or too much memory: a file can be made so that its reader never
 * ends, or takes all the memory there is, which ends the process that it is in. Rejects only with AbortedError.
 */
export async function readPdfText(bytes: Uint8Array, { reader, deadline }: Reading, signal: AbortSignal): Promise<PdfText> {
  const tooLong = deadline(MAX_MS);
  const child = spawn(reader.node, [reader.file], { env: {}, stdio: ['pipe', 'pipe', 'ignore'] });
  const chunks: Buffer[] = [];
  let size = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_ANSWER_BYTES) chunks.push(chunk);
  });
  child.stdin.on('error', () => undefined);
  child.stdin.write(`${JSON.stringify({ workerFile: reader.workerFile })}\n`);
  child.stdin.end(bytes);
  try {
    return await new Promise<PdfText>((resolve, reject) => {
      child.once('error', (error) => resolve(unreadablePdf(quotedText(error.message))));
      // A process that has run out of memory ends by a signal.
      child.once('close', (_code, by) => resolve(by === null ? answerIn(Buffer.concat(chunks)) : tookTooMuch));
      whenAborted(tooLong, () => resolve(tookTooLong));
      whenAborted(signal, () => reject(new AbortedError('stopped')));
    });
  } finally {
    child.kill('SIGKILL');
  }
}

function answerIn(bytes: Buffer): PdfText {
  const answer = answerSchema.safeParse(parseJson(bytes.toString('utf8')));
  return answer.success ? answer.data : unreadablePdf({ en: 'its reader gave no answer', zh: '读取程序没有应答' });
}

function whenAborted(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true });
}
