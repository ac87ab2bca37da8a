import type { KeySource } from '../input/keyboard.ts';

/** Messages from where there are no keys to read: a pipe, a dumb terminal. */
export type LineSource = {
  /** The next message; undefined when the input has ended, or `stop` was called. */
  readonly next: () => Promise<string | undefined>;
  /** The next line that comes from now on, empty or not; what has come before stays. Undefined at the end, or when `signal` aborts. */
  readonly answer: (signal: AbortSignal) => Promise<string | undefined>;
  readonly stop: () => void;
};

/** One line is one message, a backslash at its end joins the next line to it. Only a newline ends a line, and the last one may lack it. */
export function createLineSource(input: KeySource): LineSource {
  const lines: string[] = [];
  const utf8 = new TextDecoder();
  let partial = '';
  let continuation = '';
  let ended = false;
  let wake = (): void => undefined;
  let resolveAnswer: ((line: string | undefined) => void) | undefined;

  const onLine = (line: string): void => {
    if (resolveAnswer !== undefined) {
      resolveAnswer(line);
      return;
    }
    if (line.endsWith('\\')) {
      continuation += `${line.slice(0, -1)}\n`;
      return;
    }
    if (`${continuation}${line}`.trim() !== '') lines.push(`${continuation}${line}`);
    continuation = '';
  };
  const onData = (chunk: Uint8Array | string): void => {
    const parts = `${partial}${typeof chunk === 'string' ? chunk : utf8.decode(chunk, { stream: true })}`.split('\n');
    partial = parts.pop() ?? '';
    for (const part of parts) onLine(part.replace(/\r$/, ''));
    wake();
  };
  const onEnd = (): void => {
    if (ended) return;
    ended = true;
    if (partial !== '') onLine(partial);
    if (continuation !== '') lines.push(continuation.trimEnd());
    resolveAnswer?.(undefined);
    wake();
  };
  input.on('data', onData);
  input.on('end', onEnd);
  input.on('error', onEnd);
  input.resume();

  return {
    next: async () => {
      while (lines.length === 0 && !ended) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return lines.shift();
    },
    answer: (signal) =>
      new Promise((resolve) => {
        const settle = (line: string | undefined): void => {
          resolveAnswer = undefined;
          signal.removeEventListener('abort', onAbort);
          resolve(line);
        };
        const onAbort = (): void => settle(undefined);
        if (ended || signal.aborted) return resolve(undefined);
        resolveAnswer = settle;
        signal.addEventListener('abort', onAbort);
      }),
    stop: () => {
      resolveAnswer?.(undefined);
      lines.length = 0;
      ended = true;
      input.pause();
      wake();
    },
  };
}
