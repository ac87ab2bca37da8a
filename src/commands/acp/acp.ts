import type { Readable, Writable } from 'node:stream';
import type { CommandContext } from '../command.ts';
import type { AcpOptions } from './acp-options.ts';
import { createAcpAgent } from './agent.ts';
import { ndJsonStream } from './protocol.ts';

/** Serves one editor on standard input and output until it goes. Resolves with the exit code. */
export async function runAcp(options: AcpOptions, context: CommandContext): Promise<number> {
  if (options.setup === true) {
    await (await import('../models/setup.ts')).runSetup(options, context);
    return 0;
  }
  const { environment, io } = context;
  const { app, close } = createAcpAgent(options, context);
  const tooLong = (): void => io.warn({ en: `A message above ${MAX_MB} MB was not read.`, zh: `未读取超过 ${MAX_MB} MB 的消息。` });
  const connection = app.connect(ndJsonStream(outputOf(environment.stdout), boundedInput(environment.stdin, tooLong)));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) environment.onSignal(signal, () => connection.close());
  await connection.closed;
  await close();
  return 0;
}

const MAX_MB = 32;
/** One byte fewer than the library takes: what is longer ends one message, and not the connection. */
const MAX_BYTES = MAX_MB * 1024 * 1024 - 1;
const NEWLINE = 0x0a;
/** Whatever stands before it in the line. */
const NO_MESSAGE = Buffer.from('{\n');

/** Ends a line that is too long where it becomes so, so that it is answered as no message, and leaves out the rest of it. */
function boundedInput(input: Readable, tooLong: () => void): ReadableStream<Uint8Array> {
  let [bytes, isSkipped] = [0, false];
  const bounded = function* (chunk: Uint8Array): Generator<Uint8Array> {
    for (let start = 0; start < chunk.length; ) {
      const end = chunk.indexOf(NEWLINE, start);
      const piece = chunk.subarray(start, end < 0 ? chunk.length : end + 1);
      start += piece.length;
      bytes += piece.length;
      if (bytes > MAX_BYTES && !isSkipped) {
        isSkipped = true;
        tooLong();
        yield NO_MESSAGE;
      }
      if (!isSkipped) yield piece;
      if (end >= 0) [bytes, isSkipped] = [0, false];
    }
  };
  const pieces = (async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of input) yield* bounded(chunk);
  })();
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await pieces.next().catch(() => ({ done: true, value: undefined }));
      if (done === true || value === undefined) controller.close();
      else controller.enqueue(value);
    },
  });
}

/** Waits for what takes it, so that a slow reader is not overrun; one that has gone is told nothing. */
const outputOf = (output: Writable): WritableStream<Uint8Array> =>
  new WritableStream({ write: (chunk) => new Promise((resolve) => void output.write(chunk, () => resolve())) });
