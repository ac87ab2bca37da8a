/** Says whether something that keeps failing shall be left alone for now. It closes again by itself. */
export type Breaker = {
  readonly isOpen: (atMs: number) => boolean;
  readonly note: (outcome: 'worked' | 'failed', atMs: number) => void;
};

/**
 * Opens after so many failures in a row, for `restMs`; then one try goes through, whose failure opens it again and whose success
 * closes it. A clock that goes back closes it too.
 */
export function createBreaker({ failures, restMs }: { readonly failures: number; readonly restMs: number }): Breaker {
  let inRow = 0;
  let lastMs = 0;
  return {
    isOpen: (atMs) => inRow >= failures && atMs >= lastMs && atMs - lastMs < restMs,
    note: (outcome, atMs) => {
      inRow = outcome === 'worked' ? 0 : inRow + 1;
      lastMs = atMs;
    },
  };
}
