/** What the user can stop. One thing at a time. */
export type Stopper = {
  /** Runs `work` and settles as it does; or resolves as soon as the user no longer waits for it. */
  readonly run: (work: (signal: AbortSignal) => Promise<void>) => Promise<void>;
  /** The first call asks the work to stop, the third gives up waiting for it. */
  readonly stop: () => 'idle' | 'stopping' | 'still_stopping' | 'given_up';
};

export function createStopper(): Stopper {
  let running: { readonly controller: AbortController; readonly giveUp: () => void; presses: number } | undefined;
  return {
    run: async (work) => {
      const controller = new AbortController();
      const givenUp = new Promise<void>((resolve) => {
        running = { controller, giveUp: resolve, presses: 0 };
      });
      try {
        await Promise.race([work(controller.signal), givenUp]);
      } finally {
        running = undefined;
      }
    },
    stop: () => {
      if (running === undefined) return 'idle';
      running.presses += 1;
      if (running.presses === 1) {
        running.controller.abort();
        return 'stopping';
      }
      if (running.presses === 2) return 'still_stopping';
      running.giveUp();
      return 'given_up';
    },
  };
}
