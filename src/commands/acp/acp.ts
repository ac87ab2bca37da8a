import type { Readable, Writable } from 'node:stream';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { readLines } from '../../tools/split-records.ts';
import type { CommandContext } from '../command.ts';
import { createAcpAgent } from './agent.ts';
import type { AcpOptions } from './open-sessions.ts';
import { RequestError, type Stream } from './protocol.ts';

/** Serves one editor on standard input and output until it goes. Resolves with the exit code. */
export async function runAcp(options: AcpOptions, context: CommandContext): Promise<number> {
  if (options.setup === true) {
    await (await import('../models/setup.ts')).runSetup(options, context);
    return 0;
  }
  const { environment, io } = context;
  const { app, close } = createAcpAgent(options, context);
  const tooLong = (): void => io.warn({ en: `A message above ${MAX_MB} MB was not read.`, zh: `未读取超过 ${MAX_MB} MB 的消息。` });
  const connection = app.connect(openStdio(environment.stdin, environment.stdout, tooLong));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) environment.onSignal(signal, () => connection.close());
  await connection.closed;
  await close();
  return 0;
}

const MAX_MB = 32;

/**
 * Messages, one a line. The library's own way goes through twice as many streams, and what is said of a turn then waits for more of the turn.
 * What is no message is answered as such; an editor that has gone is told nothing.
 */
function openStdio(input: Readable, output: Writable, tooLong: () => void): Stream {
  // Waits only for a slow reader, so that it is not overrun.
  const write = (message: unknown): Promise<void> =>
    new Promise((resolve) => {
      if (output.write(`${JSON.stringify(message)}\n`, () => resolve())) resolve();
    });
  const readable: Stream['readable'] = new ReadableStream({
    start: (controller) => {
      let isOver = false;
      const onEnd = (): void => {
        if (!isOver) controller.close();
        isOver = true;
      };
      const onLine = (line: string | undefined): void => {
        if (line === undefined) tooLong();
        // The library looks whether it is a message.
        const value = orUndefined(() => JSON.parse(line ?? ''));
        if (value !== undefined) controller.enqueue(value);
        else void write({ jsonrpc: '2.0', id: null, error: RequestError.parseError().toErrorResponse() });
      };
      readLines(input, { onLine, onEnd, maxBytes: MAX_MB * 1024 * 1024 });
    },
  });
  return { readable, writable: new WritableStream({ write }) };
}
