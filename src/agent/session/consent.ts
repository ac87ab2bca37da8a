import { AbortedError } from '../../domain/errors.ts';

/** What the person has allowed in a session, for it and its helpers. */
export type Consent = {
  /** For the rest of this session; in memory only. */
  readonly grants: Set<string>;
  /**
   * One question after the other: the answer to one may decide the next. Rejects with AbortedError when the signal aborts before it is its
   * turn, else as `ask` does.
   */
  readonly inTurn: <Answer>(ask: () => Promise<Answer>, signal: AbortSignal) => Promise<Answer>;
};

export function createConsent(): Consent {
  let last: Promise<unknown> = Promise.resolve();
  return {
    grants: new Set(),
    inTurn: (ask, signal) => {
      const answer = last.then(() => {
        if (signal.aborted) throw new AbortedError('Interrupted');
        return ask();
      });
      last = answer.catch(() => undefined);
      return answer;
    },
  };
}
