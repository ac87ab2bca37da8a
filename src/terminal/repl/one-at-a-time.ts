import { AbortedError } from '../../domain/errors.ts';

/** A second question waits until the first is answered. */
export function oneAtATime<Asked, Answer>(
  ask: (asked: Asked, signal: AbortSignal) => Promise<Answer>,
): (asked: Asked, signal: AbortSignal) => Promise<Answer> {
  let last: Promise<unknown> = Promise.resolve();
  return (asked, signal) => {
    const answer = last.then(() => {
      if (signal.aborted) throw new AbortedError('Interrupted');
      return ask(asked, signal);
    });
    last = answer.catch(() => undefined);
    return answer;
  };
}
