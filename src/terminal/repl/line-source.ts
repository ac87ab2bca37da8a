import { createTextDecoder, type KeySource } from '../input/keyboard.ts';

export type LineSource = ReturnType<typeof createLineSource>;

/** One line is one message, a backslash at its end joins the next line to it. Only a newline ends a line, and the last one may lack it. */
export function createLineSource(input: KeySource) {
  const messages = createMessageQueue();
  const split = createLineSplitter();
  let resolveAnswer: ((line: string | undefined) => void) | undefined;

  const onLine = (line: string): void => {
    if (resolveAnswer === undefined) messages.addLine(line);
    else resolveAnswer(line);
  };
  const onEnd = (): void => {
    if (messages.hasEnded()) return;
    const rest = split.rest();
    if (rest !== '') onLine(rest);
    messages.end();
    resolveAnswer?.(undefined);
  };
  input.on('data', (chunk: Uint8Array | string) => {
    for (const line of split.write(chunk)) onLine(line);
    messages.wake();
  });
  input.on('end', onEnd);
  input.on('error', onEnd);
  input.resume();

  return {
    /** The next message; undefined when the input has ended, or `stop` was called. */
    next: messages.next,
    /** The next line that comes from now on, empty or not; what has come before stays. Undefined at the end, or when `signal` aborts. */
    answer: (signal: AbortSignal): Promise<string | undefined> =>
      new Promise((resolve) => {
        const settle = (line: string | undefined): void => {
          resolveAnswer = undefined;
          signal.removeEventListener('abort', onAbort);
          resolve(line);
        };
        const onAbort = (): void => settle(undefined);
        if (messages.hasEnded() || signal.aborted) return resolve(undefined);
        resolveAnswer = settle;
        signal.addEventListener('abort', onAbort);
      }),
    stop: (): void => {
      resolveAnswer?.(undefined);
      messages.drop();
      input.pause();
    },
  };
}

function createLineSplitter() {
  const decode = createTextDecoder();
  let partial = '';
  return {
    write: (chunk: Uint8Array | string): readonly string[] => {
      const lines = `${partial}${decode(chunk)}`.split('\n');
      partial = lines.pop() ?? '';
      return lines.map((line) => line.replace(/\r$/, ''));
    },
    rest: (): string => partial,
  };
}

function createMessageQueue() {
  const messages: string[] = [];
  let continuation = '';
  let ended = false;
  let wake = (): void => undefined;
  const end = (): void => {
    ended = true;
    wake();
  };
  return {
    addLine: (line: string): void => {
      if (line.endsWith('\\')) {
        continuation += `${line.slice(0, -1)}\n`;
        return;
      }
      if (`${continuation}${line}`.trim() !== '') messages.push(`${continuation}${line}`);
      continuation = '';
    },
    next: async (): Promise<string | undefined> => {
      while (messages.length === 0 && !ended) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return messages.shift();
    },
    end: (): void => {
      if (continuation !== '') messages.push(continuation.trimEnd());
      end();
    },
    drop: (): void => {
      messages.length = 0;
      end();
    },
    hasEnded: (): boolean => ended,
    wake: (): void => wake(),
  };
}
