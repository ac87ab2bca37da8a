import { AbortedError } from '../../domain/errors.ts';

/** A second question waits until the first is answered. */
export function oneAtATime<Question, Answer>(
  ask: (question: Question, signal: AbortSignal) => Promise<Answer>,
): (question: Question, signal: AbortSignal) => Promise<Answer> {
  let last: Promise<unknown> = Promise.resolve();
  return (question, signal) => {
    const answer = last.then(() => {
      if (signal.aborted) throw new AbortedError('Interrupted');
      return ask(question, signal);
    });
    last = answer.catch(() => undefined);
    return answer;
  };
}
