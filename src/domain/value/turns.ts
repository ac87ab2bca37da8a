import { AbortedError } from '../errors.ts';

/** One question after the other: an answer may decide the next. Rejects with AbortedError when aborted before its turn. */
export type InTurn = <Answer>(ask: () => Promise<Answer>, signal: AbortSignal) => Promise<Answer>;

export function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (ask, signal) => {
    const answer = last.then(() => {
      if (signal.aborted) throw new AbortedError('Interrupted');
      return ask();
    });
    last = answer.catch(() => undefined);
    return answer;
  };
}
