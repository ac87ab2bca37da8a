import { AbortedError } from '../domain/errors.ts';

/** Whoever waits may stop waiting; the work goes on all the same. Rejects with AbortedError when the signal aborts. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw new AbortedError('stopped');
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new AbortedError('stopped'));
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
