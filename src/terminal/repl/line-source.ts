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
  const text = new TextDecoder();
  let partial = '';
  let joined = '';
  let ended = false;
  let wake = (): void => undefined;
  let answered: ((line: string | undefined) => void) | undefined;

  const onLine = (line: string): void => {
    if (answered !== undefined) {
      answered(line);
      return;
    }
    if (line.endsWith('\\')) {
      joined += `${line.slice(0, -1)}\n`;
      return;
    }
    if (`${joined}${line}`.trim() !== '') lines.push(`${joined}${line}`);
    joined = '';
  };
  const onData = (chunk: Uint8Array | string): void => {
    const parts = `${partial}${typeof chunk === 'string' ? chunk : text.decode(chunk, { stream: true })}`.split('\n');
    partial = parts.pop() ?? '';
    for (const part of parts) onLine(part.replace(/\r$/, ''));
    wake();
  };
  const onEnd = (): void => {
    if (ended) return;
    ended = true;
    if (partial !== '') onLine(partial);
    if (joined !== '') lines.push(joined.trimEnd());
    answered?.(undefined);
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
        const done = (line: string | undefined): void => {
          answered = undefined;
          signal.removeEventListener('abort', none);
          resolve(line);
        };
        const none = (): void => done(undefined);
        if (ended || signal.aborted) return resolve(undefined);
        answered = done;
        signal.addEventListener('abort', none);
      }),
    stop: () => {
      answered?.(undefined);
      lines.length = 0;
      ended = true;
      input.pause();
      wake();
    },
  };
}
