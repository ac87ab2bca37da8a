export type IdleTime = ReturnType<typeof createIdleTime>;

/** How long a person was waited for, or the program was suspended: no time of the work's. What overlaps counts once. */
export function createIdleTime(now: () => Date) {
  let waits = 0;
  let since = 0;
  let sumMs = 0;
  const open = (): number => (waits === 0 ? 0 : Math.max(0, now().getTime() - since));
  return {
    /** Until now. */
    ms: (): number => sumMs + open(),
    /** Settles as the work does, all of which is idle. */
    during: async <T>(work: () => Promise<T>): Promise<T> => {
      if (waits === 0) since = now().getTime();
      waits += 1;
      try {
        return await work();
      } finally {
        if (waits === 1) sumMs += open();
        waits -= 1;
      }
    },
  };
}
