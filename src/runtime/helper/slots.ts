import { AbortedError } from '../../domain/errors.ts';

/** Lets as many in at once as there are slots. */
export function createSlots(count: number) {
  let free = count;
  const waiting: (() => void)[] = [];
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return {
    /** Resolves, in the order of the calls, when there is room; what it resolves to makes room again. Rejects with AbortedError when aborted. */
    enter: (signal: AbortSignal): Promise<() => void> =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(new AbortedError('Interrupted'));
        if (free > 0) {
          free -= 1;
          return resolve(leave);
        }
        const begin = (): void => {
          signal.removeEventListener('abort', give);
          resolve(leave);
        };
        const give = (): void => {
          waiting.splice(waiting.indexOf(begin), 1);
          reject(new AbortedError('Interrupted'));
        };
        waiting.push(begin);
        signal.addEventListener('abort', give, { once: true });
      }),
  };
}
