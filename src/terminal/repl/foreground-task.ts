/** What the user can stop. One thing at a time. */
export type ForegroundTask = {
  /** Runs `work` and settles as it does; or resolves as soon as the user no longer waits for it. */
  readonly run: (work: (signal: AbortSignal) => Promise<void>) => Promise<void>;
  /** The first call asks the work to stop, the third gives up waiting for it. */
  readonly stop: () => 'idle' | 'stopping' | 'still_stopping' | 'given_up';
};

export function createForegroundTask(): ForegroundTask {
  let current: { readonly controller: AbortController; readonly abandon: () => void; presses: number } | undefined;
  return {
    run: async (work) => {
      const controller = new AbortController();
      const abandoned = new Promise<void>((resolve) => {
        current = { controller, abandon: resolve, presses: 0 };
      });
      try {
        await Promise.race([work(controller.signal), abandoned]);
      } finally {
        current = undefined;
      }
    },
    stop: () => {
      if (current === undefined) return 'idle';
      current.presses += 1;
      if (current.presses === 1) {
        current.controller.abort();
        return 'stopping';
      }
      if (current.presses === 2) return 'still_stopping';
      current.abandon();
      return 'given_up';
    },
  };
}
