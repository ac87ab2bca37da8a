/** Says whether something that keeps failing shall be left alone for now. It closes again by itself. */
export type Breaker = {
  readonly isOpen: (atMs: number) => boolean;
  readonly record: (outcome: 'worked' | 'failed', atMs: number) => void;
};

/**
 * Opens after so many failures in a row, for `restMs`; then one try goes through, whose failure opens it again and whose success
 * closes it. A clock that goes back closes it too.
 */
export function createBreaker({ failures, restMs }: { readonly failures: number; readonly restMs: number }): Breaker {
  let failuresInRow = 0;
  let lastMs = 0;
  return {
    isOpen: (atMs) => failuresInRow >= failures && atMs >= lastMs && atMs - lastMs < restMs,
    record: (outcome, atMs) => {
      failuresInRow = outcome === 'worked' ? 0 : failuresInRow + 1;
      lastMs = atMs;
    },
  };
}
