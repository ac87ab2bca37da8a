import { Worker } from 'node:worker_threads';
import { frameOf, readFrames } from './frames.ts';
import type { Limit, MeasuredReply, Order, Reply } from './parsers.ts';

export type ParserServer = {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  /** What this process takes of the machine's memory. */
  readonly memoryBytes: () => number;
  readonly kill: (pid: number, signal: 'SIGKILL') => void;
  readonly pid: number;
};

const POLL_MS = 25;
/** A PDF of ten megabytes is the longest. */
const MAX_ORDER_BYTES = 64_000_000;

/**
 * Parses in a thread, one text after the other, and watches over it from outside: over the memory of the process, of which a thread's own
 * limits bound only a part, over the time, and over its input, whose end is that of whoever asks. Then the process is killed at once, since a
 * thread in native code ends at no other word.
 */
export function serveParser({ stdin, stdout, memoryBytes, kill, pid }: ParserServer): void {
  let thread: Worker | undefined;
  let settle: (reply: Reply) => void = () => undefined;
  const end = (): void => kill(pid, 'SIGKILL');
  const startThread = ({ threadFile, limit }: Order): Worker => {
    const resourceLimits = { maxOldGenerationSizeMb: limit.memoryMb };
    return new Worker(threadFile, { resourceLimits, env: {}, stdout: true, stderr: true })
      .on('message', (reply: Reply) => settle(reply))
      .on('error', (error) => settle(failureOf(error)))
      .on('exit', () => settle({ kind: 'failed', message: 'its thread ended' }));
  };
  const watch = async ({ ms, memoryMb }: Limit): Promise<Reply> => {
    const memory = setInterval(() => {
      if (memoryBytes() > memoryMb * 1_000_000) settle({ kind: 'too_much_memory' });
    }, POLL_MS);
    // Whoever waits ends it earlier; this is for one that has been stopped.
    const late = setTimeout(() => settle({ kind: 'too_slow' }), 2 * ms);
    const reply = await new Promise<Reply>((resolve) => {
      settle = resolve;
    });
    clearInterval(memory);
    clearTimeout(late);
    return reply;
  };
  const serve = async (order: Order): Promise<void> => {
    thread ??= startThread(order);
    const watched = order.task.kind === 'parse' ? watch(order.limit) : undefined;
    thread.postMessage(order.task);
    if (watched === undefined) return;
    const measured: MeasuredReply = { reply: await watched, memoryBytes: memoryBytes() };
    stdout.write(frameOf(measured));
  };
  for (const event of ['end', 'error', 'close']) stdin.on(event, end);
  stdout.on('error', end);
  readFrames<Order>(stdin, { maxBytes: MAX_ORDER_BYTES, onValue: (order) => void serve(order), onTooLong: end });
}

const failureOf = (error: Error): Reply =>
  'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? { kind: 'too_much_memory' } : { kind: 'failed', message: error.message };
